package schema

import (
	"slices"
	"sort"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

// A scope is what the schema says of one node, and how the node compares.
type scope struct {
	schemas []*jsonschema.Schema // that apply to the node itself
	keys    []string             // that it may have as a mapping, sorted; none where it is free
	present map[string]*source.Node
}

// scope is the scope of a node. Those of collections are kept, for the many
// nodes that may lie in one.
func (c *checker) scope(n *source.Node) *scope {
	if known := c.scopes[n]; known != nil {
		return known
	}
	s := &scope{present: map[string]*source.Node{}}
	if n.Parent == nil {
		s.schemas = expand(n, c.schema)
	} else {
		for _, around := range c.scope(n.Parent).schemas {
			if sub := step(around, n); sub != nil {
				s.schemas = append(s.schemas, expand(n, sub)...)
			}
		}
	}
	if n.IsScalar() {
		return s
	}
	for _, sub := range s.schemas {
		s.keys = append(s.keys, schemaKeys(sub)...)
	}
	sort.Strings(s.keys)
	if len(s.keys) > 0 {
		for _, f := range n.Fields {
			if slices.Contains(s.keys, f.Key.Value) {
				s.present[f.Key.Value] = f.Value
			}
		}
	}
	c.scopes[n] = s
	return s
}

// property is the schema for the value of a mapping's key, or nil.
func (c *checker) property(mapping *source.Node, key string) *jsonschema.Schema {
	for _, s := range c.scope(mapping).schemas {
		if sub := s.Properties[key]; sub != nil {
			return sub
		}
	}
	return nil
}

// step is the schema of a value or item in what s describes.
func step(s *jsonschema.Schema, n *source.Node) *jsonschema.Schema {
	if n.Key == nil {
		return s.Items2020
	}
	return property(s, n.Key.Value)
}

// property is what s says of the value of a key.
func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	if sub := s.Properties[key]; sub != nil {
		return sub
	}
	for pattern, sub := range s.PatternProperties {
		if pattern.MatchString(key) {
			return sub
		}
	}
	sub, _ := s.AdditionalProperties.(*jsonschema.Schema)
	return sub
}

// expand is a schema and all that it applies to the same node. Only keywords
// that the schemas of this package use are followed.
func expand(n *source.Node, s *jsonschema.Schema) []*jsonschema.Schema {
	found := []*jsonschema.Schema{s}
	if s.Ref != nil {
		found = append(found, expand(n, s.Ref)...)
	}
	for _, sub := range s.AllOf {
		found = append(found, expand(n, sub)...)
	}
	if s.If != nil && s.If.Types != nil {
		branch := s.Else
		if slices.Contains(s.If.Types.ToStrings(), jsonType(n)) {
			branch = s.Then
		}
		if branch != nil {
			found = append(found, expand(n, branch)...)
		}
	}
	return found
}

func jsonType(n *source.Node) string {
	return [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}[n.Kind]
}

// find is the first schema of a node that has a property.
func (c *checker) find(n *source.Node, has func(*jsonschema.Schema) bool) *jsonschema.Schema {
	for _, s := range c.scope(n).schemas {
		if has(s) {
			return s
		}
	}
	return nil
}

func schemaKeys(s *jsonschema.Schema) []string {
	var keys []string
	for key := range s.Properties {
		keys = append(keys, key)
	}
	return keys
}

// isChoice says whether a mapping takes exactly one of its keys.
func (c *checker) isChoice(mapping *source.Node) bool {
	return c.find(mapping, func(s *jsonschema.Schema) bool { return s.MaxProperties != nil }) != nil
}

// mapKeys are the keys that the value of a mapping's key may have as a map.
func (c *checker) mapKeys(mapping *source.Node, key string) []string {
	s := c.property(mapping, key)
	if s == nil {
		return nil
	}
	var keys []string
	for _, sub := range expand(&source.Node{Kind: source.Mapping}, s) {
		keys = append(keys, schemaKeys(sub)...)
	}
	return keys
}

// place names a node in a message.
func place(n *source.Node) string {
	switch owner := n.Owner(); {
	case n.Key != nil:
		return "`" + redact.Name(n.Key.Value) + "`"
	case owner != nil:
		return "an item of `" + redact.Name(owner.Value) + "`"
	case n.Parent != nil:
		return "an item"
	}
	return "the document"
}

// outer is the mapping around a mapping.
func outer(mapping *source.Node) *source.Node {
	for n := mapping.Parent; n != nil; n = n.Parent {
		if n.Kind == source.Mapping {
			return n
		}
	}
	return nil
}

// lacks says whether a mapping may have a key and does not.
func (c *checker) lacks(mapping *source.Node, key string) bool {
	in := c.scope(mapping)
	return slices.Contains(in.keys, key) && in.present[key] == nil && c.shape.Claimed(mapping, key) == nil
}
