package schema

import (
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// A Code says what kind of fault a violation is.
type Code uint8

// The codes, each for one rule of the linter.
const (
	UnknownKey Code = iota
	MissingKey
	OneOf
	Type
	Empty
	Duplicate
	Value
)

// A Violation is one fault of shape.
type Violation struct {
	Code    Code
	Node    *source.Node // the token that is wrong
	Message string
	Label   string
	Help    string
	Related *source.Node // the other place involved; may be nil
	Note    string       // what that other place is
	// Meant is what the node is likely meant to be.
	Meant suggest.Match
	// Unquoted says that the node is a scalar that would be a string, as it must,
	// in quotes.
	Unquoted bool
}

// A Shape is what the schema says of a document.
type Shape struct {
	Violations []Violation

	refused map[*source.Node]bool
	faulty  map[*source.Node]bool
	unknown map[*source.Node]bool
	claims  map[claim]*source.Node
}

type claim struct {
	mapping *source.Node
	key     string
}

// Refused says whether a violation was found on the value itself, so that no
// rule may speak about it any more.
func (s *Shape) Refused(value *source.Node) bool { return s.refused[value] }

// Faulty says whether a violation was found on the node or anywhere in it.
func (s *Shape) Faulty(n *source.Node) bool { return s.faulty[n] || s.refused[n] }

// Unknown says whether a key is one that its map does not have.
func (s *Shape) Unknown(key *source.Node) bool { return s.unknown[key] }

// Claimed is the key that counts as another one that its mapping lacks: a
// misspelt one, a synonym, or one that stands on the wrong level. It is nil
// where there is none.
func (s *Shape) Claimed(mapping *source.Node, key string) *source.Node {
	return s.claims[claim{mapping, key}]
}
