package live

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// quote is what a server said, cut shorter than a whole message.
func (t Target) quote(said string) string { return cut(t.redact(said), maxQuote) }

// clean makes a message one line of bounded length without secrets.
func (t Target) clean(message string) string { return cut(t.redact(message), maxMessage) }

// redact makes a text one line without secrets. That comes before any cut, which
// could leave half of a secret that is then not found.
func (t Target) redact(message string) string {
	message = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, message)
	message = strings.Join(strings.Fields(message), " ")
	for _, secret := range t.secrets() {
		message = strings.ReplaceAll(message, secret, "…")
	}
	return message
}

// secrets are the texts that no message may hold, long ones before those that
// may be parts of them.
func (t Target) secrets() []string {
	const short = 4 // anything shorter is in every other message by chance
	var texts []string
	for _, value := range t.Headers {
		texts = append(texts, value)
		if _, token, ok := strings.Cut(value, " "); ok {
			texts = append(texts, token)
		}
	}
	if u, err := url.Parse(t.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			texts = append(texts, password)
		}
		for _, values := range u.Query() {
			texts = append(texts, values...)
		}
	}
	var all []string
	for _, secret := range texts {
		if secret = strings.Join(strings.Fields(secret), " "); len(secret) >= short {
			all = append(all, secret)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}
