package source

import "strings"

// A blockHeader is what stands behind the | or > of a block scalar.
type blockHeader struct {
	indent int  // the indentation that it states, 0 for none
	chomp  byte // '+', '-', or 0 for clipping
}

// scanBlockScalar takes a literal or folded scalar (YAML 1.2.2, section 8.1).
func (s *scanner) scanBlockScalar() {
	start := s.pos
	style := Literal
	if s.text[start] == '>' {
		style = Folded
	}
	s.pos++
	header := s.blockHeader(start)
	s.restOfHeader()

	indent := s.indent + header.indent
	if s.indent < 0 {
		indent = header.indent
	}
	if header.indent == 0 {
		indent = s.detectIndent()
	}
	end := s.headerEnd(start)
	var b strings.Builder
	var lines int    // line ends read and not yet written
	first := true    // no content line yet
	wasDeep := false // the line before was more indented, or began with white space
	for {
		at := s.pos
		for at-s.pos < indent && s.at(at) == ' ' {
			at++
		}
		c := s.at(at)
		if isBreak(c) {
			s.pos = at
			s.newLine()
			lines++
			continue
		}
		if c == 0 || at-s.pos < indent || at == s.pos && isDocumentMark(s.text[at:]) {
			s.tabBelow(at)
			break
		}
		deep := isBlank(c)
		writeBreaks(&b, style, lines, first, deep || wasDeep)
		lineEnd := at
		for lineEnd < len(s.text) && !isBreak(s.text[lineEnd]) {
			lineEnd++
		}
		b.WriteString(s.text[at:lineEnd])
		first, wasDeep, lines, end = false, deep, 0, lineEnd
		s.pos = lineEnd
		if s.pos < len(s.text) {
			s.newLine()
			lines = 1
		}
	}
	value := chomped(b.String(), header.chomp, lines, first)
	s.pushToken(token{kind: scalarToken, style: style, start: start, end: end, value: value})
}

// tabBelow refuses a tab that stands where the scalar's indentation belongs.
func (s *scanner) tabBelow(at int) {
	if s.at(at) == '\t' && at-s.pos <= s.indent {
		fail(at, at+1, "a tab cannot indent", "indent with spaces")
	}
}

// chomped ends a block scalar as its header asks.
func chomped(value string, chomp byte, lines int, empty bool) string {
	switch {
	case chomp == '-':
		return value
	case chomp == '+':
		return value + strings.Repeat("\n", lines)
	case empty || lines == 0:
		return value
	}
	return value + "\n"
}

// writeBreaks writes the line ends between two content lines.
func writeBreaks(b *strings.Builder, style Style, lines int, first, deep bool) {
	switch {
	case first || style == Literal || deep:
		for range lines {
			b.WriteByte('\n')
		}
	default:
		writeFold(b, lines)
	}
}

func (s *scanner) blockHeader(start int) (h blockHeader) {
	for range 2 {
		switch c := s.at(s.pos); {
		case (c == '+' || c == '-') && h.chomp == 0:
			h.chomp = c
			s.pos++
		case c >= '1' && c <= '9' && h.indent == 0:
			h.indent = int(c - '0')
			s.pos++
		case isDigit(c):
			fail(start, s.pos+1, "the indentation of a block scalar is a digit from 1 to 9", "leave it out, or write the number of spaces")
		}
	}
	return h
}

// restOfHeader passes a comment and the line end behind the header.
func (s *scanner) restOfHeader() {
	for isBlank(s.at(s.pos)) {
		s.pos++
	}
	if s.at(s.pos) == '#' && s.afterBlank() {
		s.scanComment()
	}
	c := s.at(s.pos)
	if c != 0 && !isBreak(c) {
		fail(s.pos, s.pos+1, "the text of a block scalar begins on the next line", "move it there, or quote the value")
	}
	if c != 0 {
		s.newLine()
	}
}

// headerEnd is where the header, without white space and comment, ends.
func (s *scanner) headerEnd(start int) int {
	end := start + 1
	for strings.IndexByte("+-123456789", s.at(end)) >= 0 && s.at(end) != 0 {
		end++
	}
	return end
}

// detectIndent is the indentation of the first line that is not empty. No
// empty line before it may be deeper.
func (s *scanner) detectIndent() int {
	pos, deepest, deepestAt := s.pos, 0, 0
	for {
		lineStart := pos
		for s.at(pos) == ' ' {
			pos++
		}
		column := pos - lineStart
		c := s.at(pos)
		if isBreak(c) {
			if column > deepest {
				deepest, deepestAt = column, lineStart
			}
			pos += breakLength(s.text[pos:])
			continue
		}
		if c == '\t' && column <= s.indent && column < deepest {
			fail(pos, pos+1, "a tab cannot indent", "indent with spaces")
		}
		if c == 0 || column <= s.indent {
			return max(s.indent+1, deepest)
		}
		if deepest > column {
			fail(deepestAt, deepestAt+deepest, "an empty line at the beginning of a block scalar is indented deeper than its text", "take away the spaces of the empty line")
		}
		return column
	}
}
