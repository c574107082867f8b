package openapi

import (
	"maps"

	"github.com/gete-lint/gete/schema/source"
)

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
	before := len(a.refs)
	reached := map[*source.Node]bool{} // by references; below a node there are no loops
	for len(schemas) > 0 {
		n := schemas[len(schemas)-1]
		schemas = schemas[:len(schemas)-1]
		if n == nil {
			continue
		}
		if ref := reference(n); ref != nil {
			if !isLocal(ref) {
				a.add(ref)
			} else if target := d.tree.target(ref); !reached[target] && !d.local[target] {
				reached[target] = true
				schemas = append(schemas, target)
			}
			if !d.draft2020 {
				continue // its siblings are ignored
			}
		}
		schemas = appendSubschemas(schemas, n)
	}
	if len(a.refs) == before && !d.tree.hasFailed() {
		maps.Copy(d.local, reached)
	}
}

// appendSubschemas appends the schemas that a schema is made of. What its examples,
// defaults and extensions hold are none.
func appendSubschemas(below []*source.Node, n *source.Node) []*source.Node {
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
