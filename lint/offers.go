package lint

import (
	"errors"
	"fmt"
	"slices"

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
}

// Offers are the tools of an agent's mcp blocks, by what their servers list, by
// declared url. An error says why they are not known.
func Offers(a *declaration.Agent, listings map[string]*narrow.Listing) ([]Offer, error) {
	if !a.BlocksKnown {
		return nil, fmt.Errorf("%s: not all of its blocks can be read; `gete validate` says why", a.File.Path)
	}
	var offers []Offer
	for _, b := range a.Blocks {
		if b.MCP == nil {
			continue
		}
		if b.MCP.URL == nil || b.MCP.Allow.Stated && !b.MCP.Allow.Known {
			return nil, fmt.Errorf("%s: a block of it cannot be read; `gete validate` says why", a.File.Path)
		}
		listing := listings[b.MCP.URL.Value]
		if listing == nil {
			return nil, fmt.Errorf("%s: the lock file has no entry for %s; `gete lock` records it", a.File.Path, redact.Node(b.MCP.URL))
		}
		names := b.MCP.Allow.Strings()
		if !b.MCP.Allow.Stated {
			names = listing.Names()
			slices.Sort(names)
			names = slices.Compact(names)
		}
		for _, name := range names {
			offer, err := offerOf(b.MCP, listing, name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.File.Path, err)
			}
			offer.Agent = a.Folder()
			offers = append(offers, offer)
		}
	}
	return offers, nil
}

func offerOf(b *declaration.MCP, listing *narrow.Listing, name string) (Offer, error) {
	o := Offer{URL: redact.Name(b.URL.Value), Tool: name}
	d, known := rules.Declared(b, name)
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
	o.Withheld = n.Reasons()
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
