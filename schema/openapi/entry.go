package openapi

import (
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// An entry is one field of a mapping that was found in the text and not parsed.
type entry struct {
	name   string // the key, unescaped
	around *entry // the entry whose value the mapping is; nil for the document itself
	// part is where the entry is written. Its depth is 0 for the document.
	part   source.Part
	colon  int // the offset of the colon behind the key; for the document, where it begins less one
	column int // of the key, in a block mapping; -1 for the document
}

// document is the entry that stands for a whole text.
func document(text string) *entry {
	return &entry{
		part:   source.Part{End: len(text), Open: -1},
		colon:  len(text) - len(strings.TrimPrefix(text, "\uFEFF")) - 1,
		column: -1,
	}
}

// A scan finds the fields of the mapping that an entry has for a value, without
// a look at what lies deeper than need be. It is not ok when the value is no
// mapping, or one of which the scan is not certain that source.Parse finds the
// very same fields in it: it is then parsed. Of fields with one name, the first
// counts, as it does for source.Parse.
type scan func(file *source.File, e *entry) (fields []*entry, ok bool)

// unescaped is the value of the quoted key between two offsets.
func unescaped(file *source.File, start, end int) (string, bool) {
	inner := file.Text[start+1 : end-1]
	if strings.IndexByte(inner, '\\') < 0 && strings.IndexByte(inner, '\'') < 0 {
		return inner, true
	}
	key, faults := file.ParseKey(start, end, source.Descriptions)
	if len(faults) > 0 {
		return "", false
	}
	return key.Value, true
}

// path is the names of the keys from the top of the document to the entry.
func (e *entry) path() []string {
	if e.around == nil {
		return nil
	}
	return append(e.around.path(), e.name)
}
