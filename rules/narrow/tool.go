// Package narrow says what a declaration makes of a tool that a server lists: what
// the model is shown, or why it is not shown the tool. It is the one meaning of
// allow, params and only that is checked, shown and enforced.
package narrow

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// A Listing is what an MCP server lists.
type Listing struct {
	// Server and Version are what the server says of itself; may be empty.
	Server, Version string
	// Tools are in the server's order. A name may occur twice.
	Tools []Listed
}

// A Listed tool is a tool as a server lists it. What is raw is as the server sent it, so
// that a number keeps its digits.
type Listed struct {
	Name        string
	Description string
	InputSchema json.RawMessage // nil where there is none
	Annotations json.RawMessage // nil where there are none
	// Raw is all that the server lists of the tool; nil where it is not known.
	Raw json.RawMessage
}

// Annotations are the hints about a tool (MCP specification 2025-11-25,
// ToolAnnotations). A hint that is left out, or is no boolean, is nil.
type Annotations struct {
	ReadOnly, Destructive *bool
}

// Hints reads the tool's annotations.
func (t Listed) Hints() Annotations {
	var raw map[string]any
	if json.Unmarshal(t.Annotations, &raw) != nil {
		return Annotations{}
	}
	hint := func(name string) *bool {
		if b, ok := raw[name].(bool); ok {
			return &b
		}
		return nil
	}
	return Annotations{ReadOnly: hint("readOnlyHint"), Destructive: hint("destructiveHint")}
}

// maxDepth is how deep the collections of an inputSchema may lie in one another:
// everything below walks them by recursion.
const maxDepth = 200

// errNoSchema is an inputSchema that is no JSON object, or is nested too deep.
var errNoSchema = errors.New("not a usable inputSchema")

// Named are the listed tools of a name.
func (l *Listing) Named(name string) []Listed {
	var found []Listed
	for _, t := range l.Tools {
		if t.Name == name {
			found = append(found, t)
		}
	}
	return found
}

// Names are the names of the listed tools.
func (l *Listing) Names() []string {
	all := make([]string, len(l.Tools))
	for i, t := range l.Tools {
		all[i] = t.Name
	}
	return all
}

// object reads an inputSchema.
func object(raw json.RawMessage) (map[string]any, error) {
	if !shallow(raw) {
		return nil, errNoSchema
	}
	m, ok := decode(raw).(map[string]any)
	if !ok {
		return nil, errNoSchema
	}
	return m, nil
}

func shallow(raw json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // a number too large for Go is not too deep
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > maxDepth {
				return false
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// clone is a deep copy of a JSON value.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[k] = clone(x)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = clone(x)
		}
		return list
	}
	return v
}

// members are the values of a schema's keyword that are to be schemas; a boolean
// schema, and what is none, is nil.
func members(schema map[string]any, keyword string) []map[string]any {
	list, ok := schema[keyword].([]any)
	if !ok {
		return nil
	}
	found := make([]map[string]any, len(list))
	for i, x := range list {
		found[i], _ = x.(map[string]any)
	}
	return found
}

// names are the strings in the list under a keyword.
func names(list any) []string {
	items, _ := list.([]any)
	var found []string
	for _, item := range items {
		if s, ok := item.(string); ok {
			found = append(found, s)
		}
	}
	return found
}

func mapOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
