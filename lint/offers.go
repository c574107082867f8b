package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gete-lint/gete/lint/live"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
)

// An Offer is what the model is shown of one tool of an mcp block, or why it is
// not shown it.
type Offer struct {
	Agent, URL, Tool string
	// Withheld are the reasons why the tool is not offered; none where it is.
	Withheld []string
	// Writable are the arguments that the model may write, and Fixed those that
	// are sent with the declared value; sorted.
	Writable, Fixed []string
	// Schema is the narrowed inputSchema, nil where the tool is withheld, and
	// Listed what the server lists.
	Schema map[string]any
	Listed narrow.Listed
	// Declared is what the block says of the tool, and OnlyUnknown are the arguments
	// in its only that the tool does not declare.
	Declared    narrow.Declaration
	OnlyUnknown []string
}

// Offers are the tools of an agent's mcp blocks, by what their servers list, by
// declared url. An error says why they are not known.
func Offers(a *declaration.Agent, listings map[string]*narrow.Listing) ([]Offer, error) {
	blocks, err := mcpBlocks(a)
	if err != nil {
		return nil, err
	}
	var offers []Offer
	for _, b := range blocks {
		listing := listings[b.URL.Value]
		if listing == nil {
			return nil, fmt.Errorf("%s: the lock file has no entry for %s; `gete lock` records it", a.File.Path, redact.Node(b.URL))
		}
		of, err := BlockOffers(a, b, listing)
		if err != nil {
			return nil, err
		}
		offers = append(offers, of...)
	}
	return offers, nil
}

// mcpBlocks are the mcp blocks of an agent, each with a url and a known allow. An error
// says why they are not known.
func mcpBlocks(a *declaration.Agent) ([]*declaration.MCP, error) {
	if !a.BlocksKnown {
		return nil, fmt.Errorf("%s: not all of its blocks can be read; `gete validate` says why", a.File.Path)
	}
	var blocks []*declaration.MCP
	for _, b := range a.Blocks {
		if b.MCP == nil {
			continue
		}
		if b.MCP.URL == nil || b.MCP.Allow.Stated && !b.MCP.Allow.Known {
			return nil, fmt.Errorf("%s: a block of it cannot be read; `gete validate` says why", a.File.Path)
		}
		blocks = append(blocks, b.MCP)
	}
	return blocks, nil
}

// BlockOffers are the tools of one mcp block of an agent, by what its server lists.
func BlockOffers(a *declaration.Agent, b *declaration.MCP, listing *narrow.Listing) ([]Offer, error) {
	names := b.Allow.Strings()
	if !b.Allow.Stated {
		names = listing.Names()
		slices.Sort(names)
		names = slices.Compact(names)
	}
	var offers []Offer
	for _, name := range names {
		offer, err := offerOf(b, listing, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.File.Path, err)
		}
		offer.Agent = a.Folder()
		offers = append(offers, offer)
	}
	return offers, nil
}

func offerOf(b *declaration.MCP, listing *narrow.Listing, name string) (Offer, error) {
	o := Offer{URL: redact.Name(b.URL.Value), Tool: name}
	d, known := rules.Declared(b, name)
	o.Declared = d
	if !known {
		return o, errors.New("what it says of a tool cannot be read; `gete validate` says why")
	}
	listed := listing.Named(name)
	if len(listed) == 0 {
		o.Withheld = []string{"the server does not list it"}
		return o, nil
	}
	o.Listed = listed[0]
	n := narrow.Tool(o.Listed, d)
	o.Withheld, o.OnlyUnknown = n.Reasons(), n.OnlyUnknown
	if !n.Offered() {
		return o, nil
	}
	o.Schema = n.Schema
	for _, argument := range n.Arguments {
		switch _, fixed := d.Fixed[argument]; {
		case fixed:
			o.Fixed = append(o.Fixed, argument)
		case !d.Bounded || slices.Contains(d.Only, argument):
			o.Writable = append(o.Writable, argument)
		}
	}
	return o, nil
}

// An Upstream is what stands behind some of an agent's mcp blocks: one target that is sent
// one set of headers.
type Upstream struct {
	URL    string // as declared, fit to be shown
	Target live.Target
	Blocks []*declaration.MCP
}

// Upstreams are the servers of an agent's mcp blocks, and how the dialer reaches them,
// without asking one. An error says why the agent's blocks are not known, or why one
// cannot be reached whatever its server does.
func (l *Loaded) Upstreams(a *declaration.Agent, d Dialer) ([]Upstream, error) {
	if _, err := mcpBlocks(a); err != nil {
		return nil, err
	}
	own := &declaration.Project{Agents: []*declaration.Agent{a}}
	if _, sole := d.Targets[""]; sole && len(urlsOf(own)) > 1 {
		return nil, fmt.Errorf("--server needs URL= in front here: the agent declares %d servers", len(urlsOf(own)))
	}
	if err := d.unused(urlsOf(own)); err != nil {
		return nil, err
	}
	calls, answers := d.with(l.servers).calls(l.Project, own.Agents)
	for _, b := range a.Blocks {
		if answer, lacks := answers[b.MCP]; lacks {
			return nil, fmt.Errorf("%s: %s: %s", a.File.Path, redact.Node(b.MCP.URL), answer.Reason)
		}
	}
	upstreams := make([]Upstream, len(calls))
	for i, c := range calls {
		upstreams[i] = Upstream{redact.Node(c.blocks[0].URL), c.target, c.blocks}
	}
	return upstreams, nil
}
