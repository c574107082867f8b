package rules

import (
	"fmt"
	"strings"

	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

func drift() []Rule {
	return []Rule{
		{ID: "drift-unreachable", Severity: Error, Outage: true, Summary: "A server could not be listed.", Listed: eachAnswer(driftUnreachable)},
		{ID: "drift-unauthorized", Severity: Error, Outage: true, Summary: "A server wants other credentials.", Listed: eachAnswer(driftUnauthorized)},
		{ID: "drift-unchecked", Severity: Warning, Summary: "A block was not checked for want of a token or a variable.", Listed: eachAnswer(driftUnchecked)},
		{ID: "drift-tool-missing", Severity: Error, Summary: "The server does not list a tool of allow.", Listed: eachListing(driftToolMissing)},
		{ID: "drift-tool-malformed", Severity: Warning, Summary: "A tool is listed without a usable inputSchema.", Listed: eachListed(driftToolMalformed)},
		{ID: "drift-only-unknown", Severity: Warning, Summary: "A tool does not declare an argument under only.", Listed: eachListed(driftOnlyUnknown)},
		{ID: "drift-fixed-unknown", Severity: Error, Summary: "A tool does not declare a fixed argument.", Listed: eachListed(driftFixedUnknown)},
		{ID: "drift-required", Severity: Error, Summary: "A tool requires an argument that no call has.", Listed: eachListed(driftRequired)},
		{ID: "drift-value", Severity: Error, Summary: "A tool refuses the value that an argument is fixed to.", Listed: eachListed(driftValue)},
		{ID: "drift-undecided", Severity: Warning, Summary: "A tool's schema does not say whether it has or requires an argument.", Listed: eachListed(driftUndecided)},
		{ID: "drift-effect", Severity: Warning, Summary: "A block that reads offers a tool that writes.", Listed: eachListed(driftEffect)},
		{ID: "drift-duplicate", Severity: Warning, Summary: "The server lists a tool of allow twice.", Listed: eachListing(driftDuplicate)},
		{ID: "drift-argument-added", Severity: Error, Summary: "A tool has an argument that the lock file lacks and the model may write.", Listed: eachListed(driftArgumentAdded)},
		{ID: "drift-changed", Severity: Warning, Summary: "A tool is not as the lock file has it.", Listed: eachListed(driftChanged)},
		{ID: "lock-stale", Severity: Warning, Summary: "The lock file has no entry for a server or a tool.", Listed: eachMCP(lockStale)},
	}
}

// eachAnswer asks a check of every mcp block whose server was asked, or was to be.
func eachAnswer(check func(*Pass, *declaration.MCP, Answer)) func(*Pass, *declaration.Agent) {
	return eachMCP(func(p *Pass, b *declaration.MCP) { check(p, b, p.Listings.of(b)) })
}

// eachListing asks a check of every mcp block whose server's listing is known.
func eachListing(check func(*Pass, *declaration.MCP, *narrow.Listing)) func(*Pass, *declaration.Agent) {
	return eachAnswer(func(p *Pass, b *declaration.MCP, a Answer) {
		if a.Listing != nil {
			check(p, b, a.Listing)
		}
	})
}

// eachListed asks a check of every tool of allow that the server lists, where what
// the block says of it can be read.
func eachListed(check func(*Pass, *held)) func(*Pass, *declaration.Agent) {
	return eachListing(func(p *Pass, b *declaration.MCP, _ *narrow.Listing) {
		for _, item := range b.Allow.Items {
			if h := p.Listings.hold(b, item); h != nil {
				check(p, h)
			}
		}
	})
}

func driftToolMissing(p *Pass, b *declaration.MCP, l *narrow.Listing) {
	for _, item := range b.Allow.Items {
		if len(l.Named(item.Value)) > 0 {
			continue
		}
		f := Finding{
			At: item, Message: fmt.Sprintf("the server does not list the tool %s", Quoted(item.Value)),
			Help: "remove it, or name a tool that the server lists",
		}
		f.Suggest(p.like(item.Value, l.Names()), Quoted)
		f.ask()
		p.Report(f)
	}
}

func driftDuplicate(p *Pass, b *declaration.MCP, l *narrow.Listing) {
	for _, item := range b.Allow.Items {
		if n := len(l.Named(item.Value)); n > 1 {
			p.Report(Finding{
				At: item, Message: fmt.Sprintf("the server lists %s %d times, and it is not known which of them a call reaches", Quoted(item.Value), n),
				Help: "tell whoever runs the server; here, the first counts",
			})
		}
	}
}

func driftToolMalformed(p *Pass, h *held) {
	if h.narrowed.Malformed {
		p.Report(Finding{
			At: h.item, Message: fmt.Sprintf("the server lists %s without a usable inputSchema, so it is withheld", Quoted(h.item.Value)),
			Help: "tell whoever runs the server; a tool's inputSchema is a JSON object",
		})
	}
}

func driftOnlyUnknown(p *Pass, h *held) {
	for _, name := range h.narrowed.OnlyUnknown {
		p.Report(h.unknown(p, find(h.only.Only, name), "so listing it opens nothing"))
	}
}

func driftFixedUnknown(p *Pass, h *held) {
	for _, name := range h.narrowed.FixedUnknown {
		p.Report(h.unknown(p, h.params.Key(name), "so the tool is withheld"))
	}
}

// unknown is the finding that a tool does not declare an argument.
func (h *held) unknown(p *Pass, at *source.Node, consequence string) Finding {
	f := Finding{
		At: at, Message: fmt.Sprintf("%s declares no argument `%s`, %s", Quoted(h.item.Value), redact.Name(at.Value), consequence),
		Help: "remove it; the tool takes no arguments",
	}
	if names := h.narrowed.Arguments; len(names) > 0 {
		f.Help = "the tool takes " + some(names)
	}
	f.Suggest(p.like(at.Value, h.narrowed.Arguments), Backquoted)
	f.ask()
	return f
}

// some lists names, the first of them where they are many.
func some(names []string) string {
	const most = 8
	shown := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, "`"+redact.Name(name)+"`")
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func driftRequired(p *Pass, h *held) {
	for _, name := range h.narrowed.Required {
		p.Report(Finding{
			At: h.only.Tool, Message: fmt.Sprintf("%s requires `%s`, which is neither listed here nor fixed, so the tool is withheld", Quoted(h.item.Value), redact.Name(name)),
			Help: fmt.Sprintf("list `%s` here, or fix it under params", redact.Name(name)),
		})
	}
}

func driftValue(p *Pass, h *held) {
	for _, f := range h.params.Params {
		if why := h.narrowed.Refused[f.Key.Value]; why != "" {
			p.Report(Finding{
				At: f.Value.Get("value"), Message: fmt.Sprintf("%s refuses this value for `%s`: %s", Quoted(h.item.Value), redact.Name(f.Key.Value), redact.Name(why)),
				Help: "fix a value that the tool's inputSchema takes", Related: f.Key, Note: "the argument",
			})
		}
	}
}

func driftUndecided(p *Pass, h *held) {
	undecided := func(at *source.Node, what string) {
		p.Report(Finding{
			At: at, Message: fmt.Sprintf("the inputSchema of %s does not say whether it %s", Quoted(h.item.Value), what),
			Help: "look into what the server documents of the tool",
		})
	}
	for _, name := range h.narrowed.UndecidedDeclared {
		at := find(h.only.Only, name)
		if at == nil {
			at = h.params.Key(name)
		}
		undecided(at, "has this argument")
	}
	for _, name := range h.narrowed.UndecidedRequired {
		undecided(h.only.Tool, fmt.Sprintf("requires `%s`, which no call has", redact.Name(name)))
	}
	if h.narrowed.Lost && h.only.Tool != nil && len(h.narrowed.UndecidedDeclared)+len(h.narrowed.UndecidedRequired)+len(h.narrowed.Required) == 0 {
		undecided(h.only.Tool, "requires more: a part of it cannot be followed")
	}
}

func driftEffect(p *Pass, h *held) {
	if h.block.Writes || !h.block.EffectKnown {
		return
	}
	is := func(hint *bool, value bool) bool { return hint != nil && *hint == value }
	hints := h.listed.Hints()
	var what string
	switch {
	case is(hints.ReadOnly, false):
		what = "is not read-only"
	case is(hints.Destructive, true) && !is(hints.ReadOnly, true):
		what = "may destroy"
	default:
		return
	}
	p.Report(Finding{
		At: h.item, Message: fmt.Sprintf("the server says that %s %s, and the block's effect is read", Quoted(h.item.Value), what),
		Help: "offer it in a block whose effect is write",
	})
}
