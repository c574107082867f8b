package schema

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/schema/source"
)

// A Key is one that a mapping may have.
type Key struct {
	Name        string
	Description string // in Markdown; may be empty
	Required    bool
	// Nests says that the value is a map or a list and nothing else.
	Nests bool
}

// scopesOf looks up what the schema of a kind says of single nodes.
func scopesOf(k Kind) *checker {
	return &checker{schema: compiled[k](), scopes: map[*source.Node]*scope{}}
}

// Keys are the keys that a mapping of a document may have beside those that it has, in
// order. A map that takes one of several has no place for another.
func Keys(k Kind, mapping *source.Node) []Key {
	c := scopesOf(k)
	in := c.scope(mapping)
	if c.isChoice(mapping) && len(in.present) > 0 {
		return nil
	}
	var keys []Key
	for _, name := range slices.Compact(slices.Clone(in.keys)) {
		if in.present[name] != nil {
			continue
		}
		key := Key{Name: name}
		for _, s := range in.schemas {
			key.Required = key.Required || slices.Contains(s.Required, name)
		}
		// As whatever its value is meant to be.
		schemas := expand(&source.Node{Kind: source.Mapping}, c.property(mapping, name))
		key.Description = description(schemas)
		key.Nests = nests(schemas)
		keys = append(keys, key)
	}
	return keys
}

// Describe is what the schema of a kind says for people of a value of a document; empty
// where it says nothing.
func Describe(k Kind, n *source.Node) string { return description(scopesOf(k).scope(n).schemas) }

// Values are the values that a scalar of a document may have, where they are few and
// known.
func Values(k Kind, n *source.Node) []string {
	var values []string
	for _, s := range scopesOf(k).scope(n).schemas {
		if s.Const != nil {
			values = append(values, fmt.Sprint(*s.Const))
		}
		if s.Enum != nil {
			for _, v := range s.Enum.Values {
				values = append(values, fmt.Sprint(v))
			}
		}
		if s.Types != nil && slices.Equal(s.Types.ToStrings(), []string{"boolean"}) {
			values = append(values, "true", "false")
		}
	}
	return values
}

func description(schemas []*jsonschema.Schema) string {
	for _, s := range schemas {
		if s.Description != "" {
			return s.Description
		}
	}
	return ""
}

func nests(schemas []*jsonschema.Schema) bool {
	for _, s := range schemas {
		if s.Types == nil {
			continue
		}
		for _, name := range s.Types.ToStrings() {
			if name != "object" && name != "array" {
				return false
			}
		}
		return true
	}
	return false
}
