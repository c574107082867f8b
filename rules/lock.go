package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
)

const lockAnew = "if that is as you want it, record it with `gete lock`"

// recorded is what the lock file has of a held tool that a server was asked for; nil
// for nothing.
func (p *Pass) recorded(h *held) *narrow.Listed {
	a := p.Listings.of(h.block)
	if a.Recorded == nil || a.Recorded == a.Listing {
		return nil
	}
	if tools := a.Recorded.Named(h.item.Value); len(tools) > 0 {
		return &tools[0]
	}
	return nil
}

// added are the arguments that reach the model and that the tool did not have when
// it was recorded.
func (h *held) added(recorded *narrow.Listed) []string {
	before := narrow.Tool(*recorded, narrow.Declaration{}).Arguments
	return slices.DeleteFunc(slices.Clone(h.narrowed.Arguments), func(name string) bool {
		return slices.Contains(before, name) || !h.declared.Writable(name)
	})
}

func driftArgumentAdded(p *Pass, h *held) {
	recorded := p.recorded(h)
	if recorded == nil {
		return
	}
	for _, name := range h.added(recorded) {
		p.Report(Finding{
			At: h.item, Message: fmt.Sprintf("%s has a new argument `%s`, which reaches the model", Quoted(h.item.Value), redact.Name(name)),
			Help: "bound the tool with `only`, or fix the argument; " + lockAnew,
		})
	}
}

func driftChanged(p *Pass, h *held) {
	recorded := p.recorded(h)
	if recorded == nil {
		return
	}
	var changed []string
	if recorded.Description != h.listed.Description {
		changed = append(changed, "description")
	}
	if !narrow.SameArguments(*recorded, h.listed, h.added(recorded)) {
		changed = append(changed, "arguments")
	}
	if !narrow.SameJSON(recorded.Annotations, h.listed.Annotations) {
		changed = append(changed, "annotations")
	}
	if len(changed) > 0 {
		p.Report(Finding{
			At: h.item, Message: fmt.Sprintf("%s has changed since the lock file was written: its %s", Quoted(h.item.Value), strings.Join(changed, ", ")),
			Help: "`gete lock --check` and the file's diff say more; " + lockAnew,
		})
	}
}

func lockStale(p *Pass, b *declaration.MCP) {
	if p.Listings == nil || !p.Listings.Locked || b.URL == nil {
		return
	}
	a := p.Listings.of(b)
	if a.Recorded == nil {
		p.Report(Finding{
			At: b.URL, Message: fmt.Sprintf("the lock file has no entry for %s", redact.Node(b.URL)),
			Help: "record what the server lists with `gete lock`",
		})
		return
	}
	if a.Listing == nil {
		return
	}
	for _, item := range b.Allow.Items {
		// A tool that is not listed at all is missing, and no fault of the lock file.
		if len(a.Recorded.Named(item.Value)) == 0 && len(a.Listing.Named(item.Value)) > 0 {
			p.Report(Finding{
				At: item, Message: fmt.Sprintf("the lock file has no entry for the tool %s", Quoted(item.Value)),
				Help: "record what the server lists with `gete lock`",
			})
		}
	}
}
