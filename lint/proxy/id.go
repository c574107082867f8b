package proxy

import (
	"bytes"
	"encoding/json"
)

// maxID bounds the key and the value that an idScanner keeps, in bytes.
const maxID = 256

// An idScanner finds the id of a JSON-RPC message that cannot be read, since it is broken,
// too long or too deep: the value of "id" at its first level. It looks at each byte once,
// and keeps almost nothing.
type idScanner struct {
	id json.RawMessage // nil where there is none that can be an id

	depth   int
	text    []byte // of the scalar that is being read at the first level, cut
	key     []byte // the last one there
	quoted  bool   // within a string
	escaped bool   // behind a backslash
	value   bool   // what comes is no key
}

func (s *idScanner) scan(part []byte) {
	for _, c := range part {
		s.next(c)
	}
}

func (s *idScanner) next(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
		s.keep(c)
	case s.quoted:
		s.escaped = c == '\\'
		s.quoted = c != '"'
		s.keep(c)
	case c == '"':
		s.quoted = true
		s.keep(c)
	case c == '{' || c == '[':
		s.depth++
		s.text = nil
	case c == '}' || c == ']':
		if s.depth == 1 {
			s.end()
		}
		s.depth--
	case s.depth == 1 && c == ':' && !s.value:
		s.key, s.text, s.value = s.text, nil, true
	case s.depth == 1 && c == ',':
		s.end()
		s.text, s.value = nil, false
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
	default:
		s.keep(c)
	}
}

func (s *idScanner) keep(c byte) {
	if s.depth == 1 && len(s.text) < maxID {
		s.text = append(s.text, c)
	}
}

// end is the end of a value at the first level.
func (s *idScanner) end() {
	if s.id != nil || !s.value || string(s.key) != `"id"` || len(s.text) == maxID {
		return
	}
	if text := bytes.TrimSpace(s.text); json.Valid(text) && (text[0] == '"' || text[0] == '-' || text[0] >= '0' && text[0] <= '9') {
		s.id = bytes.Clone(text)
	}
}
