package lint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gete-lint/gete/lint/lock"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/openapi"
)

// lockPath is where the lock file of the target's project is.
func (r *run) lockPath() string { return filepath.Join(r.target.dir, lock.Name) }

// readLock is what the lock file records, by declared url, and its text; nil where
// there is no lock file.
func (r *run) readLock() (map[string]*narrow.Listing, []byte, error) {
	path := r.lockPath()
	if r.target.lone || !exists(path) {
		return nil, nil, nil
	}
	text, err := readBounded(path, lock.MaxBytes)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", r.files.shown(path), err)
	}
	listings, err := lock.Parse(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is %w; remove it, or write it anew with `gete lock`", r.files.shown(path), err)
	}
	return listings, text, nil
}

// A Loaded project is what is declared, whether it is right or not, and what is
// recorded of its servers.
type Loaded struct {
	*declaration.Project
	// LockPath is where the project's lock file is, or would be.
	LockPath string
	// Locked is what the lock file records, by url, and LockText the file itself; nil
	// where there is none.
	Locked   map[string]*narrow.Listing
	LockText []byte

	servers map[string]string // of the configuration
	files   *files
}

// Load reads the project, or the lone agent, that the options name.
func Load(ctx context.Context, o Options) (*Loaded, error) {
	runs, err := newRuns(o, &Result{})
	if err != nil {
		return nil, err
	}
	r := runs[0] // the paths of one project, or none, are of one
	broken, err := r.configure()
	if err != nil {
		return nil, err
	}
	if broken {
		return nil, errors.New("the configuration is broken; `gete validate` says where")
	}
	l := &Loaded{LockPath: r.lockPath(), servers: r.config.servers, files: r.files}
	if l.Locked, l.LockText, err = r.readLock(); err != nil {
		return nil, err
	}
	r.active = nil // only what is declared is asked for, not whether it is right
	if l.Project, _, err = r.load(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// Description is the OpenAPI description that a block of an agent names.
func (l *Loaded) Description(a *declaration.Agent, spec string) (*openapi.Description, error) {
	return l.files.Description(rules.Resolve(a.Dir, spec))
}

// Kind is the kind of declaration that a file, absolute, is in the project. It is false
// for other files.
func (l *Loaded) Kind(path string) (schema.Kind, bool) { return kindOf(l.Project, path) }

// ReadRecording is the recorded tools/list in a file. The error has no path.
func ReadRecording(path string) (*narrow.Listing, error) {
	text, err := readBounded(path, lock.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	return lock.Recorded(text)
}

// Servers are the urls of the project's mcp blocks, sorted. An error says why they
// are not all known, or may not all be recorded.
func (l *Loaded) Servers() ([]string, error) {
	urls := map[string]bool{}
	for _, a := range l.Agents {
		known := a.BlocksKnown
		for _, b := range a.Blocks {
			if b.MCP == nil {
				continue
			}
			if b.MCP.URL == nil {
				known = false
				continue
			}
			if what := rules.CredentialIn(b.MCP.URL.Value); what != "" {
				return nil, fmt.Errorf("%s: a url carries %s, and the lock file must not; `gete validate` says where", a.File.Path, what)
			}
			urls[b.MCP.URL.Value] = true
		}
		if !known {
			return nil, fmt.Errorf("%s: not all of its servers can be read; `gete validate` says why", a.File.Path)
		}
	}
	return slices.Sorted(maps.Keys(urls)), nil
}
