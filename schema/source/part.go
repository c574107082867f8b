package source

import "strings"

// Descriptions are the limits for descriptions of vendors' APIs, which programs
// write and which may be large. A file of the largest size, as programs write
// them, has about as many nodes as the limit allows.
var Descriptions = Limits{Bytes: 64 << 20, Depth: 200, Nodes: 4_000_000}

// A Part is where one field of a mapping is written: its key, and all that
// belongs to the value.
type Part struct {
	// Start is where the key begins, and End just past the value, as byte
	// offsets. White space and comments may stand before End.
	Start, End int
	// Open is the offset of the brace around the field, or -1 for a field of a
	// block mapping, before which its line has nothing but spaces.
	Open int
	// Depth is how many collections lie around the field, its mapping included.
	Depth int
}

// Unparsed is a file that ParsePart reads parts of. Its Root is nil, and it has
// a fault when the text holds a character that YAML does not allow.
func Unparsed(path, text string) *File {
	f := &File{Path: path, Text: text}
	f.read(func() { (&parser{file: f}).checkCharacters() })
	return f
}

// ParsePart reads one field of an Unparsed file, and of the text nothing else.
// The nodes are what Parse would make of them, at the same places, but for what
// lies around them: the field is the only one of its mapping, which has no
// parent. An anchor outside the part is not known in it. The faults of the part
// are returned and not put into the file; if one of them ended the parse, the
// field has neither key nor value.
func (f *File) ParsePart(part Part, limits Limits) (Field, []Fault) {
	limits.Depth -= part.Depth - 1
	// The parser has a file of its own, so that f stays as it is for those who
	// read it at the same time.
	own := &File{Path: f.Path, Text: f.Text}
	p := &parser{scanner: newScanner(f.Text[:part.End], limits), file: own, limits: limits, anchors: map[string]*anchor{}}
	// Parts may be many and small: one takes about as many nodes as it needs.
	const most, bytesPerNode = 64, 16
	p.slab.free = make([]Node, min(most, (part.End-part.Start)/bytesPerNode+2))
	var field Field
	own.read(func() {
		n := p.part(part)
		if len(n.Fields) != 1 {
			fail(part.Start, part.End, "one key with its value is expected here", "")
		}
		n.moveTo(f)
		field = n.Fields[0]
	})
	return field, own.Faults
}

// ParseKey reads the key of a field alone, a scalar without anchor and tag that
// begins at start. It reads no further than end, which is just past the colon
// behind a plain key, and past a quoted one. The key is nil when a fault ended the
// parse.
func (f *File) ParseKey(start, end int, limits Limits) (*Node, []Fault) {
	own := &File{Path: f.Path, Text: f.Text}
	p := &parser{scanner: newScanner(f.Text[:end], limits), file: own, limits: limits}
	var key *Node
	own.read(func() {
		s := p.scanner
		s.pos, s.lineStart = start, start
		if c := s.at(start); c == '"' || c == '\'' {
			s.scanQuoted(c)
		} else {
			s.scanPlain()
		}
		n := p.scalar(s.last)
		n.isKey = true
		n.moveTo(f)
		key = n
	})
	return key, own.Faults
}

// part reads the mapping that one field makes.
func (p *parser) part(part Part) *Node {
	s := p.scanner
	s.pos = part.Start
	if part.Open >= 0 {
		s.lineStart = part.Start // columns mean nothing in there
		s.flow = append(s.flow, part.Open)
		s.keys = append(s.keys, possibleKey{})
		n := p.nested(p.pair)
		if rest := strings.TrimLeft(s.text[n.End:], " \t\r\n"); rest != "" {
			start := len(s.text) - len(rest)
			p.unexpected(token{kind: scalarToken, start: start, end: start + 1})
		}
		return n
	}
	s.lineStart = len(strings.TrimRight(s.text[:part.Start], " "))
	n := p.node(blockNode, part.Start)
	if t := s.peek(); t.kind != streamEnd {
		p.unexpected(*t)
	}
	return n
}

// moveTo makes f the file of a node and all in it.
func (n *Node) moveTo(f *File) {
	n.File = f
	for _, item := range n.Items {
		item.moveTo(f)
	}
	for _, field := range n.Fields {
		field.Key.moveTo(f)
		field.Value.moveTo(f)
	}
}
