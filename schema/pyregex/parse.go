package pyregex

import (
	"errors"
	"strings"
)

// maxDepth is how deep groups may nest. CPython gives up at some 490, where
// its parser meets the recursion limit of the interpreter; that depends on
// the caller, so the bound here is well below it.
const maxDepth = 250

// errTooDeep ends the parse of a pattern whose groups nest too deep.
var errTooDeep = errors.New("groups are nested too deep")

// Parse reads a pattern. The error, if any, is an *Error.
func Parse(pattern string) (*Pattern, error) {
	s, err := newScanner(pattern)
	if err != nil {
		return nil, err
	}
	p := parser{
		scanner: s,
		groups:  make([]group, 1),
		names:   make(map[string]int),
	}
	switch err := p.pattern(); {
	case errors.Is(err, errTooDeep):
		return &Pattern{Undecided: true}, nil
	case err != nil:
		return nil, err
	}
	return &Pattern{Groups: len(p.groups) - 1, Names: p.names}, nil
}

// A parser reads one pattern by recursive descent. It builds no tree: widths
// and groups are all that a verdict needs.
type parser struct {
	scanner
	groups  []group        // by number; group 0 is the whole pattern and never closed
	names   map[string]int // group numbers
	pending []reference    // to groups not opened yet
	flags   flagSet        // of the whole pattern
	verbose bool           // whether the verbose flag holds here
	depth   int            // of the groups around
	// lookBehind is the number of groups opened before the outermost
	// look-behind around, group 0 included; it is 0 outside any.
	lookBehind int
}

// A group is a capturing group. Its width is known once it is closed.
type group struct {
	closed bool
	width  width
}

// A reference is a mention of a group by number.
type reference struct {
	group  int
	offset int
}

// An item is what a quantifier can follow.
type item struct {
	kind  itemKind
	width width
}

type itemKind int

const (
	nothing  itemKind = iota // no item: a comment, a flag setting, the start of a sequence
	anchor                   // a position, such as ^ or \b
	repeated                 // an item with its quantifier
	atom                     // any other item
)

// pattern reads the whole pattern.
func (p *parser) pattern() error {
	if _, err := p.alternation(); err != nil {
		return err
	}
	if t := p.peek(); !t.is(end) {
		return errorAt(t.offset, "this ) closes no group")
	}
	for _, r := range p.pending {
		if r.group >= len(p.groups) {
			return errorAt(r.offset, "there is no group %d", r.group)
		}
	}
	return nil
}

// alternation reads sequences with | between them.
func (p *parser) alternation() (width, error) {
	w, err := p.sequence(p.depth == 0)
	if err != nil {
		return width{}, err
	}
	for p.accept('|') {
		branch, err := p.sequence(false)
		if err != nil {
			return width{}, err
		}
		w = w.or(branch)
	}
	return w, nil
}

// sequence reads items up to a |, a ) or the end. Only in the leading sequence
// of a pattern, and there before any item, may global flags stand.
func (p *parser) sequence(leading bool) (width, error) {
	var before width // of the items before the last one
	var last item
	for {
		t := p.peek()
		if t.is('|') || t.is(')') || t.is(end) {
			return before.plus(last.width), nil
		}
		p.next++
		if p.verbose && p.skip(t) {
			continue
		}
		if b, ok, err := p.quantifier(t); err != nil {
			return width{}, err
		} else if ok {
			if last, err = p.repeat(t, last, b); err != nil {
				return width{}, err
			}
			continue
		}
		next, err := p.item(t, leading && last.kind == nothing)
		if err != nil {
			return width{}, err
		}
		if next.kind != nothing {
			before, last = before.plus(last.width), next
		}
	}
}

// skip reports whether the token is white space or opens a comment, as the
// verbose flag has it, and steps over the comment. A line break behind a
// backslash is an escape and does not end a comment.
func (p *parser) skip(t token) bool {
	switch {
	case t.escaped:
		return false
	case strings.ContainsRune(" \t\n\r\v\f", t.char):
		return true
	case t.char != '#':
		return false
	}
	for {
		if t := p.get(); t.is('\n') || t.is(end) {
			return true
		}
	}
}

// item reads the item that a token opens. The token is no quantifier.
func (p *parser) item(t token, leading bool) (item, error) {
	switch {
	case t.escaped:
		return p.escape(t)
	case t.char == '[':
		return item{atom, one()}, p.set(t)
	case t.char == '(':
		return p.group(t, leading)
	case t.char == '^', t.char == '$':
		return item{kind: anchor}, nil
	}
	return item{atom, one()}, nil
}
