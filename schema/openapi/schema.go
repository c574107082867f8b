package openapi

import (
	"slices"

	"github.com/gete-lint/gete/schema/source"
)

// A Schema is a schema of the description with its references followed and its
// allOf folded in: all that a value must be valid against at once. Alternatives
// (oneOf, anyOf, if) stay outside, but for Refuses. It may be used concurrently.
//
// Version 3.0 ignores what stands beside a $ref, and so does a Schema; but where
// that may have been meant, the Schema is not certain of the opposite.
type Schema struct {
	of *Description
	at *source.Node // where it is written, or what lacks it

	parts    []*source.Node // mappings whose keywords all apply
	aside    []*source.Node // mappings with keywords beside a $ref that version 3.0 ignores
	never    bool           // a part is the schema false
	external bool           // a part lies outside the file
	dead     bool           // a part is a dead end, or no schema
}

// schema folds schemas that apply together; nil ones say nothing. at is where to
// point if none says anything.
func (d *Description) schema(at *source.Node, schemas ...*source.Node) *Schema {
	s := &Schema{of: d, at: at}
	seen := map[*source.Node]bool{}
	for len(schemas) > 0 {
		n := schemas[0]
		schemas = schemas[1:]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		switch {
		case n.Kind == source.Bool:
			s.never = s.never || !isTrue(n)
			continue
		case n.Kind != source.Mapping:
			s.dead = true
			continue
		}
		if ref := reference(n); ref != nil {
			if !isLocal(ref) {
				s.external = true
			} else if target := d.tree.target(ref); target != nil {
				schemas = append(schemas, target)
			} else {
				s.dead = true
			}
			if len(n.Fields) > 1 && !d.draft2020 {
				s.aside = append(s.aside, n)
			}
			if len(n.Fields) == 1 || !d.draft2020 {
				continue
			}
		}
		s.parts = append(s.parts, n)
		if all := n.Get("allOf"); all != nil {
			schemas = append(schemas, all.Items...)
		}
	}
	return s
}

// Node is where the schema is written, references followed; where there is none,
// or its reference leads to nothing, it is what should have one.
func (s *Schema) Node() *source.Node {
	if len(s.parts) > 0 {
		return s.parts[0]
	}
	return s.at
}

// External says that a part of the schema lies outside the file. What it is
// silent about may be said there.
func (s *Schema) External() bool { return s.external }

// each calls a function with each value that the schema has for a keyword.
func (s *Schema) each(keyword string, f func(value *source.Node)) {
	for _, part := range s.parts {
		if value := part.Get(keyword); value != nil {
			f(value)
		}
	}
}

// Property is the schema of a declared property. One that several parts of an
// allOf declare must fit all of them.
func (s *Schema) Property(name string) (p *Schema, found bool) {
	var schemas []*source.Node
	at := s.at
	s.each("properties", func(properties *source.Node) {
		if f, ok := properties.Field(name); ok {
			schemas = append(schemas, f.Value)
			if len(schemas) == 1 {
				at = f.Value
			}
		}
	})
	if len(schemas) == 0 {
		return nil, false
	}
	return s.of.schema(at, schemas...), true
}

// PropertyNames are the names of the declared properties, each once.
func (s *Schema) PropertyNames() []string {
	var names []string
	seen := map[string]bool{}
	s.each("properties", func(properties *source.Node) {
		for _, f := range properties.Fields {
			if !seen[f.Key.Value] {
				seen[f.Key.Value] = true
				names = append(names, f.Key.Value)
			}
		}
	})
	return names
}

// Required are the names of the properties that a request must have, each once. A
// readOnly property is not among them (OpenAPI 3.0.4, section 4.7.24), nor is one
// of which that is not known because its schema lies outside the file.
func (s *Schema) Required() []string {
	var names []string
	seen := map[string]bool{}
	s.each("required", func(list *source.Node) {
		for _, item := range list.Items {
			if !isText(item) || seen[item.Value] {
				continue
			}
			seen[item.Value] = true
			if p, found := s.Property(item.Value); found && (p.external || p.readOnly()) {
				continue
			}
			names = append(names, item.Value)
		}
	})
	return names
}

// readOnly says whether the schema calls itself that, or may be meant to.
func (s *Schema) readOnly() bool { return s.mayBe("readOnly") }

// mayBe says whether a keyword is true, if only beside a $ref.
func (s *Schema) mayBe(keyword string) bool {
	says := func(part *source.Node) bool { return isTrue(part.Get(keyword)) }
	return slices.ContainsFunc(s.parts, says) || slices.ContainsFunc(s.aside, says)
}

// Enumerable says that the properties that a value can have are all declared: a
// name that is none of them is certainly wrong. It is so of a schema that
// declares properties, or whose values are no maps, or that takes no others by
// additionalProperties: false; and not where alternatives, patterns,
// additionalProperties, a $ref to outside the file or a dead one may bring in
// more.
func (s *Schema) Enumerable() bool {
	if s.external || s.dead || slices.ContainsFunc(s.aside, declares) {
		return false
	}
	closed := false
	for _, part := range s.parts {
		for _, f := range part.Fields {
			switch f.Key.Value {
			case "oneOf", "anyOf", "if", "then", "else", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef":
				return false
			case "patternProperties":
				if len(f.Value.Fields) > 0 {
					return false
				}
			case "properties":
				if reference(f.Value) != nil {
					return false
				}
			case "additionalProperties", "unevaluatedProperties":
				if f.Value.Kind != source.Bool || isTrue(f.Value) {
					return false
				}
				closed = true
			}
		}
	}
	types := s.Types()
	return closed || len(s.PropertyNames()) > 0 || len(types) > 0 && !slices.Contains(types, "object")
}

// declares says whether a mapping has a keyword that may bring in properties.
func declares(part *source.Node) bool {
	return slices.ContainsFunc(part.Fields, func(f source.Field) bool {
		switch f.Key.Value {
		case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "if":
			return true
		}
		return false
	})
}

// IsObject says that the values are declared to be maps, which they may be by
// their properties alone, too. One that may be null besides is an object.
func (s *Schema) IsObject() bool {
	types := s.Types()
	for _, t := range types {
		if t != "object" && t != "null" {
			return false
		}
	}
	return slices.Contains(types, "object") || len(types) == 0 && len(s.PropertyNames()) > 0
}

// Types are the types that a value may have as JSON Schema names them, null for a
// nullable one included. There are none when none is declared, or none that fits
// all parts of the schema.
func (s *Schema) Types() []string {
	var types []string
	for _, part := range s.parts {
		declared := partTypes(part)
		switch {
		case len(declared) == 0:
		case types == nil:
			types = declared
		default:
			types = common(types, declared)
		}
	}
	return types
}

// partTypes are the types that one part declares; none if it is not certain what
// it declares.
func partTypes(part *source.Node) []string {
	declared := part.Get("type")
	if declared == nil {
		return nil
	}
	items := declared.Items
	if declared.IsScalar() {
		items = []*source.Node{declared}
	}
	var types []string
	for _, item := range items {
		if _, known := typeNames[item.Value]; !known {
			return nil
		}
		types = append(types, item.Value) // null need not be quoted for that
	}
	if isTrue(part.Get("nullable")) && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types
}

// common are the types that fit both of two lists. An integer is a number.
func common(a, b []string) []string {
	both := []string{}
	for _, t := range a {
		switch {
		case slices.Contains(b, t):
			both = append(both, t)
		case t == "integer" && slices.Contains(b, "number"), t == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}
