package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

func connection() []Rule {
	return []Rule{
		{ID: "connection-id", Severity: Error, Summary: "A connection's id differs from its key.", Project: eachConnection(connectionID)},
		{ID: "connection-incomplete", Severity: Error, Summary: "A connection of the project's own is not complete.", Project: eachConnection(connectionIncomplete)},
		{ID: "host-missing", Severity: Error, Summary: "A connection has no host that its token may go to.", Project: eachSound(hostMissing)},
		{ID: "host-broad", Severity: Error, Summary: "A host is a platform's, shared by everyone.", Project: eachConnection(hostBroad)},
		{ID: "host-shadowed", Severity: Error, Summary: "A path on a host stands beside the whole host.", Project: eachSound(hostShadowed)},
		{ID: "prefixes-unread", Severity: Error, Summary: "Token prefixes stand beside a token format, and are not read.", Project: eachSound(prefixesUnread)},
		{ID: "scope-default", Severity: Error, Summary: "An optional scope is a default one, too.", Project: eachSound(scopeDefault)},
		{ID: "scope-menu", Severity: Error, Summary: "Optional scopes stand beside a fixed authorization query.", Project: eachSound(scopeMenu)},
		{ID: "token-example", Severity: Error, Summary: "A token example is judged other than it says.", Project: eachSound(tokenExample)},
		{ID: "token-google", Severity: Error, Summary: "A connection would take Google's tokens as its own.", Project: eachSound(tokenGoogle)},
		{ID: "mcp-url-host", Severity: Error, Summary: "A connection's MCP server is not on its hosts.", Project: eachSound(mcpURLHost)},
	}
}

// eachConnection asks a check of every connection that gete.yaml declares as a map.
func eachConnection(check func(*Pass, *declaration.Connection)) func(*Pass) {
	return func(p *Pass) {
		for _, c := range p.Project.Own() {
			check(p, c)
		}
	}
}

// eachSound is eachConnection for those without a fault of shape: a check that
// weighs several values must have them all.
func eachSound(check func(*Pass, *declaration.Connection)) func(*Pass) {
	return eachConnection(func(p *Pass, c *declaration.Connection) {
		if c.Sound {
			check(p, c)
		}
	})
}

// nearest is the first of some nodes of a connection's definition that gete.yaml
// wrote, and the connection's key where the catalog wrote them all.
func nearest(c *declaration.Connection, nodes ...*source.Node) *source.Node {
	for _, n := range nodes {
		if n != nil && n.File == c.Key.File {
			return n
		}
	}
	return c.Key
}

// keyIn is the key of a field of a mapping, or nil.
func keyIn(mapping *source.Node, key string) *source.Node {
	if mapping == nil {
		return nil
	}
	f, _ := mapping.Field(key)
	return f.Key
}

func connectionID(p *Pass, c *declaration.Connection) {
	id := c.Own.Get("id")
	if id == nil || p.Project.Gete.Refused(id) || id.Value == c.ID {
		return
	}
	p.Report(Finding{
		At: id, Message: fmt.Sprintf("the id %s differs from the key `%s` that the connection stands under", redact.Node(id), c.ID),
		Help: "remove the id: the key is enough", Related: c.Key, Note: "the key",
	})
}

func connectionIncomplete(p *Pass, c *declaration.Connection) {
	if len(c.Missing) == 0 {
		return
	}
	shipped := p.Project.Registry.Shipped()
	f := Finding{
		At: c.Key, Message: fmt.Sprintf("the connection `%s` lacks %s, and no connection of that name ships with gete", c.ID, strings.Join(c.Missing, ", ")),
		Help: "complete it, or use the id of one that ships: " + strings.Join(shipped, ", "),
	}
	f.Suggest(p.like(c.ID, shipped), Backquoted)
	p.Report(f)
}

func hostMissing(p *Pass, c *declaration.Connection) {
	if len(c.Entries()) == 0 && !c.NeedsRoot() {
		p.Report(Finding{
			At: c.Key, Message: fmt.Sprintf("the connection `%s` has no host, so its token may go nowhere", c.ID),
			Help: "add hosts or base_url",
		})
	}
}

// platformHosts are names under which a platform serves everyone's software or
// all of its own: a token that may go there may go to anyone.
func platformHosts() []string {
	return []string{
		"googleapis.com", "www.googleapis.com", "google.com", "amazonaws.com", "cloudfront.net", "run.app",
		"cloudfunctions.net", "azurewebsites.net", "herokuapp.com", "github.io", "vercel.app", "netlify.app",
	}
}

func hostBroad(p *Pass, c *declaration.Connection) {
	report := func(at *source.Node, host string) {
		if slices.Contains(platformHosts(), host) {
			p.Report(Finding{
				At: at, Message: fmt.Sprintf("%s is a platform that many services share", host),
				Help: "name the service's own host, or a path on this one as host/path/",
			})
		}
	}
	if hosts := c.Own.Get("hosts"); hosts != nil {
		for _, item := range hosts.Items {
			if !p.Project.Gete.Refused(item) {
				report(item, item.Value)
			}
		}
	}
	if base := c.Own.Get("base_url"); base != nil && !p.Project.Gete.Refused(base) {
		report(base, declaration.HostOf(base.Value))
	}
}

func hostShadowed(p *Pass, c *declaration.Connection) {
	whole := map[string]*source.Node{}
	for _, item := range c.Items("hosts") {
		if !strings.Contains(item.Value, "/") {
			whole[item.Value] = item
		}
	}
	if base := c.Get("base_url"); base != nil {
		whole[declaration.HostOf(base.Value)] = base
	}
	for _, item := range c.Items("hosts") {
		host, _, bounded := strings.Cut(item.Value, "/")
		if by := whole[host]; bounded && by != nil {
			p.Report(Finding{
				At: nearest(c, item, by), Message: fmt.Sprintf("%s bounds nothing: the token may go to all of %s", item.Value, host),
				Help: "keep the path or the host", Related: nearest(c, by), Note: "the whole host",
			})
		}
	}
}

func prefixesUnread(p *Pass, c *declaration.Connection) {
	if c.JWT() && len(c.Prefixes()) > 0 {
		p.Report(Finding{
			At: nearest(c, keyIn(c.Node, "token_prefixes"), keyIn(c.Node, "tokens")), Message: "`token_prefixes` is not read beside `tokens.format`, which decides alone",
			Help: "keep one of the two",
		})
	}
}

func scopeDefault(p *Pass, c *declaration.Connection) {
	optional := c.Get("oauth", "optional_scopes")
	if optional == nil {
		return
	}
	scopes := c.Get("oauth", "scopes")
	for _, f := range optional.Fields {
		if scopes == nil || scopes.Get(f.Key.Value) == nil {
			continue
		}
		p.Report(Finding{
			At: nearest(c, f.Key, keyIn(scopes, f.Key.Value)), Message: fmt.Sprintf("the scope `%s` is always asked for, so it is not optional", redact.Node(f.Key)),
			Help: "keep it under scopes or under optional_scopes", Related: nearest(c, keyIn(scopes, f.Key.Value)), Note: "asked for by default",
		})
	}
}

func scopeMenu(p *Pass, c *declaration.Connection) {
	oauth := c.Get("oauth")
	if oauth == nil || oauth.Get("optional_scopes") == nil || oauth.Get("authorization_query") == nil {
		return
	}
	p.Report(Finding{
		At: nearest(c, keyIn(oauth, "optional_scopes"), keyIn(oauth, "authorization_query")), Message: "`optional_scopes` cannot be asked for beside `authorization_query`, which fixes the request",
		Help: "keep one of the two", Related: nearest(c, keyIn(oauth, "authorization_query")), Note: "the fixed query",
	})
}

func tokenExample(p *Pass, c *declaration.Connection) {
	for _, item := range c.Items("examples", "accepts") {
		if !p.Project.Registry.Takes(c, item.Value) {
			p.Report(Finding{
				At: nearest(c, item), Message: fmt.Sprintf("the connection `%s` does not take this token, and the example says that it does", c.ID),
				Help: "correct the example, or token_prefixes and tokens.format",
			})
		}
	}
	if c.ByElimination() && !p.Project.Registry.Sound() {
		return // a connection that is not known may well have the prefix
	}
	for _, item := range c.Items("examples", "rejects") {
		if p.Project.Registry.Takes(c, item.Value) {
			p.Report(Finding{
				At: nearest(c, item), Message: fmt.Sprintf("the connection `%s` takes this token, and the example says that it does not", c.ID),
				Help: "correct the example, or token_prefixes and tokens.format",
			})
		}
	}
}

func tokenGoogle(p *Pass, c *declaration.Connection) {
	if p.Project.Registry.TakesGoogle(c) && !p.Project.Registry.IsGoogle(c) {
		p.Report(Finding{
			At: c.Key, Message: fmt.Sprintf("the connection `%s` would take a token that Google issued, and send it to its own hosts", c.ID),
			Help: "take away the prefix or the Google host that lets it",
		})
	}
}

func mcpURLHost(p *Pass, c *declaration.Connection) {
	u := c.Get("mcp", "url")
	if u == nil || c.NeedsRoot() || len(c.Entries()) == 0 {
		return // host-missing says the latter
	}
	if !c.Allows(c.Resolve(u.Value)) {
		p.Report(Finding{
			At: nearest(c, u), Message: fmt.Sprintf("the token of `%s` may not go to its own MCP server, %s", c.ID, redact.Node(u)),
			Help: "add the server's host to hosts",
		})
	}
}
