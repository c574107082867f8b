package openapi

import (
	"strings"
	"unicode/utf16"

	"github.com/gete-lint/gete/schema/source"
)

// scanJSON is the scan of a JSON text (RFC 8259). It goes over the whole value
// and takes nothing but strict JSON that source.Parse takes, too: YAML bounds
// how long a key may be, and has no lone surrogates.
func scanJSON(file *source.File, e *entry) ([]*entry, bool) {
	s := &jsonScanner{text: file.Text[:e.part.End], pos: e.colon + 1}
	s.space()
	open := s.pos
	fields := []*entry{}
	named := true
	ok := s.object(e.part.Depth+1, func(start, keyEnd, colon int) {
		name, ok := unescaped(file, start, keyEnd)
		named = named && ok
		fields = append(fields, &entry{
			name: name, around: e, colon: colon,
			part: source.Part{Start: start, End: s.pos, Open: open, Depth: e.part.Depth + 1},
		})
	})
	s.space()
	return distinct(fields), ok && named && s.pos == len(s.text)
}

// distinct drops the entries whose name an earlier one has.
func distinct(fields []*entry) []*entry {
	seen := make(map[string]bool, len(fields))
	kept := fields[:0]
	for _, f := range fields {
		if !seen[f.name] {
			seen[f.name] = true
			kept = append(kept, f)
		}
	}
	return kept
}

// A jsonScanner passes over JSON. Its methods say whether that is what they
// found; if not, pos is of no use any more.
type jsonScanner struct {
	text string
	pos  int
}

func (s *jsonScanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return
		}
	}
}

// take passes a byte if it is next.
func (s *jsonScanner) take(c byte) bool {
	if s.pos == len(s.text) || s.text[s.pos] != c {
		return false
	}
	s.pos++
	return true
}

// value passes a value that depth collections lie around.
func (s *jsonScanner) value(depth int) bool {
	if s.pos == len(s.text) {
		return false
	}
	switch c := s.text[s.pos]; c {
	case '{':
		return s.object(depth+1, nil)
	case '[':
		return s.array(depth + 1)
	case '"':
		return s.string()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

// maxKey is how far a colon may be from the beginning of its key for
// source.Parse to take it for one (YAML 1.2.2, section 7.4.2).
const maxKey = 1024

// object passes an object that is the depth-th collection from the outside, and
// tells of its fields, each when it was passed.
func (s *jsonScanner) object(depth int, tell func(start, keyEnd, colon int)) bool {
	if !s.take('{') || depth > source.Descriptions.Depth {
		return false
	}
	s.space()
	if s.take('}') {
		return true
	}
	for {
		start := s.pos
		if !s.string() {
			return false
		}
		keyEnd := s.pos
		s.space()
		if s.pos-start > maxKey || !s.take(':') {
			return false
		}
		colon := s.pos - 1
		s.space()
		if !s.value(depth) {
			return false
		}
		if tell != nil {
			tell(start, keyEnd, colon)
		}
		s.space()
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
		s.space()
	}
}

func (s *jsonScanner) array(depth int) bool {
	s.pos++
	if depth > source.Descriptions.Depth {
		return false
	}
	s.space()
	if s.take(']') {
		return true
	}
	for {
		s.space()
		if !s.value(depth) {
			return false
		}
		s.space()
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

func (s *jsonScanner) string() bool {
	if !s.take('"') {
		return false
	}
	for i := s.pos; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			s.pos = i + 1
			return true
		case c < ' ':
			return false
		case c == '\\':
			n := escapeLength(s.text[i:])
			if n == 0 {
				return false
			}
			i += n - 1
		}
	}
	return false
}

// escapeLength is how many bytes the escape at the front of a text takes, two
// for a surrogate pair counted as one; 0 when it is none.
func escapeLength(text string) int {
	if len(text) < 2 {
		return 0
	}
	if strings.IndexByte(`"\/bfnrt`, text[1]) >= 0 {
		return 2
	}
	r, ok := unicodeEscape(text)
	switch {
	case !ok:
		return 0
	case !utf16.IsSurrogate(r):
		return len(`\u0000`)
	}
	low, ok := unicodeEscape(text[len(`\u0000`):])
	if !ok || utf16.DecodeRune(r, low) == '\uFFFD' {
		return 0
	}
	return len(`\u0000\u0000`)
}

// unicodeEscape is the code unit that the \u escape at the front of a text names.
func unicodeEscape(text string) (r rune, ok bool) {
	if len(text) < len(`\u0000`) || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(text[2:len(`\u0000`)]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func (s *jsonScanner) word(word string) bool {
	if !strings.HasPrefix(s.text[s.pos:], word) {
		return false
	}
	s.pos += len(word)
	return true
}

func (s *jsonScanner) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		return s.digits()
	}
	return true
}

// digits passes one digit or more.
func (s *jsonScanner) digits() bool {
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] >= '0' && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}
