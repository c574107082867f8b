package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The names of the files that are found by name.
const (
	geteFile   = "gete.yaml"
	agentFile  = "agent.yaml"
	configFile = ".gete-lint.yaml"
)

// A target is a project, or a lone agent, that a run lints.
type target struct {
	dir  string // the project's folder; for a lone agent, the agent's
	lone bool
	// named are the files of it that the command line names; nil when all of it
	// is to be reported.
	named map[string]bool
}

// discover finds the projects that the paths name.
func discover(o Options, fs *files) ([]target, error) {
	if len(o.Paths) == 0 {
		dir, ok := projectAround(o.Dir)
		if !ok {
			return nil, fmt.Errorf("no %s in this folder or any above it; run gete in a project, or name one", geteFile)
		}
		return []target{{dir: dir}}, nil
	}
	d := discovery{files: fs}
	for _, path := range o.Paths {
		if path == "-" {
			if err := d.file(fs.abs(stdinName(o))); err != nil {
				return nil, err
			}
			continue
		}
		abs := fs.abs(path)
		info, err := os.Stat(abs)
		switch {
		case os.IsNotExist(err) && !declarationName(abs):
			return nil, fmt.Errorf("%s: no such file or folder", path)
		case os.IsNotExist(err):
			// A declaration that cannot be read is a finding.
			if err := d.file(abs); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, reason(err))
		case info.IsDir():
			if err := d.folder(abs, path); err != nil {
				return nil, err
			}
		default:
			if err := d.file(abs); err != nil {
				return nil, err
			}
		}
	}
	return d.targets, nil
}

type discovery struct {
	files   *files
	targets []target
}

// add notes a target. One that is named as a whole stays so whatever files of
// it are named besides.
func (d *discovery) add(dir string, lone bool, file string) {
	i := slices.IndexFunc(d.targets, func(t target) bool { return t.dir == dir && t.lone == lone })
	if i < 0 {
		t := target{dir: dir, lone: lone}
		if file != "" {
			t.named = map[string]bool{file: true}
		}
		d.targets = append(d.targets, t)
		return
	}
	switch t := &d.targets[i]; {
	case file == "":
		t.named = nil
	case t.named != nil:
		t.named[file] = true
	}
}

func (d *discovery) folder(abs, path string) error {
	below := projectsBelow(abs)
	if len(below) == 0 {
		around, ok := projectAround(abs)
		if !ok {
			return fmt.Errorf("%s: no %s in this folder, below it or above it", path, geteFile)
		}
		below = []string{around}
	}
	for _, dir := range below {
		d.add(dir, false, "")
	}
	return nil
}

func (d *discovery) file(abs string) error {
	o, ok := Around(abs)
	switch {
	case !ok:
		return fmt.Errorf("%s: no declaration: outside a project, gete reads only files named %s", d.files.shown(abs), agentFile)
	case len(o.Paths) > 0:
		d.add(o.Dir, true, "")
	default:
		d.add(o.Dir, false, abs)
	}
	return nil
}

// Around are the options that lint all that a file, absolute, belongs to: the project
// that it lies in, or the lone agent that it is. It is false for any other file.
func Around(path string) (Options, bool) {
	dir := filepath.Dir(path)
	around, inProject := projectAround(dir)
	switch {
	case filepath.Base(path) == geteFile:
		return Options{Dir: dir}, true
	case inProject:
		return Options{Dir: around}, true
	case filepath.Base(path) == agentFile:
		return Options{Dir: dir, Paths: []string{agentFile}}, true
	}
	return Options{}, false
}

// declarationName says whether a path is that of a declaration by its name.
func declarationName(path string) bool {
	return filepath.Base(path) == geteFile || filepath.Base(path) == agentFile
}

// projectAround is the folder of the project that a folder lies in: as its path
// is written or, where links lead there, as it is.
func projectAround(dir string) (string, bool) {
	if found, ok := walkUp(dir); ok {
		return found, true
	}
	if followed, err := filepath.EvalSymlinks(dir); err == nil && followed != dir {
		return walkUp(followed)
	}
	return "", false
}

func walkUp(dir string) (string, bool) {
	for {
		if info, err := os.Stat(filepath.Join(dir, geteFile)); err == nil && !info.IsDir() {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// projectsBelow are the folders of the projects in a folder and below it, in
// order. Hidden folders and node_modules are not searched; links are followed,
// each folder once.
func projectsBelow(root string) []string {
	var found []string
	seen := map[string]bool{}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		followed, err := filepath.EvalSymlinks(dir)
		if err != nil || seen[followed] {
			continue
		}
		seen[followed] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // what cannot be listed holds no project that could be read
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case e.Name() == geteFile:
				if info, err := os.Stat(path); err == nil && !info.IsDir() {
					found = append(found, dir)
				}
			case strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules":
			case e.IsDir():
				queue = append(queue, path)
			case e.Type()&os.ModeSymlink != 0:
				if info, err := os.Stat(path); err == nil && info.IsDir() {
					queue = append(queue, path)
				}
			}
		}
	}
	slices.Sort(found)
	return found
}
