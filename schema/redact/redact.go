// Package redact keeps credentials out of what is printed: a URL loses its user
// part and its query, and the value of a header is never shown.
package redact

import (
	"regexp"
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// A Range is a stretch of a text in bytes.
type Range struct{ Start, End int }

// URLs are the user parts and queries of the URLs in a text, in order.
func URLs(text string) []Range {
	var found []Range
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return found
		}
		at += i + len("://")
		rest := text[at:]
		if end := strings.IndexAny(rest, " \t\r\n\"'<>`"); end >= 0 {
			rest = rest[:end]
		}
		authority := rest
		if end := strings.IndexAny(rest, "/?#"); end >= 0 {
			authority = rest[:end]
		}
		if user := strings.LastIndexByte(authority, '@'); user > 0 {
			found = append(found, Range{at, at + user})
		}
		if query := strings.IndexByte(rest, '?'); query >= 0 && query+1 < len(rest) {
			found = append(found, Range{at + query + 1, at + len(rest)})
		}
		at += len(rest)
	}
}

// Text is a text whose URLs have lost their user parts and queries.
func Text(text string) string {
	var b strings.Builder
	at := 0
	for _, r := range URLs(text) {
		b.WriteString(text[at:r.Start])
		b.WriteString("…")
		at = r.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// Node is a value for a message: a scalar as it is written, on one line, cut
// and redacted; a collection is only named by its kind.
func Node(n *source.Node) string {
	if n.IsScalar() && InHeaders(n) {
		return n.Kind.String()
	}
	return source.Printable(Text(n.Written()))
}

var variable = regexp.MustCompile(`\$\{[^}]*\}`)

// Header is what of a header's value is not to be printed: all but its ${…}, as
// stretches of the file's text.
func Header(value *source.Node) []Range {
	var found []Range
	at := value.Start
	for _, v := range variable.FindAllStringIndex(value.File.Text[value.Start:value.End], -1) {
		found = append(found, Range{at, value.Start + v[0]})
		at = value.Start + v[1]
	}
	return append(found, Range{at, value.End})
}

// InHeaders says whether a node is the value of a header.
func InHeaders(n *source.Node) bool {
	return n.Key != nil && n.Parent.Key != nil && n.Parent.Key.Value == "headers"
}
