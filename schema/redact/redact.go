// Package redact keeps credentials out of what is printed: a URL loses its user
// part and its query, and the value of a header is never shown.
package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// A Range is a stretch of a text in bytes.
type Range struct{ Start, End int }

// Placeholder is a ${…} in the value of a header, whose place the environment
// takes.
var Placeholder = regexp.MustCompile(`\$\{[^}]*\}`)

// URL is where the user part and the query of a URL are; an empty range where it
// has none. What is no URL, for want of a scheme or of anything else, is read as
// if it were one: a slip must not bring a credential to light.
func URL(text string) (user, query Range) {
	start, end := 0, len(text)
	if i := strings.IndexByte(text, '?'); i >= 0 {
		query = Range{i + 1, len(text)}
		end = i
	}
	scheme := strings.Index(text[:end], "://")
	if scheme >= 0 {
		start = scheme + len("://")
		if i := strings.IndexByte(text[start:end], '/'); i >= 0 {
			end = start + i
		}
	}
	if i := strings.LastIndexByte(text[start:end], '@'); i >= 0 {
		user = Range{start, start + i}
	}
	return user, query
}

// URLs are the user parts and queries of the URLs in a text, in order.
func URLs(text string) []Range {
	var found []Range
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return found
		}
		rest := text[at+i:]
		if end := strings.IndexAny(rest, " \t\r\n\"'<>`"); end >= 0 {
			rest = rest[:end]
		}
		user, query := URL(rest)
		found = appendRange(found, user, at+i)
		found = appendRange(found, query, at+i)
		at += i + len(rest)
	}
}

func appendRange(found []Range, r Range, offset int) []Range {
	if r.Start == r.End {
		return found
	}
	return append(found, Range{r.Start + offset, r.End + offset})
}

// cut is a text without some stretches of it.
func cut(text string, ranges []Range) string {
	var b strings.Builder
	at := 0
	for _, r := range ranges {
		b.WriteString(text[at:r.Start])
		b.WriteString("…")
		at = r.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// Text is a text whose URLs have lost their user parts and queries.
func Text(text string) string { return cut(text, URLs(text)) }

// Name is a name for a message: on one line, cut and redacted.
func Name(name string) string { return source.Printable(Text(name)) }

// Node is a value for a message: a scalar as it is written, on one line, cut
// and redacted; a collection, and a secret, is only named by its kind.
func Node(n *source.Node) string {
	switch {
	case !n.IsScalar() || IsSecret(n):
		return n.Kind.String()
	case isURL(n):
		user, query := URL(n.Value)
		return source.Printable(cut(n.Value, appendRange(appendRange(nil, user, 0), query, 0)))
	}
	return source.Printable(Text(n.Written()))
}

// IsSecret says whether a value is a header's, here or where an alias took it
// from, or would be one if its key were spelt right or on its level.
func IsSecret(n *source.Node) bool {
	for _, written := range []*source.Node{n, n.Origin} {
		for ; written != nil; written = written.Parent {
			if written.Key != nil && holdsSecrets(written.Key.Value) {
				return true
			}
		}
	}
	return false
}

func holdsSecrets(key string) bool {
	return strings.EqualFold(key, "authorization") || suggest.Closest(key, []string{"headers", "header"}).Name != ""
}

// isURL says whether a value stands under a key that takes a URL.
func isURL(n *source.Node) bool {
	if n.Key == nil {
		return false
	}
	switch n.Key.Value {
	case "url", "uri", "base_url", "authorization_url", "token_url", "docs", "endpoint", "server":
		return true
	}
	return false
}

// Secrets are the stretches of a file that no report may print, in order and
// apart from one another.
func Secrets(f *source.File) []Range {
	found := URLs(f.Text)
	if f.Root != nil {
		found = appendNode(found, f.Root, false)
	}
	if len(f.Faults) > 0 {
		// What a fault has taken out of the tree is still in the text.
		found = append(found, headerLines(f.Text)...)
	}
	slices.SortFunc(found, func(a, b Range) int { return a.Start - b.Start })
	apart := found[:0]
	for _, r := range found {
		if n := len(apart); n > 0 && r.Start <= apart[n-1].End {
			apart[n-1].End = max(apart[n-1].End, r.End)
			continue
		}
		apart = append(apart, r)
	}
	return apart
}

func appendNode(found []Range, n *source.Node, secret bool) []Range {
	if n.Origin != nil {
		if secret && n.IsScalar() {
			found = appendValue(found, n.Origin)
		}
		return found
	}
	if n.IsScalar() {
		switch {
		case secret:
			return appendValue(found, n)
		case isURL(n):
			return appendURL(found, n)
		}
		return found
	}
	for _, item := range n.Items {
		found = appendNode(found, item, secret)
	}
	for _, f := range n.Fields {
		found = appendNode(found, f.Value, secret || holdsSecrets(f.Key.Value))
	}
	return found
}

// appendValue adds all of a value but its placeholders.
func appendValue(found []Range, n *source.Node) []Range {
	return appendText(found, n.File.Text, n.Start, n.End)
}

func appendText(found []Range, text string, start, end int) []Range {
	at := start
	for _, v := range Placeholder.FindAllStringIndex(text[start:end], -1) {
		found = append(found, Range{at, start + v[0]})
		at = start + v[1]
	}
	return append(found, Range{at, end})
}

// appendURL adds the user part and the query of a URL, and all of it where an
// escape or a fold keeps them from being found.
func appendURL(found []Range, n *source.Node) []Range {
	user, query := URL(n.Value)
	if user == query {
		return found
	}
	at := strings.Index(n.File.Text[n.Start:n.End], n.Value)
	if at < 0 {
		return append(found, Range{n.Start, n.End})
	}
	return appendRange(appendRange(found, user, n.Start+at), query, n.Start+at)
}

var headersKey = regexp.MustCompile(`(?i)(?:headers?|authorization)["']?[ \t]*:`)

// headerLines are what stands behind and below the keys that hold headers in a
// text that is not YAML: to the next line that is indented no deeper.
func headerLines(text string) []Range {
	var found []Range
	for at := 0; ; {
		m := headersKey.FindStringIndex(text[at:])
		if m == nil {
			return found
		}
		start := at + m[1]
		line := strings.LastIndexByte(text[:start], '\n') + 1
		indent := indentation(text[line:])
		end := start
		for end < len(text) {
			next := strings.IndexByte(text[end:], '\n')
			if next < 0 {
				end = len(text)
				break
			}
			end += next + 1
			if rest := strings.TrimLeft(text[end:], " \t\r"); rest != "" && rest[0] != '\n' && indentation(text[end:]) <= indent {
				break
			}
		}
		found = appendText(found, text, start, end)
		at = end
	}
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
