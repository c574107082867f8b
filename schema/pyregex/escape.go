package pyregex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unknownChar is the value of a character given by its Unicode name.
const unknownChar rune = -1

// maxOctal is the greatest character that three octal digits may stand for.
const maxOctal = 0o377

// escape reads an escape outside a set.
func (p *parser) escape(t token) (item, error) {
	switch {
	case strings.ContainsRune("AZbB", t.char):
		return item{kind: anchor}, nil
	case isCategory(t.char):
		return item{atom, one()}, nil
	case t.char == '0':
		p.digits(8, 2)
		return item{atom, one()}, nil
	case '1' <= t.char && t.char <= '9':
		number, isChar, err := p.numberEscape(t)
		if err != nil || isChar {
			return item{atom, one()}, err
		}
		return p.backReference(number, t.offset)
	}
	_, err := p.charEscape(t)
	return item{atom, one()}, err
}

// isCategory reports whether an escape stands for a set of characters.
func isCategory(char rune) bool {
	return strings.ContainsRune("dDsSwW", char)
}

// numberEscape reads the rest of \1 to \9: three octal digits are a
// character, and one or two decimal digits are a group number.
func (s *scanner) numberEscape(t token) (number int, isChar bool, err error) {
	digits := string(t.char) + s.digits(10, 1)
	if len(digits) == 2 && strings.Trim(digits, "01234567") == "" {
		if third := s.digits(8, 1); third != "" {
			char, err := octal(t, digits+third)
			return int(char), true, err
		}
	}
	number, err = strconv.Atoi(digits)
	return number, false, err
}

// octal returns the character that the octal digits of an escape stand for.
func octal(t token, digits string) (rune, error) {
	value, err := strconv.ParseUint(digits, 8, 32)
	if err != nil || value > maxOctal {
		return 0, errorAt(t.offset, `octal escape \%s is above \377`, digits)
	}
	return rune(value), nil
}

// charEscape reads an escape for one character that means the same within a
// set and outside it, other than an octal one.
func (p *parser) charEscape(t token) (rune, error) {
	switch t.char {
	case 'x':
		return p.hexEscape(t, 2)
	case 'u':
		return p.hexEscape(t, 4)
	case 'U':
		return p.hexEscape(t, 8)
	case 'N':
		return unknownChar, p.nameEscape(t)
	}
	return simpleEscape(t)
}

// simpleEscape returns the character that a backslash with one character
// stands for in a set or in a replacement. A letter without a meaning is kept
// for the future and refused.
func simpleEscape(t token) (rune, error) {
	if i := strings.IndexRune("abfnrtv", t.char); i >= 0 {
		return rune("\a\b\f\n\r\t\v"[i]), nil
	}
	if 'a' <= t.char && t.char <= 'z' || 'A' <= t.char && t.char <= 'Z' {
		return 0, errorAt(t.offset, "unknown escape %s", t)
	}
	return t.char, nil
}

// hexEscape reads the hexadecimal digits of an escape.
func (p *parser) hexEscape(t token, length int) (rune, error) {
	digits := p.digits(16, length)
	if len(digits) < length {
		return 0, errorAt(t.offset, "%s needs %d hexadecimal digits", t, length)
	}
	value, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || value > utf8.MaxRune {
		return 0, errorAt(t.offset, "%s%s is above the last code point, U+10FFFF", t, digits)
	}
	return rune(value), nil
}

// nameEscape reads the rest of \N{name}. The names are not known here, but
// they all consist of letters, digits, spaces and hyphens (section 4.8 of the
// Unicode Standard).
func (p *parser) nameEscape(t token) error {
	if !p.accept('{') {
		return errorAt(t.offset, `\N needs a character name in braces`)
	}
	name, err := p.until('}', "character name")
	if err != nil {
		return err
	}
	for _, c := range name {
		if !isNameChar(c) {
			return errorAt(t.offset, "there is no character %s", quote(name))
		}
	}
	return nil
}

// isNameChar reports whether the name of a character can have c in it. Python
// ignores the case.
func isNameChar(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == ' ' || c == '-'
}
