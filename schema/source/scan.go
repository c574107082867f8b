package source

import (
	"strings"
)

// A scanner turns the text into tokens. The grammar of YAML 1.2 decides only
// at a ": " that what stood before it was a key (section 7.4.2, implicit
// keys), so tokens wait in a queue while one of them may still become a key.
type scanner struct {
	text   string
	limits Limits

	pos       int // the next byte
	lineStart int // where the line of pos begins
	tab       int // the first tab in the white space that pos's line began with, or -1

	queue []token
	last  token // the last one that was scanned
	head  int   // of the queue
	taken int   // how many tokens have left the queue

	indent  int   // the column of the innermost block collection, -1 outside
	indents []int // the columns of those around it
	flow    []int // the offset of each open bracket

	keys       []possibleKey // one for the block context, and one for each open bracket
	keyAllowed bool          // a key may begin here

	comments []Comment
}

func newScanner(text string, limits Limits) *scanner {
	s := &scanner{text: text, limits: limits, indent: -1, tab: -1, keyAllowed: true, keys: make([]possibleKey, 1, 8)}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
		s.lineStart = s.pos
	}
	return s
}

// peek is the next token, which stays where it is.
func (s *scanner) peek() *token {
	for s.head == len(s.queue) || s.headMayBeKey() {
		s.fetch()
	}
	return &s.queue[s.head]
}

// next takes the next token.
func (s *scanner) next() token {
	t := *s.peek()
	s.head++
	s.taken++
	if s.head == len(s.queue) {
		s.queue, s.head = s.queue[:0], 0
	}
	return t
}

func (s *scanner) push(kind tokenKind, start, end int) {
	s.pushToken(token{kind: kind, start: start, end: end})
}

func (s *scanner) pushToken(t token) {
	s.last = t
	s.queue = append(s.queue, t)
}

func (s *scanner) column() int { return s.pos - s.lineStart }

// at is the byte at an offset; 0, which no checked text holds, past the end.
func (s *scanner) at(offset int) byte {
	if offset < len(s.text) {
		return s.text[offset]
	}
	return 0
}

// fetch appends at least one token to the queue, or drops a possible key.
func (s *scanner) fetch() {
	s.skipToToken()
	s.dropStaleKey(&s.keys[len(s.keys)-1])
	if len(s.flow) == 0 {
		s.unroll(s.column())
	} else {
		s.checkStillInside()
	}
	c := s.at(s.pos)
	if c == 0 {
		s.scanEnd()
		return
	}
	if s.column() == 0 {
		if c == '%' && s.inProlog() {
			s.scanDirective()
			return
		}
		if s.atDocumentMark() {
			s.scanDocumentMark(c)
			return
		}
	}
	switch next := s.at(s.pos + 1); {
	case c == '[':
		s.openFlow(flowSequenceStart)
	case c == '{':
		s.openFlow(flowMappingStart)
	case c == ']':
		s.closeFlow(flowSequenceEnd, '[')
	case c == '}':
		s.closeFlow(flowMappingEnd, '{')
	case c == ',' && len(s.flow) > 0:
		s.forgetKey()
		s.keyAllowed = true
		s.indicator(flowEntry)
	case c == '-' && isBlankOrEnd(next):
		s.scanBlockEntry()
	case c == '?' && isBlankOrEnd(next):
		s.scanKey()
	case c == ':' && s.isValueIndicator(next):
		s.scanValue()
	case c == '*':
		s.saveKey()
		s.keyAllowed = false
		s.scanName(aliasToken)
	case c == '&':
		s.saveKey()
		s.keyAllowed = false
		s.scanName(anchorToken)
	case c == '!':
		s.saveKey()
		s.keyAllowed = false
		s.scanTag()
	case (c == '|' || c == '>') && len(s.flow) == 0:
		s.forgetKey()
		s.keyAllowed = true
		s.scanBlockScalar()
	case c == '\'' || c == '"':
		s.saveKey()
		s.keyAllowed = false
		s.scanQuoted(c)
	case s.startsPlain(c, next):
		s.saveKey()
		s.keyAllowed = false
		s.scanPlain()
	default:
		s.failAtIndicator(c)
	}
}

// indicator takes one byte as a token.
func (s *scanner) indicator(kind tokenKind) {
	s.push(kind, s.pos, s.pos+1)
	s.pos++
}

func (s *scanner) failAtIndicator(c byte) {
	help := "quote the value if the character is part of it"
	switch c {
	case '\t':
		fail(s.pos, s.pos+1, "a tab cannot indent", "indent with spaces")
	case '|', '>':
		fail(s.pos, s.pos+1, "a block scalar cannot stand inside brackets", help)
	case '#':
		fail(s.pos, s.pos+1, "a comment needs a space before its #", "write a space before #, or quote the value")
	}
	fail(s.pos, s.pos+1, "no value can begin with "+string(rune(c)), help)
}

// skipToToken passes white space, line ends and comments.
func (s *scanner) skipToToken() {
	for {
		c := s.at(s.pos)
		switch {
		case c == ' ':
			s.pos++
		case c == '\t':
			if s.tab < 0 && (s.keyAllowed || strings.TrimLeft(s.text[s.lineStart:s.pos], " ") == "") {
				s.tab = s.pos
			}
			s.pos++
		case c == '#' && s.afterBlank():
			s.scanComment()
		case c == '\n' || c == '\r':
			s.newLine()
			if len(s.flow) == 0 {
				s.keyAllowed = true
			}
		default:
			s.checkTabs(c)
			return
		}
	}
}

// checkTabs refuses a tab where indentation belongs: before the first token of
// a line inside a block collection (YAML 1.2.2, section 6.1).
func (s *scanner) checkTabs(c byte) {
	if s.tab < 0 || c == 0 {
		return
	}
	if s.tab-s.lineStart <= s.indent && strings.TrimLeft(s.text[s.lineStart:s.tab], " ") == "" {
		s.failTab()
	}
}

func (s *scanner) failTab() {
	fail(s.tab, s.tab+1, "a tab cannot indent", "indent with spaces")
}

// afterBlank says whether pos begins a line or has white space before it.
func (s *scanner) afterBlank() bool {
	return s.pos == s.lineStart || isBlank(s.text[s.pos-1])
}

// newLine passes one line end.
func (s *scanner) newLine() {
	s.pos += breakLength(s.text[s.pos:])
	s.lineStart = s.pos
	s.tab = -1
}

func (s *scanner) scanComment() {
	start := s.pos
	for s.pos < len(s.text) && !isBreak(s.text[s.pos]) {
		s.pos++
	}
	alone := strings.Trim(s.text[s.lineStart:start], " \t") == ""
	s.comments = append(s.comments, Comment{Start: start, End: s.pos, Alone: alone})
}

// checkStillInside reports a bracket that was never closed: a line that is
// indented no deeper than the block around the bracket cannot be part of it.
// A closing bracket there is let pass, as most readers do.
func (s *scanner) checkStillInside() {
	c := s.at(s.pos)
	if c == 0 || s.column() == 0 && s.atDocumentMark() {
		s.failUnclosed(len(s.flow) - 1)
	}
	if s.column() <= s.indent && c != ']' && c != '}' && c != ',' && strings.TrimLeft(s.text[s.lineStart:s.pos], " ") == "" {
		s.failUnclosed(len(s.flow) - 1)
	}
}

func (s *scanner) failUnclosed(level int) {
	open := s.flow[level]
	closing := map[byte]string{'[': "]", '{': "}"}[s.text[open]]
	fail(open, open+1, "the "+s.text[open:open+1]+" opened here is never closed", "write the "+closing+" that ends it")
}

func (s *scanner) scanEnd() {
	s.forgetKey()
	s.unroll(-1)
	s.keyAllowed = false
	s.push(streamEnd, s.pos, s.pos)
}

// roll opens a block collection at a column that is deeper than the current
// one; at is the place in the queue of its first token, or -1 for the end.
func (s *scanner) roll(column int, kind tokenKind, start, at int) {
	if len(s.flow) > 0 || s.indent >= column {
		return
	}
	if s.tab >= 0 && s.tab < start {
		s.failTab()
	}
	s.checkDepth(start)
	s.indents = append(s.indents, s.indent)
	s.indent = column
	s.insert(at, token{kind: kind, start: start, end: start})
}

// insert puts a token into the queue; at is counted from its head, -1 is its end.
func (s *scanner) insert(at int, t token) {
	s.queue = append(s.queue, t)
	if at < 0 {
		return
	}
	at += s.head
	copy(s.queue[at+1:], s.queue[at:])
	s.queue[at] = t
}

// unroll closes the block collections that are deeper than a column.
func (s *scanner) unroll(column int) {
	for s.indent > column {
		s.push(blockEnd, s.pos, s.pos)
		s.indent = s.indents[len(s.indents)-1]
		s.indents = s.indents[:len(s.indents)-1]
	}
}

func (s *scanner) checkDepth(start int) {
	if len(s.flow)+len(s.indents) >= s.limits.Depth {
		failDepth(start, start+1, s.limits)
	}
}

func (s *scanner) openFlow(kind tokenKind) {
	s.saveKey()
	s.checkDepth(s.pos)
	s.flow = append(s.flow, s.pos)
	s.keys = append(s.keys, possibleKey{})
	s.keyAllowed = true
	s.indicator(kind)
}

func (s *scanner) closeFlow(kind tokenKind, opening byte) {
	if len(s.flow) == 0 {
		fail(s.pos, s.pos+1, "nothing that this closes was opened", "remove it, or quote the value if it is part of it")
	}
	if s.text[s.flow[len(s.flow)-1]] != opening {
		s.failUnclosed(len(s.flow) - 1)
	}
	s.forgetKey()
	s.flow = s.flow[:len(s.flow)-1]
	s.keys = s.keys[:len(s.keys)-1]
	s.keyAllowed = false
	s.indicator(kind)
}

func (s *scanner) scanBlockEntry() {
	if len(s.flow) > 0 {
		fail(s.pos, s.pos+1, "a list item with a dash cannot stand inside brackets", "separate the items with commas")
	}
	if !s.keyAllowed {
		fail(s.pos, s.pos+1, "a list item cannot begin here", "begin it on a line of its own, or quote the value")
	}
	if s.tab >= 0 {
		s.failTab()
	}
	s.roll(s.column(), blockSequenceStart, s.pos, -1)
	s.forgetKey()
	s.keyAllowed = true
	s.indicator(blockEntry)
}

func isBlank(c byte) bool      { return c == ' ' || c == '\t' }
func isBreak(c byte) bool      { return c == '\n' || c == '\r' }
func isBlankOrEnd(c byte) bool { return isBlank(c) || isBreak(c) || c == 0 }

func isFlowIndicator(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// breakLength is how many bytes the line end at the front of s takes.
func breakLength(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	return 1
}
