package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// read is a document of a kind, whether its file can be read or not.
func (r *run) read(kind schema.Kind, path string) *declaration.Document {
	text, err := r.files.read(path, source.Declarations)
	if err != nil {
		return declaration.NotRead(r.files.shown(path), err)
	}
	return r.options.Cache.read(kind, path, r.files.shown(path), text)
}

// load reads the target's project, each file on its own, and runs the rules
// about single files and agents as each is read.
func (r *run) load(ctx context.Context) (*declaration.Project, []rules.Diagnostic, error) {
	if r.target.lone {
		return r.loadLone()
	}
	go schema.Prepare(schema.Agent) // while gete.yaml is read
	p := declaration.NewProject(r.target.dir, r.read(schema.Gete, filepath.Join(r.target.dir, geteFile)))
	var found []rules.Diagnostic
	r.checkDocument(p, p.Gete, &found)

	agents := r.findAgents(p)
	policies := r.findPolicies(p)
	p.Agents = make([]*declaration.Agent, len(agents))
	p.Policies = make([]*declaration.PolicyFile, len(policies))
	each := make([][]rules.Diagnostic, len(agents)+len(policies))

	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.options.Jobs)
	for i, path := range agents {
		group.Go(func() error {
			p.Agents[i] = declaration.NewAgent(filepath.Dir(path), r.read(schema.Agent, path))
			r.checkAgent(p, p.Agents[i], &each[i])
			return ctx.Err()
		})
	}
	for i, named := range policies {
		group.Go(func() error {
			d := *r.read(schema.Policy, rules.Resolve(p.Dir, named.Value))
			d.NamedBy = named
			p.Policies[i] = declaration.NewPolicyFile(&d)
			r.checkDocument(p, &d, &each[len(agents)+i])
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	return p, slices.Concat(append(each, found)...), nil
}

func (r *run) loadLone() (*declaration.Project, []rules.Diagnostic, error) {
	p := declaration.NewProject(r.target.dir, nil)
	a := declaration.NewAgent(r.target.dir, r.read(schema.Agent, filepath.Join(r.target.dir, agentFile)))
	a.NoFolder = r.options.StdinFilename == "" && slices.Contains(r.options.Paths, "-") && r.overlaid(r.target.dir)
	p.Agents = []*declaration.Agent{a}
	var found []rules.Diagnostic
	r.checkAgent(p, a, &found)
	return p, found, nil
}

// findAgents are the paths of the project's agent.yaml files, in order.
func (r *run) findAgents(p *declaration.Project) []string {
	var paths []string
	dir := rules.Resolve(p.Dir, p.AgentsDir())
	for _, name := range r.files.List(dir) {
		folder := filepath.Join(dir, name)
		if r.files.Kind(folder) != rules.Folder && !r.overlaid(folder) {
			continue
		}
		path := filepath.Join(folder, agentFile)
		switch {
		case r.excluded(path):
			p.Complete = false
		case r.overlaid(folder) || exists(path):
			paths = append(paths, path)
		default:
			r.findMisnamed(p, folder)
		}
	}
	// An agent.yaml that the command line names counts wherever it lies.
	for named := range r.target.named {
		if filepath.Base(named) == agentFile && !slices.Contains(paths, named) && !r.excluded(named) {
			paths = append(paths, named)
		}
	}
	slices.Sort(paths)
	return paths
}

// overlaid says whether some text stands for the agent.yaml of a folder.
func (r *run) overlaid(folder string) bool {
	_, ok := r.files.overlay[filepath.Join(folder, agentFile)]
	return ok
}

// exists says whether there is anything at a path, a broken link included.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// findMisnamed notes the file of a folder that is almost an agent.yaml.
func (r *run) findMisnamed(p *declaration.Project, folder string) {
	for _, name := range r.files.List(folder) {
		path := filepath.Join(folder, name)
		if almostAgentFile(name) && r.files.Kind(path) == rules.RegularFile && !r.excluded(path) {
			p.Misnamed = append(p.Misnamed, &source.File{Path: r.files.shown(path)})
			return
		}
	}
}

// almostAgentFile says whether a name is agent.yaml but for case, a slip in the
// stem, or the extension.
func almostAgentFile(name string) bool {
	name = strings.ToLower(name)
	stem := strings.TrimSuffix(name, ".txt")
	for _, ext := range []string{".yaml", ".yml", ".json"} {
		stem = strings.TrimSuffix(stem, ext)
	}
	return stem == "agent" || stem != name && suggest.Slip(stem, "agent")
}

// findPolicies are the values that name the policy files that can be read, each
// file once.
func (r *run) findPolicies(p *declaration.Project) []*source.Node {
	var found []*source.Node
	seen := map[string]bool{}
	for _, named := range p.PolicyPaths() {
		path := rules.Resolve(p.Dir, named.Value)
		if !seen[path] && r.files.Kind(path) == rules.RegularFile && !r.excluded(path) {
			found = append(found, named)
		}
		seen[path] = true
	}
	return found
}

// shows is whether a finding concerns the files that the command line names, if it
// names any: it is reported in them, or elsewhere about them.
func (r *run) shows(p *declaration.Project) (func(rules.Diagnostic) bool, error) {
	if r.target.named == nil {
		return func(rules.Diagnostic) bool { return true }, nil
	}
	shown := map[string]bool{}
	for path := range r.target.named {
		if !r.isDeclaration(p, path) {
			return nil, fmt.Errorf("%s: no declaration of the project in %s", r.files.shown(path), r.files.shown(p.Dir))
		}
		shown[r.files.shown(path)] = true
	}
	return func(d rules.Diagnostic) bool {
		consulted := d.Consulted != nil && shown[d.Consulted.Path]
		return shown[d.File.Path] || consulted || slices.ContainsFunc(d.Related, func(r rules.Related) bool { return shown[r.File.Path] })
	}, nil
}

// kindOf is the kind of declaration that a file is in a project; false for other files.
func kindOf(p *declaration.Project, path string) (schema.Kind, bool) {
	switch filepath.Base(path) {
	case geteFile:
		return schema.Gete, true
	case agentFile:
		return schema.Agent, true
	case configFile:
		return schema.Config, true
	}
	for _, named := range p.PolicyPaths() {
		if rules.Resolve(p.Dir, named.Value) == path {
			return schema.Policy, true
		}
	}
	return "", false
}

// isDeclaration says whether a file is one that the project is made of.
func (r *run) isDeclaration(p *declaration.Project, path string) bool {
	if _, ok := kindOf(p, path); ok {
		return true
	}
	for _, a := range p.Agents {
		for _, b := range a.Blocks {
			if b.OpenAPI != nil && b.OpenAPI.Spec != nil && rules.Resolve(a.Dir, b.OpenAPI.Spec.Value) == path {
				return true
			}
		}
	}
	return r.excluded(path)
}
