package rules

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

func agentFileMissing(p *Pass, a *declaration.Agent) {
	if path, inFile := a.InstructionFile(); inFile {
		p.fileMissing(a.Dir, a.Instruction, path, RegularFile)
	}
	p.fileMissing(a.Dir, a.Source, "", Folder)
	p.fileMissing(a.Dir, a.Requirements, "", RegularFile)
	reported := map[string]bool{}
	for _, b := range a.Blocks {
		if b.OpenAPI == nil || b.OpenAPI.Spec == nil {
			continue
		}
		if path := Resolve(a.Dir, b.OpenAPI.Spec.Value); !reported[path] {
			reported[path] = p.fileMissing(a.Dir, b.OpenAPI.Spec, "", RegularFile)
		}
	}
}

func projectFileMissing(p *Pass) {
	p.fileMissing(p.Project.Dir, p.Project.AgentsDirStated(), "", Folder)
	for _, path := range p.Project.PolicyPaths() {
		p.fileMissing(p.Project.Dir, path, "", RegularFile)
	}
}

// fileMissing reports a value whose path, the value itself where path is empty,
// does not lead to a file of the kind.
func (p *Pass) fileMissing(dir string, at *source.Node, path string, want FileKind) bool {
	if at == nil {
		return false
	}
	if path == "" {
		path = at.Value
	}
	full := Resolve(dir, path)
	f := Finding{At: at}
	switch found := p.Files.Kind(full); {
	case found == want:
		return false
	case found == NoFile:
		f.Message = redact.Node(at) + " is not there"
		if !filepath.IsAbs(filepath.FromSlash(path)) {
			f.Help = "the path is relative to the folder of this file"
		}
		near := p.likeFile(full)
		if near.Name != "" {
			near.Name = strings.TrimSuffix(path, filepath.Base(full)) + near.Name
		}
		f.Suggest(near, Backquoted)
	case want == Folder:
		f.Message, f.Help = redact.Node(at)+" is a file, and a folder is needed", "name the folder that it is in"
	default:
		f.Message, f.Help = redact.Node(at)+" is a folder, and a file is needed", "name a file in it"
	}
	p.Report(f)
	return true
}

// likeFile is the name of the file beside a path that the path likely means.
func (p *Pass) likeFile(path string) suggest.Match {
	if p.suggested++; p.suggested > maxSuggestions {
		return suggest.Match{}
	}
	name := filepath.Base(path)
	ext := filepath.Ext(name)
	var stems, others []string
	for _, file := range p.Files.List(filepath.Dir(path)) {
		if stem, ok := strings.CutSuffix(file, ext); ok {
			stems = append(stems, stem) // a slip shows in the stem: the extension would hide it
		} else {
			others = append(others, file)
		}
	}
	if near := suggest.Closest(strings.TrimSuffix(name, ext), stems); near.Name != "" {
		near.Name += ext
		return near
	}
	return suggest.Closest(name, others)
}

// Resolve is a path of a declaration, which has slashes on every system,
// relative to a folder.
func Resolve(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func pythonModule(p *Pass, a *declaration.Agent) {
	stated := a.StatesSource()
	for _, b := range a.Blocks {
		if b.Python == nil {
			continue
		}
		if !stated {
			p.Report(Finding{
				At: b.Python, Message: "a python tool needs `source`, and the agent has none",
				Help: "add `source` with the folder of the agent's code",
			})
			continue
		}
		if a.Source == nil || p.Files.Kind(Resolve(a.Dir, a.Source.Value)) != Folder {
			continue // said of source itself
		}
		module, _, _ := strings.Cut(b.Python.Value, ":")
		path := Resolve(a.Dir, a.Source.Value+"/"+strings.ReplaceAll(module, ".", "/"))
		if p.Files.Kind(path+".py") == RegularFile || p.Files.Kind(filepath.Join(path, "__init__.py")) == RegularFile {
			continue
		}
		f := Finding{
			At: b.Python, Message: fmt.Sprintf("no module %s is below %s", module, redact.Node(a.Source)),
			Help: fmt.Sprintf("it would be %s.py, or a folder with an __init__.py", strings.ReplaceAll(module, ".", "/")),
		}
		if near := p.likeFile(path + ".py"); near.Name != "" {
			// The function behind the module stays.
			near.Name = module[:strings.LastIndexByte(module, '.')+1] + strings.TrimSuffix(near.Name, ".py") + strings.TrimPrefix(b.Python.Value, module)
			f.Suggest(near, Backquoted)
		}
		p.Report(f)
	}
}

func agentMisnamed(p *Pass) {
	for _, f := range p.Project.Misnamed {
		p.ReportFile(f, "this file is not read: an agent's declaration is named agent.yaml", "rename it to agent.yaml")
	}
}
