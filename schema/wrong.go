package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

func (c *checker) wrongType(n *source.Node, want []string) {
	at, got := n, redact.Node(n)
	switch {
	case n.Style == source.Implicit && n.Origin == nil && n.Key != nil:
		at = n.Key
	case n.Style == source.Implicit && n.Parent == nil:
		got = "an empty document"
	case n.IsScalar() && !redact.IsSecret(n) && n.Style != source.Implicit && n.Kind != source.Null:
		got = n.Kind.String() + " (" + got + ")"
	}
	if n.Kind == source.Float && slices.Contains(want, "number") {
		want = []string{"finite"} // .inf and .nan are numbers in YAML alone
	}
	v := Violation{Code: Type, Node: at, Message: fmt.Sprintf("%s must be %s, not %s", place(n), wanted(want), got), Label: "expected " + wanted(want)}
	switch {
	case at == n.Key:
		v.Help = "write a value, or leave the key out"
	case slices.Contains(want, "string") && n.IsScalar() && n.Style == source.Plain && n.Kind != source.Null:
		v.Help, v.Unquoted = "put it in quotes", true
	case slices.Contains(want, "array") && n.IsScalar():
		v.Help = "put it in brackets to make a list"
	case slices.Contains(want, "array"):
		v.Help = "put a dash before each item to make a list"
	case slices.Contains(want, "object"):
		v.Help = c.asMap(n)
	}
	c.add(v, n)
}

// asMap says how to write a value as the map that its schema asks for.
func (c *checker) asMap(n *source.Node) string {
	for _, s := range c.scope(n).schemas {
		for _, sub := range expand(&source.Node{Kind: source.Mapping}, s) {
			if len(sub.Required) == 0 {
				continue
			}
			what := "…"
			if n.IsScalar() && n.Style != source.Implicit && !redact.IsSecret(n) {
				what = redact.Node(n)
			}
			return fmt.Sprintf("write {%s: %s}", sub.Required[0], what)
		}
	}
	return ""
}

// types are the JSON Schema types that a value may have.
func (c *checker) types(n *source.Node) []string {
	if s := c.find(n, func(s *jsonschema.Schema) bool { return s.Types != nil }); s != nil {
		return s.Types.ToStrings()
	}
	return []string{"number"}
}

// wanted names JSON Schema types as people do.
func wanted(types []string) string {
	named := make([]string, len(types))
	for i, t := range types {
		named[i] = map[string]string{
			"string": "a string", "array": "a list", "object": "a map", "integer": "an integer",
			"number": "a number", "boolean": "true or false", "finite": "a finite number",
		}[t]
	}
	return strings.Join(named, " or ")
}

// wrongValue reports a scalar outside its enum, constant, pattern, format,
// length or range.
func (c *checker) wrongValue(f finding) {
	n := f.node
	if n.Kind == source.String && n.Value == "" {
		c.empty(n)
		return
	}
	v := Violation{Code: Value, Node: n}
	switch e := f.kind.(type) {
	case *kind.Enum:
		values := make([]string, len(e.Want))
		for i, want := range e.Want {
			values[i] = fmt.Sprint(want)
		}
		v.Message = fmt.Sprintf("%s must be %s, not %s", place(n), list(values), redact.Node(n))
		if v.Meant = suggest.Like(n.Value, values); v.Meant.Name != "" {
			v.Help = "write `" + v.Meant.Name + "`"
		}
	case *kind.Const:
		v.Message = fmt.Sprintf("%s must be %v, not %s", place(n), e.Want, redact.Node(n))
	case *kind.Format:
		v.Message = fmt.Sprintf("%s must be %s: %v", place(n), c.title(n), e.Err)
	case *kind.Pattern:
		v.Message = fmt.Sprintf("%s must be %s, not %s", place(n), c.title(n), redact.Node(n))
	case *kind.MaxLength:
		v.Message = fmt.Sprintf("%s has %d characters, and at most %d are allowed", place(n), e.Got, e.Want)
	case *kind.Minimum:
		v.Message = fmt.Sprintf("%s must be at least %s, not %s", place(n), e.Want.RatString(), redact.Node(n))
	case *kind.ExclusiveMinimum:
		v.Message = fmt.Sprintf("%s must be more than %s, not %s", place(n), e.Want.RatString(), redact.Node(n))
	default:
		v.Message = fmt.Sprintf("%s is not allowed here: %s", place(n), redact.Node(n))
	}
	c.add(v, n)
}

// title is what the schema calls a value of the right form.
func (c *checker) title(n *source.Node) string {
	if s := c.find(n, func(s *jsonschema.Schema) bool { return s.Title != "" }); s != nil {
		return s.Title
	}
	return "of another form"
}

// list is "a, b or c", each in backquotes.
func list(values []string) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString("`" + v + "`")
	}
	return b.String()
}
