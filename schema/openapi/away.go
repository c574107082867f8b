package openapi

import "github.com/gete-lint/gete/schema/source"

// away collects $refs that lead outside the file.
type away struct {
	refs []*source.Node
}

// add notes a $ref, once. What an alias brings in has the place of the alias, so
// two that differ may share one.
func (a *away) add(ref *source.Node) {
	for _, r := range a.refs {
		if r.Start == ref.Start && r.Value == ref.Value {
			return
		}
	}
	a.refs = append(a.refs, ref)
}

// schemas notes what some schemas lead to, at any depth. Whatever a Schema of them
// may come to was parsed then, and is known not to be broken.
func (a *away) schemas(d *Description, schemas []*source.Node) {
	seen := map[*source.Node]bool{}
	for len(schemas) > 0 {
		n := schemas[0]
		schemas = schemas[1:]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		if ref := reference(n); ref != nil {
			if isLocal(ref) {
				schemas = append(schemas, d.tree.target(ref))
			} else {
				a.add(ref)
			}
			if !d.draft2020 {
				continue // its siblings are ignored
			}
		}
		schemas = append(schemas, subschemas(n)...)
	}
}

// subschemas are the schemas that a schema is made of, in the order of the text.
// What its examples, defaults and extensions hold are none.
func subschemas(n *source.Node) (below []*source.Node) {
	for _, f := range n.Fields {
		switch f.Key.Value {
		case "properties", "patternProperties", "dependentSchemas":
			for _, p := range f.Value.Fields {
				below = append(below, p.Value)
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			below = append(below, f.Value.Items...)
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
			"unevaluatedItems", "unevaluatedProperties", "contentSchema":
			below = append(below, f.Value)
		}
	}
	return below
}
