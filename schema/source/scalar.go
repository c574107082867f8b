package source

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// startsPlain says whether a plain scalar can begin with c (YAML 1.2.2,
// section 7.3.3, ns-plain-first).
func (s *scanner) startsPlain(c, next byte) bool {
	switch c {
	case '-', '?', ':':
		return !isBlankOrEnd(next) && !(len(s.flow) > 0 && isFlowIndicator(next))
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', '\t':
		return false
	}
	return true
}

// scanPlain takes a plain scalar, over as many lines as it has.
func (s *scanner) scanPlain() {
	start := s.pos
	end := s.plainLine()
	var folded strings.Builder
	for {
		from, lines, ok := s.plainContinues(end)
		if !ok {
			break
		}
		if folded.Len() == 0 {
			folded.WriteString(s.text[start:end])
		}
		writeFold(&folded, lines)
		s.pos = from
		end = s.plainLine()
		folded.WriteString(s.text[from:end])
	}
	value := s.text[start:end]
	if folded.Len() > 0 {
		value = folded.String()
	}
	s.pos = end
	s.pushToken(token{kind: scalarToken, style: Plain, start: start, end: end, value: value})
}

// plainLine moves to the end of the plain text on the current line, and is
// where it ends without the white space behind it.
func (s *scanner) plainLine() int {
	end := s.pos
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case isBreak(c):
			return end
		case isBlank(c):
			continue
		case c == ':' && (isBlankOrEnd(s.at(s.pos+1)) || len(s.flow) > 0 && isFlowIndicator(s.at(s.pos+1))):
			return end
		case c == '#' && s.pos > end:
			return end
		case len(s.flow) > 0 && isFlowIndicator(c):
			return end
		}
		end = s.pos + 1
	}
	return end
}

// plainContinues looks whether the text behind a line of a plain scalar goes
// on with it: where, and after how many line ends.
func (s *scanner) plainContinues(end int) (from, lines int, ok bool) {
	pos := end
	for isBlank(s.at(pos)) {
		pos++
	}
	lineStart := s.lineStart
	tab := -1
	for isBreak(s.at(pos)) {
		lines++
		pos += breakLength(s.text[pos:])
		lineStart, tab = pos, -1
		for isBlank(s.at(pos)) {
			if s.text[pos] == '\t' && tab < 0 {
				tab = pos
			}
			pos++
		}
	}
	c := s.at(pos)
	if lines == 0 || c == 0 || c == '#' || pos == lineStart && isDocumentMark(s.text[pos:]) {
		return 0, 0, false
	}
	if len(s.flow) == 0 {
		if pos-lineStart <= s.indent {
			return 0, 0, false
		}
	} else if isFlowIndicator(c) || pos-lineStart <= s.indent {
		return 0, 0, false
	}
	if tab >= 0 && tab-lineStart <= s.indent {
		fail(tab, tab+1, "a tab cannot indent", "indent with spaces")
	}
	if c == ':' && (isBlankOrEnd(s.at(pos+1)) || len(s.flow) > 0 && isFlowIndicator(s.at(pos+1))) {
		return 0, 0, false
	}
	s.lineStart, s.tab = lineStart, -1
	return pos, lines, true
}

// writeFold writes what a number of line ends is inside a scalar: one is a
// space, and of several the first is dropped (YAML 1.2.2, section 6.5).
func writeFold(b *strings.Builder, lines int) {
	if lines == 1 {
		b.WriteByte(' ')
		return
	}
	for range lines - 1 {
		b.WriteByte('\n')
	}
}

// scanQuoted takes a scalar in single or double quotes.
func (s *scanner) scanQuoted(quote byte) {
	start := s.pos
	style := SingleQuoted
	if quote == '"' {
		style = DoubleQuoted
	}
	s.pos++
	var b strings.Builder
	plain := s.pos // where the text not yet written begins
	for {
		c := s.at(s.pos)
		switch {
		case c == 0:
			s.failUnclosedQuote(start)
		case c == quote && quote == '\'' && s.at(s.pos+1) == '\'':
			b.WriteString(s.text[plain : s.pos+1])
			s.pos += 2
			plain = s.pos
		case c == quote:
			value := s.text[plain:s.pos]
			if b.Len() > 0 {
				b.WriteString(value)
				value = b.String()
			}
			s.pos++
			s.pushToken(token{kind: scalarToken, style: style, start: start, end: s.pos, value: value})
			return
		case c == '\\' && quote == '"':
			b.WriteString(s.text[plain:s.pos])
			s.escape(&b)
			plain = s.pos
		case isBreak(c):
			b.WriteString(strings.TrimRight(s.text[plain:s.pos], " \t"))
			writeFold(&b, s.quotedBreak(start))
			plain = s.pos
		default:
			s.pos++
		}
	}
}

func (s *scanner) failUnclosedQuote(start int) {
	fail(start, start+1, "the quote opened here is never closed", "write the "+s.text[start:start+1]+" that ends it")
}

// quotedBreak passes the line ends at pos and the white space that the next
// line begins with, and counts them. A line that is indented no deeper than
// the block around the scalar is not part of it: its quote was never closed.
func (s *scanner) quotedBreak(start int) (lines int) {
	for isBreak(s.at(s.pos)) {
		s.newLine()
		lines++
		for isBlank(s.at(s.pos)) {
			if s.text[s.pos] == '\t' && s.tab < 0 {
				s.tab = s.pos
			}
			s.pos++
		}
	}
	if s.at(s.pos) == 0 || s.column() <= s.indent || s.column() == 0 && s.atDocumentMark() {
		s.failUnclosedQuote(start)
	}
	if s.tab >= 0 && s.tab-s.lineStart <= s.indent {
		s.failTab()
	}
	return lines
}

// escape takes an escape sequence of a double-quoted scalar (YAML 1.2.2,
// section 5.7). Surrogate pairs, which JSON writes, are put together.
func (s *scanner) escape(b *strings.Builder) {
	start := s.pos
	c := s.at(s.pos + 1)
	if isBreak(c) {
		s.pos++
		for lines := s.quotedBreak(start); lines > 1; lines-- {
			b.WriteByte('\n')
		}
		return
	}
	if width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; width > 0 {
		r := s.hex(s.pos+2, width)
		s.pos += 2 + width
		if utf16.IsSurrogate(r) && strings.HasPrefix(s.text[s.pos:], `\u`) {
			if pair := utf16.DecodeRune(r, s.hex(s.pos+2, 4)); pair != utf8.RuneError {
				s.pos += 6
				r = pair
			}
		}
		if !utf8.ValidRune(r) {
			fail(start, s.pos, "this escape sequence is no character", "write the character itself")
		}
		b.WriteRune(r)
		return
	}
	const names, meant = "0abt\tnvfre \"/\\N_LP", "\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	at := strings.IndexByte(names, c)
	if at < 0 || c == 0 {
		_, size := utf8.DecodeRuneInString(s.text[s.pos+1:])
		fail(start, start+1+size, "this is no escape sequence", `write \\ for a backslash, or use single quotes`)
	}
	b.WriteRune([]rune(meant)[at])
	s.pos += 2
}

// hex reads the digits of an escape.
func (s *scanner) hex(from, width int) rune {
	to := min(from+width, len(s.text))
	digits := s.text[from:to]
	n, err := strconv.ParseUint(digits, 16, 32)
	if len(digits) < width || err != nil || !all(digits, isHex) || n > utf8.MaxRune {
		fail(from-2, from, s.text[from-2:from]+" needs "+strconv.Itoa(width)+" hexadecimal digits of a character", `write \\ for a backslash, or use single quotes`)
	}
	return rune(n)
}
