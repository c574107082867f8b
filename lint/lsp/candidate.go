package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
)

// A candidate is something that may be written at a place.
type candidate struct {
	name   string
	detail string // in a few words
	about  string // in Markdown
	kind   protocol.CompletionItemKind
	// opens says that it is a key with more below it.
	opens bool
}

// candidates are what may stand in the place of a node.
func (s *surroundings) candidates(n *source.Node) []candidate {
	var found []candidate
	if n.IsKey() {
		found = s.keys(n)
	} else {
		found = s.values(n)
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return isThere(n, c.name) })
}

// isThere says whether a name stands beside a node already.
func isThere(n *source.Node, name string) bool {
	if n.Parent == nil {
		return false
	}
	if n.IsKey() {
		return n.Parent.Get(name) != nil
	}
	return slices.ContainsFunc(n.Parent.Items, func(item *source.Node) bool { return item.Value == name })
}

// keys are the keys that a map may have in the place of one.
func (s *surroundings) keys(n *source.Node) []candidate {
	p := placeOf(n)
	switch {
	case s.kind == schema.Config && p.is("rules", "*"):
		return ruleCandidates()
	case s.kind == schema.Gete && p.is("connections", "*"):
		return s.connections(s.Registry.Shipped(), true)
	case s.kind != schema.Agent:
	case p.is("tools", "*", "mcp", "params", "*"), p.is("tools", "*", "mcp", "only", "*"):
		if offered := names(block(n).Get("allow"), protocol.CompletionItemKindFunction, true); len(offered) > 0 {
			return s.withTools(n, offered)
		}
		return s.tools(n, true)
	case p.is("tools", "*", "openapi", "params", "*"), p.is("tools", "*", "openapi", "only", "*"), p.is("tools", "*", "openapi", "describe", "*"):
		return names(block(n).Get("operations"), protocol.CompletionItemKindFunction, p[3] != "describe")
	case p.is("tools", "*", "mcp", "params", "*", "*"):
		return plain(s.arguments(n, p[4]), protocol.CompletionItemKindVariable, true)
	}
	var found []candidate
	for _, k := range schema.Keys(s.kind, n.Parent) {
		c := candidate{name: k.Name, about: k.Description, kind: protocol.CompletionItemKindProperty, opens: k.Nests}
		if k.Required {
			c.detail = "required"
		}
		found = append(found, c)
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return strings.Compare(b.detail, a.detail) })
	return found
}

// values are the values and items that may stand in the place of one.
func (s *surroundings) values(n *source.Node) []candidate {
	p := placeOf(n)
	switch {
	case s.kind != schema.Agent:
	case p.is("connections", "*"), p.is("connections", "*", "id"):
		return s.connections(s.Registry.IDs(), false)
	case p.is("tools", "*", "mcp", "connection"), p.is("tools", "*", "openapi", "connection"):
		return s.connections(s.declaredFirst(), false)
	case p.is("tools", "*", "builtin"):
		return plain(rules.Builtins(), protocol.CompletionItemKindFunction, false)
	case p.is("tools", "*", "mcp", "allow", "*"):
		return s.tools(n, false)
	case p.is("tools", "*", "mcp", "only", "*", "*"):
		fixed := block(n).Get("params")
		return slices.DeleteFunc(plain(s.arguments(n, p[4]), protocol.CompletionItemKindVariable, false), func(c candidate) bool {
			if fixed == nil {
				return false
			}
			of := fixed.Get(p[4])
			return of != nil && of.Get(c.name) != nil
		})
	case p.is("tools", "*", "openapi", "operations", "*"):
		return s.operations(n)
	}
	return plain(schema.Values(s.kind, n), protocol.CompletionItemKindEnumMember, false)
}

func plain(names []string, kind protocol.CompletionItemKind, opens bool) []candidate {
	found := make([]candidate, len(names))
	for i, name := range names {
		found[i] = candidate{name: name, kind: kind, opens: opens}
	}
	return found
}

// names are the items of a list, which may be nil.
func names(list *source.Node, kind protocol.CompletionItemKind, opens bool) []candidate {
	var found []candidate
	if list != nil {
		for _, item := range list.Items {
			if item.IsScalar() && item.Value != "" {
				found = append(found, candidate{name: item.Value, kind: kind, opens: opens})
			}
		}
	}
	return found
}

func ruleCandidates() []candidate {
	var found []candidate
	for _, r := range rules.All() {
		found = append(found, candidate{name: r.ID, detail: r.Severity.String(), about: r.Summary, kind: protocol.CompletionItemKindConstant})
	}
	return found
}

// connections are those of some ids.
func (s *surroundings) connections(ids []string, opens bool) []candidate {
	found := plain(ids, protocol.CompletionItemKindReference, opens)
	for i, id := range ids {
		found[i].detail = valueOf(s.Registry[id].Node, "display_name")
	}
	return found
}

// declaredFirst are all connections, those that the agent declares before the others.
func (s *surroundings) declaredFirst() []string {
	ids := s.Registry.IDs()
	a := s.agent()
	if a == nil {
		return ids
	}
	declares := func(id string) bool {
		return slices.ContainsFunc(a.Connections, func(u declaration.Use) bool { return u.ID.Value == id })
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		switch {
		case declares(a) == declares(b):
			return 0
		case declares(a):
			return -1
		}
		return 1
	})
	return ids
}

// tools are those that the lock file has of the block's server.
func (s *surroundings) tools(n *source.Node, opens bool) []candidate {
	tools := s.listing(n).Names()
	slices.Sort(tools)
	return s.withTools(n, plain(slices.Compact(tools), protocol.CompletionItemKindFunction, opens))
}

// withTools adds to the names of tools what the lock file has of them.
func (s *surroundings) withTools(n *source.Node, found []candidate) []candidate {
	for i, c := range found {
		for _, t := range s.listing(n).Named(c.name) {
			found[i].about = describeTool(t.Name, t.Description, s.arguments(n, t.Name))
		}
	}
	return found
}

// operations are those of the block's description, where it can be read.
func (s *surroundings) operations(n *source.Node) []candidate {
	spec := valueOf(block(n), "spec")
	a := s.agent()
	if spec == "" || a == nil {
		return nil
	}
	d, err := s.Description(a, spec)
	if err != nil {
		return nil // a rule says so
	}
	return plain(d.OperationIDs(), protocol.CompletionItemKindFunction, false)
}
