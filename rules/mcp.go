package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

func mcp() []Rule {
	return []Rule{
		{ID: "only-without-allow", Severity: Error, Summary: "An mcp block has only, and no allow.", Agent: eachMCP(onlyWithoutAllow)},
		{ID: "params-without-allow", Severity: Error, Summary: "An mcp block has params, and no allow.", Agent: eachMCP(paramsWithoutAllow)},
		{ID: "only-outside-allow", Severity: Error, Summary: "A tool under only is not in allow.", Agent: eachMCP(onlyOutsideAllow)},
		{ID: "params-outside-allow", Severity: Error, Summary: "A tool under params is not in allow.", Agent: eachMCP(paramsOutsideAllow)},
		{ID: "only-fixed", Severity: Error, Summary: "An argument is both the model's to write and fixed.", Agent: onlyFixed},
		{ID: "connection-undeclared", Severity: Error, Summary: "A block uses a connection that the agent does not name.", Agent: connectionUndeclared},
		{ID: "host-not-allowed", Severity: Error, Summary: "A block sends a token where its connection does not let it go.", Agent: hostNotAllowed},
		{ID: "connection-issues-tokens", Severity: Error, Summary: "An mcp block uses a connection of a GitHub App.", Agent: eachMCP(connectionIssuesTokens)},
		{ID: "header-replaces-token", Severity: Error, Summary: "A header takes the place of the connection's token.", Agent: eachMCP(headerReplacesToken)},
		{ID: "header-variable", Severity: Warning, Summary: "A header has a ${…} that is no variable.", Agent: eachMCP(headerVariable)},
		{ID: "url-secret", Severity: Warning, Summary: "A URL carries a credential.", Agent: eachMCP(urlSecret)},
		{ID: "header-secret", Severity: Warning, Summary: "A header carries a credential.", Agent: eachMCP(headerSecret)},
		{ID: "tool-offered-twice", Severity: Error, Summary: "Two blocks of an agent offer a tool of the same name.", Agent: toolOfferedTwice},
		{ID: "allow-missing", Severity: Advice, Summary: "An mcp block offers whatever the server lists.", Agent: eachMCP(allowMissing)},
		{ID: "only-missing", Severity: Advice, Summary: "A tool that writes takes whatever arguments the server adds.", Agent: eachMCP(onlyMissing)},
	}
}

// eachMCP asks a check of every mcp block.
func eachMCP(check func(*Pass, *declaration.MCP)) func(*Pass, *declaration.Agent) {
	return func(p *Pass, a *declaration.Agent) {
		for _, b := range a.Blocks {
			if b.MCP != nil {
				check(p, b.MCP)
			}
		}
	}
}

func onlyWithoutAllow(p *Pass, b *declaration.MCP)   { withoutAllow(p, b, b.Only) }
func paramsWithoutAllow(p *Pass, b *declaration.MCP) { withoutAllow(p, b, b.Params) }

func withoutAllow(p *Pass, b *declaration.MCP, e declaration.Entries) {
	if e.Key == nil || b.Allow.Stated {
		return
	}
	p.Report(Finding{
		At: e.Key, Message: fmt.Sprintf("`%s` needs `allow` beside it, to hold its tool names against", e.Key.Value),
		Help: "add `allow` with the tools to offer",
	})
}

func onlyOutsideAllow(p *Pass, b *declaration.MCP)   { outsideAllow(p, b, b.Only) }
func paramsOutsideAllow(p *Pass, b *declaration.MCP) { outsideAllow(p, b, b.Params) }

func outsideAllow(p *Pass, b *declaration.MCP, e declaration.Entries) {
	outside(p, e, b.Allow, "a tool this block offers", "tools of allow", "allow")
}

// outside reports the names of a map by tool that are not in the list that a block
// states under a key. what and members say in messages what such a name is, and
// what those of the list are.
func outside(p *Pass, e declaration.Entries, list declaration.Names, what, members, under string) {
	if !list.Known {
		return
	}
	names := list.Strings()
	for _, entry := range e.Tools {
		name := entry.Tool.Value
		if list.Has(name) {
			continue
		}
		f := Finding{
			At: entry.Tool, Message: fmt.Sprintf("%s is not %s", Quoted(name), what),
			Label:   fmt.Sprintf("`%s` may only name %s", e.Key.Value, members),
			Help:    fmt.Sprintf("add `%s` to %s, or remove it here", redact.Name(name), under),
			Related: list.Key, Note: "listed here",
		}
		if near := p.like(name, names); near.Name != "" {
			f.Suggest(near, Quoted)
			f.Help = fmt.Sprintf("write `%s`, or add `%s` to %s", redact.Name(near.Name), redact.Name(name), under)
			f.Related, f.Note = find(list.Items, near.Name), "offered here"
		}
		if r, ok := invisible(name); ok {
			f.Help = fmt.Sprintf("type the name again: it holds a character that cannot be seen, %U", r)
		}
		p.Report(f)
	}
}

// find is the first of some nodes with a value.
func find(nodes []*source.Node, value string) *source.Node {
	for _, n := range nodes {
		if n.Value == value {
			return n
		}
	}
	return nil
}

func onlyFixed(p *Pass, a *declaration.Agent) {
	for _, b := range a.Blocks {
		calls := b.Calls()
		if calls == nil {
			continue
		}
		for _, entry := range calls.Only.Tools {
			params, ok := calls.Params.Entry(entry.Tool.Value)
			if !ok {
				continue
			}
			fixed := map[string]source.Field{}
			for _, f := range params.Params {
				// A prefix or suffix wraps what the model writes; it fixes nothing.
				if b.MCP != nil || f.Value.Get("value") != nil {
					fixed[f.Key.Value] = f
				}
			}
			for _, item := range entry.Only {
				if f, ok := fixed[item.Value]; ok {
					p.Report(Finding{
						At: item, Message: fmt.Sprintf("`%s` is fixed, so the model cannot write it", redact.Name(item.Value)),
						Help:    "remove it here: a fixed argument is sent without being listed",
						Related: f.Key, Note: "fixed here", Fix: remove(item),
					})
				}
			}
		}
	}
}

func connectionUndeclared(p *Pass, a *declaration.Agent) {
	if !a.ConnectionsKnown {
		return
	}
	var ids, unknown []string
	for _, use := range a.Connections {
		ids = append(ids, use.ID.Value)
		if p.Project.Registry[use.ID.Value] == nil {
			unknown = append(unknown, use.ID.Value)
		}
	}
	for _, b := range a.Blocks {
		calls := b.Calls()
		if calls == nil || calls.Connection == nil || slices.Contains(ids, calls.Connection.Value) {
			continue
		}
		// connection-unknown speaks of an id that nothing has, and of a slip of
		// this one in the agent's list.
		if p.Project.Registry[calls.Connection.Value] == nil || p.like(calls.Connection.Value, unknown).Name != "" {
			continue
		}
		f := Finding{
			At: calls.Connection, Message: fmt.Sprintf("the agent does not name the connection `%s` that this block uses", calls.Connection.Value),
			Help: fmt.Sprintf("add `%s` to the agent's connections", calls.Connection.Value),
		}
		f.Suggest(p.like(calls.Connection.Value, ids), Backquoted)
		p.Report(f)
	}
}

func hostNotAllowed(p *Pass, a *declaration.Agent) {
	for _, b := range a.Blocks {
		calls := b.Calls()
		if calls == nil || calls.Connection == nil {
			continue
		}
		target := b.Target()
		c := p.Project.Registry[calls.Connection.Value]
		// What a connection with a fault of its own allows is not known, one
		// without a host is said so, and one that issues tokens sends none from
		// an mcp block.
		if target == nil || c == nil || !c.Sound || len(c.Entries()) == 0 || b.MCP != nil && c.Get("app") != nil {
			continue
		}
		if !c.Allows(target.Value) {
			p.Report(Finding{
				At: target, Message: fmt.Sprintf("the token of `%s` may not go to %s", c.ID, redact.Node(target)),
				Help:    "it may go to https://" + strings.Join(c.Entries(), ", https://"),
				Related: calls.Connection, Note: "whose token goes along",
			})
		}
	}
}

func connectionIssuesTokens(p *Pass, b *declaration.MCP) {
	if b.Connection == nil {
		return
	}
	if c := p.Project.Registry[b.Connection.Value]; c != nil && c.Get("app") != nil {
		p.Report(Finding{
			At: b.Connection, Message: fmt.Sprintf("`%s` issues its own tokens, as a GitHub App, and an mcp block sends a user's", c.ID),
			Help: "use a connection with oauth, or reach the service with an openapi block",
		})
	}
}

func toolOfferedTwice(p *Pass, a *declaration.Agent) {
	first := map[string]*source.Node{}
	for _, b := range a.Blocks {
		for _, name := range offered(b) {
			if before := first[name.Value]; before != nil {
				p.Report(Finding{
					At: name, Message: fmt.Sprintf("a tool %s is offered by an earlier block already", Quoted(name.Value)),
					Help:    "offer it in one of the two blocks only",
					Related: before, Note: "first offered here",
				})
				continue
			}
			first[name.Value] = name
		}
	}
}

// offered are the names of the tools that a block is known to offer.
func offered(b declaration.Block) []*source.Node {
	switch {
	case b.Builtin != nil:
		return []*source.Node{b.Builtin}
	case b.MCP != nil:
		return b.MCP.Allow.Items
	case b.OpenAPI != nil:
		return b.OpenAPI.Operations.Items
	}
	return nil
}

func allowMissing(p *Pass, b *declaration.MCP) {
	if !b.Allow.Stated {
		p.Report(Finding{
			At: b.Key, Message: "without `allow`, whatever tool the server adds later is offered",
			Help: "add `allow` with the tools that the agent needs",
		})
	}
}

func onlyMissing(p *Pass, b *declaration.MCP) {
	if !b.Writes || !b.EffectKnown || b.Only.Stated && !b.Only.Known {
		return
	}
	for _, tool := range b.Allow.Items {
		if _, bounded := b.Only.Entry(tool.Value); !bounded {
			p.Report(Finding{
				At: tool, Message: fmt.Sprintf("`only` does not bound %s, so an argument that the server adds later reaches the model", Quoted(tool.Value)),
				Help: "list under `only` the arguments that the model may write",
			})
		}
	}
}
