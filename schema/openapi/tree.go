package openapi

import (
	"strings"
	"sync"

	"github.com/gete-lint/gete/schema/source"
)

// A tree is the text of a description as a tree of nodes, of which only those
// are parsed that somebody asks for. A scan finds where the fields of the upper
// mappings are; a mapping that it is not certain of is parsed, and so is the
// whole text when that is the document or when a part turns out not to be
// readable alone. What the tree holds is the same either way. It may be used
// concurrently.
type tree struct {
	file *source.File
	top  place

	mu       sync.Mutex
	scan     scan                    // nil when the whole text was parsed, or is to be
	root     *source.Node            // of the whole parse
	broken   *Invalid                // why the whole parse failed
	failed   bool                    // something that was asked for is broken
	parts    map[*entry]*source.Node // the values that were parsed alone
	mappings map[any]*mapping        // the fields of an *entry or a *source.Node
	pointers map[string]*source.Node // what they lead to, nil for nothing
}

// A place is somewhere in the tree, where either an entry was found or a node
// was parsed. At the zero place there is nothing.
type place struct {
	entry *entry
	node  *source.Node
}

// A field is one field of a mapping in the tree.
type field struct {
	name  string
	value place
}

// A mapping is the fields of one. Each name is there once.
type mapping struct {
	fields []field
	index  map[string]int
}

func newMapping(fields []field) *mapping {
	m := &mapping{fields: fields, index: make(map[string]int, len(fields))}
	for i, f := range fields {
		m.index[f.name] = i
	}
	return m
}

func (m *mapping) get(name string) (place, bool) {
	i, ok := m.index[name]
	if !ok {
		return place{}, false
	}
	return m.fields[i].value, true
}

// try runs a function, and is why the text is broken if the function asked for
// something that is. Two are not to be tried at a time.
func (t *tree) try(f func()) *Invalid {
	t.mu.Lock()
	t.failed = false
	t.mu.Unlock()
	f()
	if t.hasFailed() {
		return t.broken
	}
	return nil
}

// hasFailed says whether something that was asked for in the current try is broken.
func (t *tree) hasFailed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// newTree is the tree of a text that source.CheckText takes.
func newTree(path, text string) *tree {
	t := &tree{
		parts: map[*entry]*source.Node{}, mappings: map[any]*mapping{}, pointers: map[string]*source.Node{},
	}
	document := document(text)
	switch rest := strings.TrimLeft(text[document.colon+1:], " \t\r\n"); {
	case strings.HasPrefix(rest, "{"):
		t.scan = scanJSON
	case !hasLoneReturns(text):
		t.scan = scanYAML
	}
	t.file = source.Unparsed(path, text)
	t.top = place{entry: document}
	return t
}

// fields are those of the mapping at a place, in the order of the text; none if
// it is no mapping.
func (t *tree) fields(p place) []field {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.mapping(p).fields
}

// get is a field of the mapping at a place.
func (t *tree) get(p place, name string) (place, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.mapping(p).get(name)
}

// node is what is written at a place, or nil when the text is broken there.
func (t *tree) node(p place) *source.Node {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.parse(p)
}

// key is the key whose value is at a place.
func (t *tree) key(p place) *source.Node {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.entry != nil && t.scan != nil {
		key, faults := t.file.ParseKey(p.entry.part.Start, p.entry.colon+1, source.Descriptions)
		if fatal(faults) == nil {
			return key
		}
	}
	n := t.parse(p)
	if n == nil {
		return nil
	}
	return n.Key
}

// scalar is the text of a scalar; null has none.
func (t *tree) scalar(p place) (string, bool) {
	if p.entry != nil {
		if text, ok := plainly(t.file.Text[p.entry.colon+1 : p.entry.part.End]); ok {
			return text, true
		}
	}
	n := t.node(p)
	if !isText(n) {
		return "", false
	}
	return n.Value, true
}

// plainly is the text of a value that is a scalar as most are: it need not be
// parsed.
func plainly(written string) (text string, ok bool) {
	written = strings.Trim(written, " \t\r\n")
	if len(written) < 2 {
		return "", false
	}
	inner := written[1 : len(written)-1]
	if c := written[0]; (c == '"' || c == '\'') && c == written[len(written)-1] {
		return inner, !strings.ContainsAny(inner, "\"'\\\r\n")
	}
	for i, r := range written {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789-_./", r)) {
			return "", false
		}
	}
	return written, !strings.EqualFold(written, "null")
}

func (t *tree) mapping(p place) *mapping {
	var at any = p.entry
	if p.node != nil {
		at = p.node
	}
	if m := t.mappings[at]; m != nil {
		return m
	}
	fields, ok := t.find(p)
	m := newMapping(fields)
	if ok {
		t.mappings[at] = m
	}
	return m
}

// find finds the fields of the mapping at a place; not ok when it is broken.
func (t *tree) find(p place) (fields []field, ok bool) {
	if p.entry != nil && t.scan != nil {
		if entries, ok := t.scan(t.file, p.entry); ok {
			for _, e := range entries {
				fields = append(fields, field{e.name, place{entry: e}})
			}
			return fields, true
		}
	}
	n := t.parse(p)
	if n == nil {
		return nil, false
	}
	for _, f := range n.Fields {
		fields = append(fields, field{f.Key.Value, place{node: f.Value}})
	}
	return fields, true
}

func (t *tree) parse(p place) *source.Node {
	if p.node != nil {
		return p.node
	}
	if p.entry == nil {
		return nil
	}
	if n := t.parts[p.entry]; n != nil {
		return n
	}
	if t.scan != nil && p != t.top {
		f, faults := t.file.ParsePart(p.entry.part, source.Descriptions)
		if fatal(faults) == nil {
			t.parts[p.entry] = f.Value
			return f.Value
		}
	}
	n := t.whole()
	if n == nil {
		t.failed = true
		return nil
	}
	for _, name := range p.entry.path() {
		if n = n.Get(name); n == nil {
			return nil
		}
	}
	return n
}

// whole parses the whole text, once. If it is broken, what can be read alone is
// still read alone.
func (t *tree) whole() *source.Node {
	if t.root != nil || t.broken != nil {
		return t.root
	}
	file := source.Parse(t.file.Path, t.file.Text, source.Descriptions)
	if fault := fatal(file.Faults); fault != nil {
		t.broken = t.invalid(fault)
		return nil
	}
	t.root, t.scan = file.Root, nil
	return t.root
}
