// Package source reads the text of a declaration, YAML 1.2 or JSON, into a
// tree of nodes that know exactly where they are written.
//
// It has a scanner and a parser of its own because positions are what a linter
// is for. goccy/go-yaml, the library it was first meant to correct, reports
// positions that are wrong in a dozen ways, takes quadratic time on large maps,
// refuses valid YAML and accepts invalid; the tests hold this package to the
// YAML test suite and compare it with that library where the library is right.
package source

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNotText is what CheckText wraps: the bytes are not UTF-8 text.
var ErrNotText = errors.New("not UTF-8 text")

// CheckText says whether bytes can be parsed at all. The error, which wraps
// ErrNotText, says what is in the way.
func CheckText(text []byte) error {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if strings.HasPrefix(string(text[:min(2, len(text))]), mark) {
			return fmt.Errorf("%w, but UTF-16", ErrNotText)
		}
	}
	if utf8.Valid(text) {
		return nil
	}
	for offset := 0; ; {
		r, size := utf8.DecodeRune(text[offset:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Errorf("%w: byte %d is 0x%02x", ErrNotText, offset+1, text[offset])
		}
		offset += size
	}
}

// Parse reads a text that CheckText accepts. It never fails as a whole: what is
// wrong with the text is in the file's Faults.
func Parse(path, text string, limits Limits) *File {
	f := &File{Path: path, Text: text}
	p := &parser{scanner: newScanner(text, limits), file: f, limits: limits, anchors: map[string]*anchor{}}
	f.read(func() {
		p.checkCharacters()
		p.document()
	})
	f.Comments = p.scanner.comments
	return f
}

type parser struct {
	scanner *scanner
	file    *File
	limits  Limits
	nodes   int // how many there are so far
	depth   int // how many collections are open
	slab    slab
	anchors map[string]*anchor
	tags    map[string]string // what %TAG lines say of the handles
}

// An anchor is a name for a node. While the node is not complete, node is nil.
type anchor struct {
	node *Node
}

// read runs a function of the file's parser, and keeps the fault that ends it.
func (f *File) read(parse func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bailout:
			f.Root = nil
			r.fault.End = min(r.fault.End, len(f.Text)) // it may be about the end
			f.Faults = append(f.Faults, r.fault)
		default:
			panic(r)
		}
	}()
	parse()
}

// checkCharacters refuses what YAML does not allow in a text at all (YAML
// 1.2.2, section 5.1).
func (p *parser) checkCharacters() {
	text := p.file.Text
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < ' ' || r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff {
			fail(i, i+size, fmt.Sprintf("the control character U+%04X cannot stand in YAML", r), "remove it, or write it as an escape in double quotes")
		}
		i += size - 1
	}
}

// document reads the first document, and reports a second.
func (p *parser) document() {
	p.directives()
	p.accept(documentStart)
	p.file.Root = p.node(blockNode, 0)
	ended := false
	for p.accept(documentEnd) {
		ended = true
	}
	switch t := p.scanner.peek(); {
	case t.kind == streamEnd:
	case ended || t.kind == documentStart:
		p.secondDocument()
	default:
		p.unexpected(*t)
	}
}

// secondDocument reports the document that the parser has come to. It is not
// read: which of the two is meant, only the author can say.
func (p *parser) secondDocument() {
	p.directives()
	t := p.scanner.peek()
	p.file.Faults = append(p.file.Faults, Fault{
		Code: Documents, Start: t.start, End: min(max(t.end, t.start+1), len(p.file.Text)),
		Message: "a second document begins here, and only the first would be read",
		Help:    "move it to a file of its own",
	})
	if p.file.Root.Style == Implicit {
		p.file.Root = nil // the first is empty: there is nothing to judge
	}
}

// directives reads the lines that begin with %.
func (p *parser) directives() {
	found, version := false, false
	for p.scanner.peek().kind == directive {
		found = true
		t := p.scanner.next()
		words := strings.Fields(t.value)
		switch {
		case words[0] == "%YAML":
			minor, ok := strings.CutPrefix(strings.Join(words[1:], " "), "1.")
			if version || !ok || !all(minor, isDigit) {
				fail(t.start, t.end, "gete reads YAML 1.2", "write %YAML 1.2 once, or leave the line out")
			}
			version = true
		case words[0] == "%TAG" && len(words) == 3:
			if p.tags == nil {
				p.tags = map[string]string{}
			}
			p.tags[words[1]] = words[2]
		}
	}
	if t := p.scanner.peek(); found && t.kind != documentStart {
		fail(t.start, max(t.end, t.start), "a --- must stand between the directives and the document", "write --- on a line of its own")
	}
}

// accept takes the next token if it is of the kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.scanner.peek().kind != kind {
		return false
	}
	p.scanner.next()
	return true
}

// A context is where a node stands, which decides what it may be.
type context uint8

const (
	flowNode   context = iota // inside brackets
	blockNode                 // anything
	blockValue                // the value of a block mapping: its list may be indented as its key is
)

// properties are what may stand before a node's content.
type properties struct {
	anchor, tag token
	open        *anchor
	end         int // where they end; 0 without any
}

// node reads one node. at is where it would be if the text leaves it out.
func (p *parser) node(c context, at int) *Node {
	if p.scanner.peek().kind == aliasToken {
		return p.alias(p.scanner.next())
	}
	props := p.properties()
	if props.end > 0 {
		at = props.end
		if t := p.scanner.peek(); t.kind == aliasToken {
			fail(t.start, t.end, "an alias takes neither an anchor nor a tag", "remove what stands before it")
		}
	}
	n := p.content(c, at)
	if props.open != nil {
		n.Anchor.Start, n.Anchor.End = props.anchor.start, props.anchor.end
		props.open.node = n
	}
	if props.tag.value != "" {
		p.applyTag(n, props.tag)
	}
	return n
}

func (p *parser) properties() (props properties) {
	for {
		switch t := p.scanner.peek(); {
		case t.kind == anchorToken && props.open == nil:
			props.anchor = p.scanner.next()
			props.open = &anchor{}
			p.anchors[props.anchor.value] = props.open
			props.end = props.anchor.end
		case t.kind == tagToken && props.tag.value == "":
			props.tag = p.scanner.next()
			props.end = props.tag.end
		default:
			return props
		}
	}
}

func (p *parser) content(c context, at int) *Node {
	switch t := p.scanner.peek(); t.kind {
	case scalarToken:
		return p.scalar(p.scanner.next())
	case flowSequenceStart:
		return p.nested(p.flowSequence)
	case flowMappingStart:
		return p.nested(p.flowMapping)
	case blockSequenceStart:
		if c != flowNode {
			return p.nested(p.blockSequence)
		}
	case blockMappingStart:
		if c != flowNode {
			return p.nested(p.blockMapping)
		}
	case blockEntry:
		if c == blockValue {
			return p.nested(p.indentlessSequence)
		}
	}
	return p.newNode(Null, Implicit, at, at)
}

// nested reads a collection one level deeper.
func (p *parser) nested(read func() *Node) *Node {
	p.depth++
	n := read()
	p.depth--
	return n
}

func (p *parser) newNode(kind Kind, style Style, start, end int) *Node {
	p.spend(1, start, end)
	n := p.slab.new()
	*n = Node{Kind: kind, Style: style, Start: start, End: end, File: p.file, size: 1}
	return n
}

// A slab hands out nodes from blocks of them, which costs far less than to
// allocate each on its own.
type slab struct{ free []Node }

func (s *slab) new() *Node {
	const block = 64
	if len(s.free) == 0 {
		s.free = make([]Node, block)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

// spend takes from the budget of nodes.
func (p *parser) spend(nodes, start, end int) {
	if p.nodes += nodes; p.nodes > p.limits.Nodes {
		fail(start, max(end, start), fmt.Sprintf("the file goes over the limit of %d keys, values and items here, aliases followed", p.limits.Nodes), "split it, or take away aliases")
	}
}

func (p *parser) scalar(t token) *Node {
	kind := String
	if t.style == Plain {
		kind = resolve(t.value)
	}
	n := p.newNode(kind, t.style, t.start, t.end)
	n.Value = t.value
	return n
}

// unexpected ends the parse at a token that does not belong where it stands.
func (p *parser) unexpected(t token) {
	start, end := t.start, max(t.end, t.start)
	switch t.kind {
	case keyToken, blockMappingStart, blockSequenceStart:
		fail(start, end+1, "the indentation of this line fits nothing around it", "indent it as the lines that it belongs to")
	case blockEntry:
		fail(start, end, "a list item cannot stand here", "indent it as the list that it belongs to")
	case valueToken:
		fail(start, end, "a \": \" inside a value that is not quoted", "quote the value, or begin the key on a line of its own")
	case flowEntry:
		fail(start, end, "nothing stands between this comma and what is before it", "remove the comma")
	}
	if p.scanner.text[start:end] == "" {
		fail(start, end, "the text ends in the middle of a value", "complete it")
	}
	fail(start, end, "the value before this has ended already", "quote the whole value, or begin a new line")
}
