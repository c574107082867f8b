package openapi

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// refusesPattern says whether a string certainly does not match a pattern.
// Patterns are ECMA-262 regular expressions (JSON Schema 2020-12 validation,
// section 6.3.3). Go's engine knows most of their constructs; a pattern that has
// another one, or one that Go takes for something else, is not judged, and
// neither is a string with characters of which the two may think differently.
func refusesPattern(pattern, s string) bool {
	if !meansTheSame(pattern) || !plainText(s) {
		return false
	}
	re, err := regexp.Compile(pattern)
	return err == nil && !re.MatchString(s)
}

// plainText says whether a string has only characters that both engines count as
// one, and as no line end or white space but the ordinary space.
func plainText(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r != ' ' && (unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF' || r == '\u2028' || r == '\u2029' || r > '\uFFFF')
	}) < 0
}

// meansTheSame says whether Go reads each construct of a pattern as ECMA-262 does,
// or not at all.
func meansTheSame(pattern string) bool {
	if len(pattern) > 1 && pattern[0] == '/' && strings.LastIndexByte(pattern, '/') > 0 {
		return false // delimiters, perhaps, that do not belong to it
	}
	inSet := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(pattern[i:])
			if r > '\uFFFF' {
				return false
			}
			i += size - 1
		case c == '\\':
			if i++; i == len(pattern) || !sameEscape(pattern[i:], inSet) {
				return false
			}
		case inSet && c == '[': // a POSIX class for Go
			return false
		case inSet:
			inSet = c != ']'
		case c == '[':
			inSet = true
			rest := strings.TrimPrefix(pattern[i+1:], "^")
			if strings.HasPrefix(rest, "]") { // an empty set, which Go takes for one with a bracket
				return false
			}
		case c == '(' && strings.HasPrefix(pattern[i+1:], "?"):
			if !strings.HasPrefix(pattern[i+1:], "?:") {
				return false
			}
		}
	}
	return true
}

// sameEscape says whether the escape whose backslash stands before a text means
// the same in both.
func sameEscape(text string, inSet bool) bool {
	switch c := text[0]; {
	case strings.IndexByte("dDwWsStnrfv", c) >= 0:
		return true
	case c == 'b' || c == 'B':
		return !inSet
	case c == 'x':
		return len(text) > 2 && isHex(text[1]) && isHex(text[2])
	case c >= utf8.RuneSelf || c <= ' ':
		return false
	}
	return !isWord(text[0])
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
