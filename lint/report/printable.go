package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// isPrintable says whether a character may reach a terminal as it is. What
// moves the cursor, reorders text, cannot be seen or looks like an ordinary
// space may not.
func isPrintable(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r)
}

// escapeRune is the visible form of a character that is not printable, in the
// style of the messages of package rules.
func escapeRune(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// escapeByte is the visible form of a byte that is no part of a character.
func escapeByte(b byte) string { return fmt.Sprintf(`\x%02x`, b) }

// oneLine is a text of which every character is printable. It protects the
// reader of a report where a path or a message holds something that is not.
func oneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(escapeByte(s[i]))
		case isPrintable(r):
			b.WriteRune(r)
		default:
			b.WriteString(escapeRune(r))
		}
	}
	return b.String()
}

// displayWidth is how many columns of a terminal a printable text takes. It
// does not depend on the locale, so that a report is the same everywhere.
func displayWidth(s string) int {
	condition := runewidth.Condition{StrictEmojiNeutral: true}
	return condition.StringWidth(s)
}
