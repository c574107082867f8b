package lsp

import (
	"context"
	"path/filepath"

	"go.lsp.dev/protocol"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
)

// surroundings are what a place in a document stands in.
type surroundings struct {
	*lint.Loaded
	document *document
	kind     schema.Kind
	offset   int // of the place, in bytes
}

// surroundings loads what a document belongs to; nil for one that is not open or no
// declaration. Where the project cannot be loaded, it is as if it had nothing but the
// document.
func (s *server) surroundings(ctx context.Context, at protocol.TextDocumentPositionParams) *surroundings {
	d := s.document(at.TextDocument.URI)
	if d == nil {
		return nil
	}
	o, ok := s.options(d.path)
	if !ok {
		return nil
	}
	loaded, err := lint.Load(ctx, o)
	if err != nil {
		loaded = &lint.Loaded{Project: declaration.NewProject(o.Dir, nil)}
	}
	kind, ok := loaded.Kind(d.path)
	if !ok {
		return nil
	}
	return &surroundings{loaded, d, kind, offsetOf(d.file(), at.Position)}
}

// agent is the document as it is declared; nil for other kinds.
func (s *surroundings) agent() *declaration.Agent {
	for _, a := range s.Agents {
		if a.Dir == filepath.Dir(s.document.path) {
			return a
		}
	}
	return nil
}

// A place in a document is the steps from its root: keys, and * for an item.
type place []string

// placeOf is the place of a node, or of the key's value.
func placeOf(n *source.Node) place {
	var p place
	for ; n.Parent != nil; n = n.Parent {
		switch {
		case n.IsKey():
			p = append(place{n.Value}, p...)
		case n.Key != nil:
			p = append(place{n.Key.Value}, p...)
		default:
			p = append(place{"*"}, p...)
		}
	}
	return p
}

// is says whether a place is one of a form, in which * stands for any step.
func (p place) is(form ...string) bool {
	if len(p) != len(form) {
		return false
	}
	for i, step := range form {
		if step != "*" && step != p[i] {
			return false
		}
	}
	return true
}

// block is the map of the mcp or openapi block around a node; nil where there is none.
func block(n *source.Node) *source.Node {
	for ; n != nil; n = n.Parent {
		if p := placeOf(n); p.is("tools", "*", "mcp") || p.is("tools", "*", "openapi") {
			if n.IsKey() {
				return nil
			}
			return n
		}
	}
	return nil
}

// valueOf is the text of a scalar under a key of a map that may be nil.
func valueOf(mapping *source.Node, key string) string {
	if mapping == nil {
		return ""
	}
	if n := mapping.Get(key); n != nil && n.IsScalar() {
		return n.Value
	}
	return ""
}

// listing is what the lock file has of the server of the block around a node; empty
// where it has nothing.
func (s *surroundings) listing(n *source.Node) *narrow.Listing {
	if l := s.Locked[valueOf(block(n), "url")]; l != nil {
		return l
	}
	return &narrow.Listing{}
}

// arguments are those of a tool that the block's server lists, sorted.
func (s *surroundings) arguments(n *source.Node, tool string) []string {
	for _, t := range s.listing(n).Named(tool) {
		return narrow.Tool(t, narrow.Declaration{}).Arguments
	}
	return nil
}

// ruleNamed is the rule of an id.
func ruleNamed(id string) (rules.Rule, bool) {
	for _, r := range rules.All() {
		if r.ID == id {
			return r, true
		}
	}
	return rules.Rule{}, false
}
