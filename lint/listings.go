package lint

import (
	"cmp"
	"context"
	"slices"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
)

// listings are what there is to hold a project's mcp blocks against: what the servers
// list where they are asked, and else what is recorded; nil for nothing.
func (r *run) listings(ctx context.Context, p *declaration.Project, locked map[string]*narrow.Listing) (*rules.Listings, error) {
	if locked == nil && r.options.Live == nil {
		return nil, nil
	}
	l := &rules.Listings{Locked: locked != nil, Answers: map[*declaration.MCP]rules.Answer{}}
	if r.options.Live != nil {
		var err error
		if l.Answers, err = r.options.Live.with(r.config.servers).Ask(ctx, p); err != nil {
			return nil, err
		}
	}
	for _, a := range p.Agents {
		for _, b := range a.Blocks {
			if b.MCP == nil || b.MCP.URL == nil {
				continue
			}
			answer := l.Answers[b.MCP]
			answer.Recorded = locked[b.MCP.URL.Value]
			if r.options.Live == nil {
				answer.Listing = answer.Recorded
			}
			l.Answers[b.MCP] = answer
		}
	}
	return l, nil
}

// An Unlisted server is one that could not be listed. Reason has the server for its
// subject, as in "refused the connection".
type Unlisted struct{ URL, Reason string }

// List asks every declared server. The listings are by declared url; one that lists
// more tools to some blocks' headers has the tools of all.
func (l *Loaded) List(ctx context.Context, d Dialer) (map[string]*narrow.Listing, []Unlisted, error) {
	answers, err := d.with(l.servers).Ask(ctx, l.Project)
	if err == nil {
		err = d.unused(urlsOf(l.Project))
	}
	if err != nil {
		return nil, nil, err
	}
	all := map[string]*narrow.Listing{}
	var unlisted []Unlisted
	for _, a := range l.Agents {
		for _, b := range a.Blocks {
			if b.MCP == nil || b.MCP.URL == nil {
				continue
			}
			switch url, answer := b.MCP.URL.Value, answers[b.MCP]; {
			case answer.Fault == rules.NoFault:
				all[url] = merge(all[url], answer.Listing)
			case answer.Fault == rules.Unchecked:
				unlisted = append(unlisted, Unlisted{redact.Name(url), "was not asked: " + answer.Reason})
			default:
				unlisted = append(unlisted, Unlisted{redact.Name(url), redact.Text(answer.Reason)})
			}
		}
	}
	slices.SortFunc(unlisted, func(a, b Unlisted) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Reason, b.Reason))
	})
	return all, slices.Compact(unlisted), nil
}

// merge adds to a listing, which may be nil, the tools of another that it lacks.
func merge(l, other *narrow.Listing) *narrow.Listing {
	if l == nil {
		return other
	}
	merged := *l
	for _, t := range other.Tools {
		if len(l.Named(t.Name)) == 0 {
			merged.Tools = append(slices.Clip(merged.Tools), t)
		}
	}
	return &merged
}
