package declaration

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/catalog"
	"github.com/gete-lint/gete/schema/source"
)

// JWT says whether every token of the connection is a JWT.
func (c *Connection) JWT() bool { return c.Text("tokens", "format") == "jwt" }

// Prefixes are what the connection's tokens begin with.
func (c *Connection) Prefixes() []string {
	var prefixes []string
	for _, item := range c.Items("token_prefixes") {
		prefixes = append(prefixes, item.Value)
	}
	return prefixes
}

// ByElimination says that the connection takes every token that is no other
// connection's: it declares neither a format nor prefixes.
func (c *Connection) ByElimination() bool { return !c.JWT() && len(c.Prefixes()) == 0 }

// Issuers are the hosts whose JWTs the connection takes as its own: where its
// tokens may go, and where its OAuth URLs are.
func (c *Connection) Issuers() []string {
	var issuers []string
	for _, entry := range c.Entries() {
		host, _, _ := strings.Cut(entry, "/")
		issuers = append(issuers, host)
	}
	for _, key := range []string{"authorization_url", "token_url"} {
		if host := HostOf(c.Resolve(c.Text("oauth", key))); host != "" {
			issuers = append(issuers, host)
		}
	}
	slices.Sort(issuers)
	return slices.Compact(issuers)
}

// googlePrefix is what Google's access tokens begin with.
const googlePrefix = "ya29."

// jwtPrefix is what a JWT mostly begins with: {" in base64url.
const jwtPrefix = "eyJ"

// Takes says whether the connection takes a token as its own. The rules are
// asked in turn, and the first that speaks decides.
func (r Registry) Takes(c *Connection, token string) bool {
	issuer, kind := issuerOf(token)
	if c.JWT() {
		return kind == issuedJWT && slices.Contains(c.Issuers(), issuer)
	}
	if prefixes := c.Prefixes(); len(prefixes) > 0 {
		return hasPrefix(token, prefixes)
	}
	switch {
	case strings.HasPrefix(token, googlePrefix), kind == unreadableJWT:
		return false
	case kind == issuedJWT:
		return slices.Contains(c.Issuers(), issuer)
	}
	for _, other := range r {
		if other.ID != c.ID && hasPrefix(token, other.Prefixes()) {
			return false
		}
	}
	return true
}

func hasPrefix(token string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(token, p) })
}

// A tokenKind is what a token can be seen to be.
type tokenKind uint8

const (
	opaque        tokenKind = iota // no JWT, or one that names no issuer
	issuedJWT                      // a JWT that names its issuer
	unreadableJWT                  // a JWT by its form, whose claims cannot be read
)

// issuerOf is the host of the issuer that a token names (RFC 7519, section
// 4.1.1), which is a URL or a bare host.
func issuerOf(token string) (host string, kind tokenKind) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || jsonObject(parts[0]) == nil {
		return "", opaque
	}
	claims := jsonObject(parts[1])
	if claims == nil {
		return "", unreadableJWT
	}
	issuer, ok := claims["iss"]
	if !ok {
		return "", opaque
	}
	text, ok := issuer.(string)
	if !ok {
		return "", unreadableJWT
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return HostOf(text), issuedJWT
	}
	return strings.ToLower(text), issuedJWT
}

// jsonObject is the JSON object that a part of a JWT is in base64url (RFC 7515,
// section 3); nil where it is none.
func jsonObject(part string) map[string]any {
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(part, "="))
	if err != nil {
		return nil
	}
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return nil
	}
	return object
}

// TakesGoogle says whether the connection takes what Google issues: an access
// token, or a JWT of its accounts.
func (r Registry) TakesGoogle(c *Connection) bool {
	const googleIssuer = "accounts.google.com"
	issued := c.ByElimination() || c.JWT()
	overlaps := slices.ContainsFunc(c.Prefixes(), func(p string) bool {
		return overlap(p, googlePrefix) || overlap(p, jwtPrefix)
	})
	return !c.JWT() && overlaps || issued && slices.Contains(c.Issuers(), googleIssuer)
}

// IsGoogle says whether the connection is Google's own: the catalog has it, and
// gives it Google's prefix.
func (r Registry) IsGoogle(c *Connection) bool {
	shipped := catalog.Connections().Get(c.ID)
	if shipped == nil {
		return false
	}
	prefixes := shipped.Get("token_prefixes")
	return prefixes != nil && slices.ContainsFunc(prefixes.Items, func(n *source.Node) bool { return n.Value == googlePrefix })
}

// Confusable says why a token cannot tell two connections apart; "" where it
// can.
func Confusable(a, b *Connection) string {
	switch {
	case a.ByElimination() && b.ByElimination():
		return "both take every token that carries no other connection's prefix"
	case a.JWT() && (b.JWT() || b.ByElimination()), b.JWT() && a.ByElimination():
		issuers := b.Issuers()
		for _, issuer := range a.Issuers() {
			if slices.Contains(issuers, issuer) {
				return "both take the JWTs that " + issuer + " issues"
			}
		}
		return ""
	case a.JWT() || b.JWT():
		return ""
	}
	for _, p := range a.Prefixes() {
		for _, q := range b.Prefixes() {
			if overlap(p, q) {
				return "a token that begins with " + longer(p, q) + " is one of either"
			}
		}
	}
	return ""
}

// overlap says whether a token may begin with both prefixes.
func overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

func longer(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}
