package rules

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
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

func headerVariable(p *Pass, b *declaration.MCP) {
	for _, h := range b.Headers {
		if replacesToken(b, h) {
			continue
		}
		for _, found := range braces.FindAllString(h.Value.Value, -1) {
			if !variable.MatchString(found) {
				p.Report(Finding{
					At: h.Value, Message: fmt.Sprintf("the ${…} in `%s` names no variable, so it would be sent as it stands", source.Printable(h.Key.Value)),
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
	u, err := url.Parse(b.URL.Value)
	if err != nil {
		return
	}
	what := ""
	if u.User != nil {
		what = "a user part"
	}
	for _, pair := range strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		if unescaped, err := url.QueryUnescape(name); err == nil {
			name = unescaped
		}
		if what == "" && value != "" && !braces.MatchString(value) && namesCredential(name) {
			what = fmt.Sprintf("the credential `%s`", source.Printable(name))
		}
	}
	if what != "" {
		p.Report(Finding{
			At: b.URL, Message: "the url carries " + what + ", which everyone who reads this file then has",
			Help: "use a connection, or a header with ${NAME}",
		})
	}
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
var credentialScheme = regexp.MustCompile(`(?i)^\s*(bearer|basic|token)\s+[^\s$]`)

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
		if replacesToken(b, h) || !looksSecret(p, h.Value.Value) {
			continue
		}
		p.Report(Finding{
			At: h.Value, Message: fmt.Sprintf("the header `%s` carries a credential, which everyone who reads this file then has", source.Printable(h.Key.Value)),
			Help: "take it from the environment, as ${NAME}",
		})
	}
}

func looksSecret(p *Pass, value string) bool {
	if credentialScheme.MatchString(value) {
		return true
	}
	for _, word := range strings.Fields(value) {
		for _, prefix := range knownPrefixes {
			if strings.HasPrefix(word, prefix) && len(word) > len(prefix) {
				return true
			}
		}
		for _, c := range p.Project.Registry {
			for _, prefix := range c.Prefixes() {
				if strings.HasPrefix(word, prefix) && len(word) > len(prefix) {
					return true
				}
			}
		}
	}
	return false
}
