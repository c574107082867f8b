package rules

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

const authorization = "Authorization"

func headerReplacesToken(p *Pass, b *declaration.MCP) {
	for _, h := range b.Headers {
		if replacesToken(b, h) {
			p.Report(Finding{
				At: h.Key, Message: "this header takes the place of the token that the block's connection sends",
				Help: "remove the header, or the connection", Related: b.Connection, Note: "the connection",
			})
		}
	}
}

func replacesToken(b *declaration.MCP, h source.Field) bool {
	return b.Connection != nil && strings.EqualFold(h.Key.Value, authorization)
}

// variable is a placeholder that names a variable, and that name.
var variable = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$`)

// Expand is the value of a header with what a function holds in place of each
// ${NAME}. A ${…} that names no variable stays, as it would be sent.
func Expand(value string, hold func(name string) string) string {
	return redact.Placeholder.ReplaceAllStringFunc(value, func(found string) string {
		if name := variable.FindStringSubmatch(found); name != nil {
			return hold(name[1])
		}
		return found
	})
}

func headerVariable(p *Pass, b *declaration.MCP) {
	for _, h := range b.Headers {
		if replacesToken(b, h) {
			continue
		}
		for _, found := range redact.Placeholder.FindAllString(h.Value.Value, -1) {
			if !variable.MatchString(found) {
				p.Report(Finding{
					At: h.Value, Message: fmt.Sprintf("the ${…} in `%s` names no variable, so it would be sent as it stands", redact.Name(h.Key.Value)),
					Help: "write ${NAME}, with letters, digits and underscores",
				})
				break
			}
		}
	}
}

func urlSecret(p *Pass, b *declaration.MCP) {
	if b.URL == nil {
		return
	}
	if what := CredentialIn(b.URL.Value); what != "" {
		p.Report(Finding{
			At: b.URL, Message: "the url carries " + what + ", which everyone who reads this file then has",
			Help: "use a connection, or a header with ${NAME}",
		})
	}
}

// CredentialIn says what of a URL is a credential, or "".
func CredentialIn(target string) string {
	user, query := redact.URL(target)
	if user.Start < user.End {
		return "a user part"
	}
	parameters, _, _ := strings.Cut(target[query.Start:query.End], "#")
	for _, pair := range strings.FieldsFunc(parameters, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		if unescaped, err := url.QueryUnescape(name); err == nil {
			name = unescaped
		}
		if value != "" && !redact.Placeholder.MatchString(value) && namesCredential(name) {
			return fmt.Sprintf("the credential `%s`", redact.Name(name))
		}
	}
	return ""
}

// namesCredential says whether a query parameter is one that carries a
// credential. Separators and case do not count: api-key, apiKey and API_KEY are
// one name.
func namesCredential(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
	switch name {
	case "key", "pass", "passwd", "pwd", "sig", "authorization", "jwt", "credential", "credentials":
		return true
	}
	for _, ending := range []string{"apikey", "accesskey", "accesskeyid", "secretkey", "privatekey", "subscriptionkey", "authkey", "token", "secret", "password", "signature"} {
		if strings.HasSuffix(name, ending) {
			return name != "pagetoken" && name != "nextpagetoken" && name != "nexttoken" && name != "synctoken"
		}
	}
	return false
}

// credentialScheme is an authorization scheme with a literal value behind it
// (RFC 9110, section 11.4).
var credentialScheme = regexp.MustCompile(`(?i)^\s*(bearer|basic|token)\s+([^\s$]+)\s*$`)

// knownPrefixes are what tokens of widely used services begin with, beside
// those of the connections.
var knownPrefixes = []string{
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-",
	"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-",
	"ya29.", "AIza", "AKIA", "ASIA", "sk-", "sk_live_", "sk_test_", "rk_live_", "npm_", "pypi-", "hf_",
	"dop_v1_", "shpat_", "SG.", "secret_", "ntn_", "lin_api_", "eyJ", "-----BEGIN",
}

func headerSecret(p *Pass, b *declaration.MCP) {
	for _, h := range b.Headers {
		if replacesToken(b, h) || !looksSecret(p, h) {
			continue
		}
		p.Report(Finding{
			At: h.Value, Message: fmt.Sprintf("the header `%s` carries a credential, which everyone who reads this file then has", redact.Name(h.Key.Value)),
			Help: "take it from the environment, as ${NAME}",
		})
	}
}

// looksSecret says whether a header's value is a credential by its form.
func looksSecret(p *Pass, h source.Field) bool {
	value := h.Value.Value
	if m := credentialScheme.FindStringSubmatch(value); m != nil {
		decoded, err := base64.StdEncoding.DecodeString(m[2])
		switch {
		case strings.EqualFold(h.Key.Value, authorization), strings.EqualFold(m[1], "bearer"):
			return true
		case strings.EqualFold(m[1], "basic") && err == nil && strings.Contains(string(decoded), ":"):
			return true
		}
	}
	for _, word := range strings.Fields(value) {
		for _, prefix := range knownPrefixes {
			if rest, ok := strings.CutPrefix(word, prefix); ok && isRandom(rest) {
				return true
			}
		}
		for _, c := range p.Project.Registry {
			for _, prefix := range c.Prefixes() {
				if rest, ok := strings.CutPrefix(word, prefix); ok && rest != "" && !strings.HasPrefix(rest, "$") {
					return true
				}
			}
		}
	}
	return false
}

// isRandom tells what stands behind the prefix of a token from the rest of an
// ordinary word: it is long, and has digits or letters of both cases.
func isRandom(s string) bool {
	const shortest = 8
	mixed := strings.ToLower(s) != s && strings.ToUpper(s) != s
	return len(s) >= shortest && (mixed || strings.ContainsAny(s, "0123456789"))
}
