package openapi

import (
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// scanYAML is the scan of a text in YAML's block style. It rests on one rule of
// YAML: whatever belongs to the value of a key stands in lines that are indented
// deeper than the key (YAML 1.2.2, section 8.2), scalars over several lines and
// brackets included. So in the lines of a block mapping, those that are indented
// exactly as it is are its keys, and the ones below each, up to the next, are
// what to parse for its value. The exceptions are lists that are indented as
// their key, which begin with a dash, and brackets that close there, which
// source.Parse lets pass; those are left to it.
//
// It is not ok with anything else than spaces, comments and plain or quoted keys
// in the lines that it looks at: an anchor, an alias, a tag, a merge key, an
// explicit key, a tab, a document mark, brackets.
func scanYAML(file *source.File, e *entry) ([]*entry, bool) {
	s := &yamlScanner{file: file, text: file.Text[:e.part.End], around: e, column: -1}
	var ok bool
	if s.pos, ok = s.firstLine(); !ok {
		return nil, false
	}
	for s.pos < len(s.text) {
		if !s.line() {
			return nil, false
		}
	}
	if s.last != nil {
		s.last.part.End = len(s.text)
	}
	return distinct(s.fields), s.last != nil
}

type yamlScanner struct {
	file   *source.File
	text   string // up to where the value ends
	around *entry
	pos    int // the beginning of a line
	column int // of the keys; -1 before the first
	fields []*entry
	last   *entry
	bare   bool // the last key has nothing behind it on its line
}

// firstLine is where the first line below the key begins; the value may not
// begin on the key's own line. A document may have --- on a line before it.
func (s *yamlScanner) firstLine() (start int, ok bool) {
	from := s.around.colon + 1
	if s.around.around != nil {
		end := s.lineEnd(from)
		return end, isNothing(s.text[from:end])
	}
	start = from
	for start < len(s.text) {
		end := s.lineEnd(start)
		line := s.text[start:end]
		if strings.TrimRight(line, " \r\n") == "---" {
			return end, true
		}
		if !isNothing(line) {
			break
		}
		start = end
	}
	return from, true
}

// lineEnd is where the line after the one at an offset begins.
func (s *yamlScanner) lineEnd(offset int) int {
	if n := strings.IndexByte(s.text[offset:], '\n'); n >= 0 {
		return offset + n + 1
	}
	return len(s.text)
}

// isNothing says whether the text from the beginning of a line, or from just
// behind a colon, up to the line's end is white space or a comment.
func isNothing(text string) bool {
	rest := strings.TrimLeft(text, " \t")
	return rest == "" || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#' && (len(rest) < len(text) || text[0] == '#')
}

// line passes one line, and says whether it is one to be certain of.
func (s *yamlScanner) line() bool {
	start, end := s.pos, s.lineEnd(s.pos)
	s.pos = end
	at := start
	for at < end && s.text[at] == ' ' {
		at++
	}
	column := at - start
	if s.column >= 0 && column > s.column {
		return true // of the value above
	}
	line := s.text[at:end]
	if isNothing(line) {
		return true
	}
	if s.column < 0 {
		if column <= s.around.column || s.around.around == nil && column > 0 {
			return false
		}
		s.column = column
	}
	if column < s.column {
		return false
	}
	if s.bare && len(line) > 1 && line[0] == '-' && isBlankOrBreak(line[1]) {
		return true // an item of the list that is the value above
	}
	return s.key(start, at, end)
}

// key passes the key that begins at an offset in a line.
func (s *yamlScanner) key(lineStart, at, lineEnd int) bool {
	name, keyEnd, ok := s.name(at, lineEnd)
	if !ok {
		return false
	}
	colon := keyEnd
	for colon < lineEnd && s.text[colon] == ' ' {
		colon++
	}
	if colon == lineEnd || s.text[colon] != ':' || colon-at > maxKey {
		return false
	}
	if colon+1 < len(s.text) && !isBlankOrBreak(s.text[colon+1]) {
		return false
	}
	if s.last != nil {
		s.last.part.End = lineStart
	}
	s.last = &entry{
		name: name, around: s.around, colon: colon, column: s.column,
		part: source.Part{Start: at, Open: -1, Depth: s.around.part.Depth + 1},
	}
	s.fields = append(s.fields, s.last)
	s.bare = isNothing(s.text[colon+1 : lineEnd])
	return true
}

// name reads a key.
func (s *yamlScanner) name(at, lineEnd int) (name string, end int, ok bool) {
	line := s.text[at:lineEnd]
	switch c := line[0]; c {
	case '"', '\'':
		end := closingQuote(line)
		if end < 0 {
			return "", 0, false
		}
		name, ok := unescaped(s.file, at, at+end)
		return name, at + end, ok
	case '-', '?', ':':
		if len(line) == 1 || isBlankOrBreak(line[1]) || strings.HasPrefix(line, "---") {
			return "", 0, false
		}
	default:
		// What no plain scalar begins with, and what a document mark does.
		if strings.IndexByte(",[]{}#&*!|>%@`.\t", c) >= 0 {
			return "", 0, false
		}
	}
	for i := range len(line) {
		switch c := line[i]; {
		case c == '\t' || c == '#' && line[i-1] == ' ':
			return "", 0, false
		case c == ':' && (i+1 == len(line) || isBlankOrBreak(line[i+1])):
			name = strings.TrimRight(line[:i], " ")
			return name, at + len(name), name != "<<"
		}
	}
	return "", 0, false
}

// closingQuote is just past the quote that ends the scalar at the front of a
// line; -1 if there is none on the line.
func closingQuote(line string) int {
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && line[0] == '"':
			i++
		case line[i] != line[0]:
		case line[0] == '\'' && i+1 < len(line) && line[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return -1
}

func isBlankOrBreak(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// hasLoneReturns says whether a carriage return ends a line of the text alone.
// The scan counts on line feeds.
func hasLoneReturns(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "\r")
		if !found {
			return false
		}
		if !strings.HasPrefix(rest, "\n") {
			return true
		}
		text = rest
	}
}
