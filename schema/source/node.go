package source

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind is what a node is under YAML 1.2's core schema (section 10.3).
type Kind uint8

// The kinds of node.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Sequence
	Mapping
)

// String names the kind as messages do.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "an integer", "a number", "a string", "a list", "a map"}[k]
}

// A Style is how a node is written.
type Style uint8

// The styles. Implicit is a node that the text leaves out: the value of a key
// with nothing behind it, an item that is a lone dash.
const (
	Implicit Style = iota
	Plain
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
	Block
	Flow
)

// A Node is a key, a value or an item. The tree it is part of has no aliases
// any more: what an alias stands for is a copy whose place is the alias, and
// whose Origin is what was copied. Merge keys are done, too.
type Node struct {
	Kind  Kind
	Style Style
	// Value is a scalar's text, unescaped and unfolded.
	Value string
	// Items are a sequence's.
	Items []*Node
	// Fields are a mapping's, each key once, those that merge keys bring in
	// behind the others.
	Fields []Field

	// Start and End are byte offsets in File.Text, without anchor and tag.
	Start, End int
	File       *File
	// Parent is the collection that the node is in; nil for the root.
	Parent *Node
	// Key is the key whose value the node is; nil for keys, items, the root.
	Key *Node
	// Origin is the node that an alias copied here, where it is written.
	Origin *Node
	// Anchor is the span of the node's anchor, & included; empty without one.
	Anchor struct{ Start, End int }

	index  int  // among Parent's items
	isKey  bool // the node is the key of one of Parent's fields
	merge  bool // a plain << key
	height int  // how many levels of collections the node has, itself included
	size   int  // how many nodes it is, itself included
}

// A Field is one key of a mapping with its value.
type Field struct {
	Key, Value *Node
}

// Span is where the node is written.
func (n *Node) Span() Span { return n.File.Span(n.Start, n.End) }

// IsScalar tells a scalar from a collection.
func (n *Node) IsScalar() bool { return n.Kind < Sequence }

// IsKey tells the key of a field from values and items.
func (n *Node) IsKey() bool { return n.isKey }

// Field is the field of a mapping with that key. Other kinds have none.
func (n *Node) Field(key string) (Field, bool) {
	for _, f := range n.Fields {
		if f.Key.Value == key {
			return f, true
		}
	}
	return Field{}, false
}

// Get is the value of a mapping's key, or nil.
func (n *Node) Get(key string) *Node {
	f, _ := n.Field(key)
	return f.Value
}

// Owner is the key that owns the node: its own, or that of the nearest
// collection around it; nil where there is none up to the root.
func (n *Node) Owner() *Node {
	for ; n != nil; n = n.Parent {
		if n.Key != nil {
			return n.Key
		}
	}
	return nil
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer is the RFC 6901 JSON Pointer of the node; a key has its value's.
func (n *Node) Pointer() string {
	var tokens []string
	for ; n.Parent != nil; n = n.Parent {
		switch {
		case n.isKey:
			tokens = append(tokens, pointerEscapes.Replace(n.Value))
		case n.Key != nil:
			tokens = append(tokens, pointerEscapes.Replace(n.Key.Value))
		default:
			tokens = append(tokens, strconv.Itoa(n.index))
		}
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(tokens[i])
	}
	return b.String()
}

// writtenRunes is how much of a value a message quotes.
const writtenRunes = 60

// Written is a scalar as the file spells it; of a block scalar it is the text,
// and a collection is only named by its kind.
func (n *Node) Written() string {
	origin := n
	for origin.Origin != nil {
		origin = origin.Origin
	}
	switch {
	case !n.IsScalar():
		return n.Kind.String()
	case origin.Style == Implicit:
		return "nothing"
	case origin.Style == Literal || origin.Style == Folded:
		return n.Value
	}
	return origin.File.Text[origin.Start:origin.End]
}

// Printable makes a text fit for one line of a message: control and other
// invisible characters are escaped, and what is too long is cut.
func Printable(s string) string {
	var b strings.Builder
	runes := 0
	for i, r := range s {
		if runes++; runes > writtenRunes {
			b.WriteString("…")
			break
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				b.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
				continue
			}
		}
		if r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRuneToASCII(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}

// At is the innermost node that is written around a byte offset, or ends there; nil
// where there is none. What an alias brings is no part of the alias.
func (f *File) At(offset int) *Node {
	if f.Root == nil || !f.Root.isAround(offset) {
		return nil
	}
	n := f.Root
	for {
		inner := n.partAround(offset)
		if inner == nil {
			return n
		}
		n = inner
	}
}

func (n *Node) isAround(offset int) bool {
	return n.Style != Implicit && n.Start <= offset && offset <= n.End
}

// partAround is the key, value or item of a collection that is around a byte offset.
func (n *Node) partAround(offset int) *Node {
	if n.Origin != nil {
		return nil
	}
	for _, item := range n.Items {
		if item.isAround(offset) {
			return item
		}
	}
	for _, f := range n.Fields {
		switch {
		case f.Key.isAround(offset):
			return f.Key
		case f.Value.isAround(offset):
			return f.Value
		}
	}
	return nil
}
