package narrow

import (
	"net/url"
	"slices"
	"strings"
)

// definitions are the keywords that hold schemas for references to lead to; the
// second is the first before JSON Schema 2019-09.
var definitions = []string{"$defs", "definitions"}

// byName are the keywords whose value is a map of schemas by a name that may be any,
// also that of a keyword.
var byName = append([]string{"properties", "patternProperties", "dependentSchemas", "dependencies"}, definitions...)

// values are the keywords whose value is one to compare with, or to show: what looks
// like a reference in it is none.
var values = []string{"const", "enum", "default", "examples"}

// A definition is a schema for references to lead to.
type definition struct{ keyword, name string }

// A mover carries definitions from the server's own schema into a narrowed one.
type mover struct {
	original map[string]any
	// whole is the definition that the server's own schema becomes where a value
	// refers to it: the value of an argument may be of the shape of all of them.
	whole   definition
	reached map[definition]bool
	pending []definition
}

// relocate makes the references that are left in a narrowed schema lead to what
// they led to in the server's own, and leaves out the definitions that nothing
// leads to.
func relocate(schema, original map[string]any) map[string]any {
	m := &mover{original: original, whole: definition{"$defs", "whole"}, reached: map[definition]bool{}}
	for taken := mapOf(original["$defs"]); taken[m.whole.name] != nil; {
		m.whole.name += "_"
	}
	for _, keyword := range definitions {
		delete(schema, keyword)
	}
	m.redirect(schema)
	held := map[string]any{}
	for len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		target := m.definition(next)
		if target == nil {
			continue // it led nowhere in the server's own, either
		}
		m.redirect(target)
		group := mapOf(held[next.keyword])
		if group == nil {
			group = map[string]any{}
			held[next.keyword] = group
		}
		group[next.name] = target
	}
	for keyword, group := range held {
		schema[keyword] = group
	}
	return schema
}

// definition is a copy of what is to stand under a definition, or nil.
func (m *mover) definition(d definition) any {
	if d != m.whole {
		return clone(mapOf(m.original[d.keyword])[d.name])
	}
	own := make(map[string]any, len(m.original))
	for keyword, v := range m.original {
		if !slices.Contains(definitions, keyword) {
			own[keyword] = clone(v)
		}
	}
	return own
}

// follow is where a reference of the server's own schema leads to in the narrowed
// one.
func (m *mover) follow(ref string) string {
	if ref != "#" && !strings.HasPrefix(ref, "#/") {
		return ref
	}
	keyword, rest, _ := strings.Cut(strings.TrimPrefix(ref, "#/"), "/")
	if slices.Contains(definitions, keyword) && rest != "" {
		name, _, _ := strings.Cut(rest, "/")
		m.reach(definition{keyword, unescape(name)})
		return ref
	}
	m.reach(m.whole)
	return "#/" + m.whole.keyword + "/" + m.whole.name + ref[1:]
}

func (m *mover) reach(d definition) {
	if !m.reached[d] {
		m.reached[d] = true
		m.pending = append(m.pending, d)
	}
}

// unescape is a step of a JSON Pointer in a URI fragment (RFC 6901, section 6)
// without its escapes.
func unescape(step string) string {
	if decoded, err := url.PathUnescape(step); err == nil {
		step = decoded
	}
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

// redirect changes the references of a schema where they stand.
func (m *mover) redirect(schema any) {
	switch schema := schema.(type) {
	case map[string]any:
		if ref, ok := schema["$ref"].(string); ok {
			schema["$ref"] = m.follow(ref)
		}
		for keyword, v := range schema {
			switch {
			case slices.Contains(values, keyword):
			case slices.Contains(byName, keyword):
				for _, part := range mapOf(v) {
					m.redirect(part)
				}
			default:
				m.redirect(v)
			}
		}
	case []any:
		for _, part := range schema {
			m.redirect(part)
		}
	}
}
