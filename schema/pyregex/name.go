package pyregex

import (
	"math"
	"strings"
	"unicode"
)

// maxIntDigits is how many digits Python's int() converts, by default.
const maxIntDigits = 4300

// isIdentifier reports whether a text is a Python identifier, as
// str.isidentifier has it: a character with the Unicode property XID_Start or
// an underscore, then characters with the property XID_Continue.
func isIdentifier(text string) bool {
	for i, c := range text {
		if c != '_' && !isXIDStart(c) && (i == 0 || !isXIDContinue(c)) {
			return false
		}
	}
	return text != ""
}

// isXIDStart reports whether a character has the property XID_Start. The Go
// library has the classes that Unicode Standard Annex 31 derives it from.
func isXIDStart(c rune) bool {
	switch c {
	case 0x0E33, 0x0EB3, 0xFF9E, 0xFF9F:
		return false // letters that normalize to a mark in front
	}
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start) && !isExcluded(c)
}

// isXIDContinue reports whether a character has the property XID_Continue.
func isXIDContinue(c rune) bool {
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start,
		unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) && !isExcluded(c)
}

// isExcluded reports whether a character is in neither property in spite of
// its class: it is syntax, or its compatibility normalization holds a space.
func isExcluded(c rune) bool {
	switch {
	case c == 0x037A, c == 0x309B, c == 0x309C,
		0xFC5E <= c && c <= 0xFC63, c == 0xFDFA, c == 0xFDFB,
		0xFE70 <= c && c <= 0xFE7E && c%2 == 0:
		return true
	}
	return unicode.Is(unicode.Pattern_Syntax, c)
}

// parseInt reads a group number as Python's int() does, which takes white
// space around it, a sign, single underscores between digits, and the decimal
// digits of any script. The documentation of re allows ASCII digits only, but
// up to Python 3.11 anything else brings no more than a DeprecationWarning.
// A number below 0 is refused, and one too large for any group is cut.
func parseInt(text string) (int, bool) {
	text = strings.TrimFunc(text, unicode.IsSpace)
	sign := strings.HasPrefix(text, "-")
	if sign || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	value, digits := 0, 0
	afterDigit := false
	for _, c := range text {
		if c == '_' && afterDigit {
			afterDigit = false
			continue
		}
		d, ok := decimal(c)
		if !ok {
			return 0, false
		}
		value = min(value*10+d, math.MaxInt32)
		digits++
		afterDigit = true
	}
	if !afterDigit || digits > maxIntDigits || sign && value != 0 {
		return 0, false
	}
	return value, true
}

// decimal returns the value of a decimal digit of any script. Unicode gives
// the digits from zero to nine consecutive code points.
func decimal(c rune) (int, bool) {
	if !unicode.IsDigit(c) {
		return 0, false
	}
	before := 0
	for unicode.IsDigit(c - 1) {
		c--
		before++
	}
	return before % 10, true
}
