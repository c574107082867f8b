// Package declaration is a typed view of what a project declares. It is lenient:
// of a file with faults it shows what is sound, and every value keeps the node
// that it was read from.
package declaration

import (
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/source"
)

// A Document is a file that was read, and what its schema says of it.
type Document struct {
	File *source.File
	// Unreadable is why the file could not be read; nil where it could.
	Unreadable error
	// NamedBy is the value that names the file, or nil.
	NamedBy *source.Node

	shape *schema.Shape
}

// Read parses a file's text and holds it against the schema of its kind.
func Read(kind schema.Kind, path, text string) *Document {
	d := &Document{File: source.Parse(path, text, source.Declarations)}
	for _, f := range d.File.Faults {
		if f.Code == source.Syntax {
			d.File.Root = nil // what is left of it may mean anything
		}
	}
	if d.File.Root != nil {
		d.shape = schema.Validate(kind, d.File.Root)
	}
	return d
}

// NotRead is a document whose file could not be read.
func NotRead(path string, why error) *Document {
	return &Document{File: &source.File{Path: path}, Unreadable: why}
}

// Root is the document's root, or nil where the file could not be parsed.
func (d *Document) Root() *source.Node { return d.File.Root }

// Violations are the faults of shape.
func (d *Document) Violations() []schema.Violation {
	if d.shape == nil {
		return nil
	}
	return d.shape.Violations
}

// Refused says whether the schema has refused a value.
func (d *Document) Refused(n *source.Node) bool { return d.shape != nil && d.shape.Refused(n) }

// Faulty says whether the schema has found a fault on a value or inside it.
func (d *Document) Faulty(n *source.Node) bool { return d.shape != nil && d.shape.Faulty(n) }

// Unknown says whether a key is one that its map does not have.
func (d *Document) Unknown(key *source.Node) bool { return d.shape != nil && d.shape.Unknown(key) }

// get is the value of a key that has the right shape, or nil.
func (d *Document) get(mapping *source.Node, key string) *source.Node {
	if mapping == nil || d.Refused(mapping) {
		return nil
	}
	if n := mapping.Get(key); n != nil && !d.Refused(n) {
		return n
	}
	return nil
}

// at follows keys from the root to a value that has the right shape, or nil.
func (d *Document) at(keys ...string) *source.Node {
	n := d.File.Root
	for _, key := range keys {
		n = d.get(n, key)
	}
	return n
}

// States says whether a mapping has a key, in whatever shape, or another that
// counts as it.
func (d *Document) States(mapping *source.Node, key string) bool {
	return mapping.Get(key) != nil || d.shape.Claimed(mapping, key) != nil
}

// items are the items of a list that have the right shape.
func (d *Document) items(list *source.Node) []*source.Node {
	if list == nil {
		return nil
	}
	var sound []*source.Node
	for _, item := range list.Items {
		if !d.Refused(item) {
			sound = append(sound, item)
		}
	}
	return sound
}

// fields are the fields of a map whose values have the right shape.
func (d *Document) fields(mapping *source.Node) []source.Field {
	if mapping == nil {
		return nil
	}
	var sound []source.Field
	for _, f := range mapping.Fields {
		if !d.Refused(f.Value) {
			sound = append(sound, f)
		}
	}
	return sound
}
