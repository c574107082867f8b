package source

import "strings"

// A possibleKey is a token that a later ":" would make a key.
type possibleKey struct {
	possible, required bool
	number             int // of the token, counted from the first of the stream
	start, column      int
	lineStart          int
}

// maxImplicitKey is how far a ":" may be from the beginning of its key
// (YAML 1.2.2, section 7.4.2), in bytes here.
const maxImplicitKey = 1024

// headMayBeKey says whether the first token of the queue may still become a key.
func (s *scanner) headMayBeKey() bool {
	for i := range s.keys {
		k := &s.keys[i]
		if !k.possible {
			continue
		}
		s.dropStaleKey(k)
		if k.possible && k.number == s.taken {
			return true
		}
		if k.possible {
			break // those of inner brackets come later in the stream
		}
	}
	return false
}

// dropStaleKey gives up a possible key that the scanner has moved too far from.
// In a flow mapping a key may go over several lines; elsewhere it may not.
func (s *scanner) dropStaleKey(k *possibleKey) {
	if !k.possible || s.pos-k.start <= maxImplicitKey && (k.lineStart == s.lineStart || s.inFlowMapping()) {
		return
	}
	if k.required {
		s.failNoColon(k)
	}
	k.possible = false
}

func (s *scanner) inFlowMapping() bool {
	return len(s.flow) > 0 && s.text[s.flow[len(s.flow)-1]] == '{'
}

func (s *scanner) failNoColon(k *possibleKey) {
	end := k.start
	for end < len(s.text) && !isBreak(s.text[end]) {
		end++
	}
	help := "write \"key: value\", or indent the line so that it belongs to the value above"
	if strings.Contains(s.text[k.start:end], ":") {
		help = "write a space behind the colon"
	}
	fail(k.start, end, "a key is expected here, and no \": \" follows it on its line", help)
}

// saveKey notes that the token about to be scanned may turn out to be a key.
func (s *scanner) saveKey() {
	if !s.keyAllowed {
		return
	}
	s.forgetKey()
	s.keys[len(s.keys)-1] = possibleKey{
		possible: true, required: len(s.flow) == 0 && s.indent == s.column(),
		number: s.taken + len(s.queue) - s.head, start: s.pos, column: s.column(), lineStart: s.lineStart,
	}
}

// forgetKey gives up the possible key of the current level.
func (s *scanner) forgetKey() {
	k := &s.keys[len(s.keys)-1]
	if k.possible && k.required {
		s.failNoColon(k)
	}
	k.possible = false
}

func (s *scanner) scanKey() {
	if len(s.flow) == 0 {
		if !s.keyAllowed {
			fail(s.pos, s.pos+1, "a key cannot begin here", "begin it on a line of its own, or quote the value")
		}
		s.roll(s.column(), blockMappingStart, s.pos, -1)
	}
	s.forgetKey()
	s.keyAllowed = len(s.flow) == 0
	s.indicator(keyToken)
}

// isValueIndicator tells the ":" behind a key from one inside a plain scalar.
func (s *scanner) isValueIndicator(next byte) bool {
	if isBlankOrEnd(next) {
		return true
	}
	if len(s.flow) == 0 {
		return false
	}
	return isFlowIndicator(next) || s.afterJSONKey()
}

// afterJSONKey says whether the token before is a quoted scalar or a closed
// bracket: behind such a key the ":" needs no space (YAML 1.2.2, section 7.4.2).
func (s *scanner) afterJSONKey() bool {
	switch s.last.kind {
	case flowSequenceEnd, flowMappingEnd:
		return true
	case scalarToken:
		return s.last.style == DoubleQuoted || s.last.style == SingleQuoted
	}
	return false
}

func (s *scanner) scanValue() {
	if k := &s.keys[len(s.keys)-1]; k.possible {
		at := k.number - s.taken
		s.insert(at, token{kind: keyToken, start: k.start, end: k.start})
		s.roll(k.column, blockMappingStart, k.start, at)
		k.possible = false
		s.keyAllowed = false
	} else {
		if len(s.flow) == 0 {
			if !s.keyAllowed {
				fail(s.pos, s.pos+1, "a \": \" inside a value that is not quoted", "quote the value, or begin the key on a line of its own")
			}
			s.roll(s.column(), blockMappingStart, s.pos, -1)
		}
		s.keyAllowed = len(s.flow) == 0
	}
	s.indicator(valueToken)
}
