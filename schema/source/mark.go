package source

import (
	"strings"
)

// inProlog says whether a directive may stand here: at the beginning, or after
// the end of a document.
func (s *scanner) inProlog() bool {
	return s.indent < 0 && len(s.flow) == 0 && s.head == len(s.queue)
}

func (s *scanner) scanDirective() {
	start := s.pos
	for s.pos < len(s.text) && !isBreak(s.text[s.pos]) && !(s.text[s.pos] == '#' && s.afterBlank()) {
		s.pos++
	}
	s.pushToken(token{kind: directive, start: start, end: s.pos, value: strings.TrimRight(s.text[start:s.pos], " \t")})
}

// atDocumentMark says whether a line begins with --- or ... as a word.
func (s *scanner) atDocumentMark() bool { return isDocumentMark(s.text[s.pos:]) }

func isDocumentMark(line string) bool {
	if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "...") {
		return false
	}
	return len(line) == 3 || isBlank(line[3]) || isBreak(line[3])
}

func (s *scanner) scanDocumentMark(c byte) {
	s.unroll(-1)
	s.forgetKey()
	s.keyAllowed = false
	kind := documentStart
	if c == '.' {
		kind = documentEnd
	}
	s.push(kind, s.pos, s.pos+3)
	s.pos += 3
	if kind == documentStart {
		return
	}
	for isBlank(s.at(s.pos)) {
		s.pos++
	}
	if c := s.at(s.pos); c != 0 && !isBreak(c) && !(c == '#' && s.afterBlank()) {
		fail(s.pos, s.pos+1, "nothing may stand behind ... on its line", "begin the next document on a line of its own with ---")
	}
}

func (s *scanner) scanName(kind tokenKind) {
	start := s.pos
	s.pos++
	for s.pos < len(s.text) && !isBlank(s.text[s.pos]) && !isBreak(s.text[s.pos]) && !isFlowIndicator(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == start+1 {
		fail(start, s.pos, "a name must follow "+s.text[start:s.pos], "quote the value if the character is part of it")
	}
	s.pushToken(token{kind: kind, start: start, end: s.pos, value: s.text[start+1 : s.pos]})
}

func (s *scanner) scanTag() {
	start := s.pos
	if strings.HasPrefix(s.text[start:], "!<") {
		for s.pos < len(s.text) && s.text[s.pos] != '>' {
			if isBlank(s.text[s.pos]) || isBreak(s.text[s.pos]) {
				break
			}
			s.pos++
		}
		if s.at(s.pos) != '>' {
			fail(start, s.pos, "the !< opened here is never closed", "write the > that ends the tag")
		}
		s.pos++
	} else {
		for s.pos < len(s.text) && !isBlank(s.text[s.pos]) && !isBreak(s.text[s.pos]) && !isFlowIndicator(s.text[s.pos]) {
			s.pos++
		}
	}
	if c := s.at(s.pos); c != 0 && !isBlank(c) && !isBreak(c) && !(len(s.flow) > 0 && isFlowIndicator(c)) {
		fail(start, s.pos+1, "a tag must be followed by a space", "write a space behind the tag, or quote the value")
	}
	s.pushToken(token{kind: tagToken, start: start, end: s.pos, value: s.text[start:s.pos]})
}
