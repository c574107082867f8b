package pyregex

import "strings"

// end is the character of the token after the last one.
const end rune = -1

// A token is one character, or a backslash with the character after it.
type token struct {
	char    rune
	escaped bool
	offset  int // in code points
}

// is reports whether the token is the character, without a backslash.
func (t token) is(char rune) bool {
	return !t.escaped && t.char == char
}

// isDigit reports whether the token is an ASCII digit of a base up to 16.
// Python's re allows no other digits in an escape or a repetition.
func (t token) isDigit(base int) bool {
	if t.escaped {
		return false
	}
	value := base
	switch c := t.char; {
	case '0' <= c && c <= '9':
		value = int(c - '0')
	case 'a' <= c && c <= 'f':
		value = int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		value = int(c-'A') + 10
	}
	return value < base
}

// String returns the text of a token that is not the end.
func (t token) String() string {
	if t.escaped {
		return `\` + string(t.char)
	}
	return string(t.char)
}

// A scanner hands out the tokens of a pattern or a replacement. Both follow
// the same rule for the backslash, even in a comment, a group name or a set:
// \) never ends a comment.
type scanner struct {
	tokens []token // the last one is end
	next   int
}

// newScanner splits a text into tokens. A backslash with nothing after it is
// a fault wherever it stands.
func newScanner(text string) (scanner, error) {
	chars := []rune(text)
	tokens := make([]token, 0, len(chars)+1)
	for i := 0; i < len(chars); i++ {
		t := token{char: chars[i], offset: i}
		if t.char == '\\' {
			i++
			if i == len(chars) {
				return scanner{}, errorAt(t.offset, "nothing follows the last backslash")
			}
			t.char, t.escaped = chars[i], true
		}
		tokens = append(tokens, t)
	}
	return scanner{tokens: append(tokens, token{char: end, offset: len(chars)})}, nil
}

// peek returns the next token and leaves it in place.
func (s *scanner) peek() token {
	return s.tokens[s.next]
}

// get returns the next token and steps over it. It never steps over the end.
func (s *scanner) get() token {
	t := s.tokens[s.next]
	if !t.is(end) {
		s.next++
	}
	return t
}

// accept steps over the next token if it is the character.
func (s *scanner) accept(char rune) bool {
	if !s.peek().is(char) {
		return false
	}
	s.next++
	return true
}

// digits steps over the digits that come next, up to a limit if that is
// positive, and returns them.
func (s *scanner) digits(base, limit int) string {
	start := s.next
	for s.peek().isDigit(base) && (limit <= 0 || s.next-start < limit) {
		s.next++
	}
	return join(s.tokens[start:s.next])
}

// until returns the text before a terminator, which must come, and steps over
// both. The text must not be empty; what says what it is.
func (s *scanner) until(terminator rune, what string) (string, error) {
	start := s.next
	for !s.peek().is(terminator) {
		if s.peek().is(end) {
			return "", errorAt(s.tokens[start].offset, "no %c ends the %s", terminator, what)
		}
		s.next++
	}
	text := join(s.tokens[start:s.next])
	s.next++
	if text == "" {
		return "", errorAt(s.tokens[start].offset, "the %s is empty", what)
	}
	return text, nil
}

// join returns the text of the tokens.
func join(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.String())
	}
	return b.String()
}
