package rules

import (
	"sync"

	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
)

// Listings are what servers list, and what the blocks of a project make of it. They
// may be asked from several goroutines.
type Listings struct {
	byURL map[string]*narrow.Listing
	held  sync.Map // *source.Node in allow -> *held
}

// NewListings are listings by declared url.
func NewListings(byURL map[string]*narrow.Listing) *Listings { return &Listings{byURL: byURL} }

// of is what the server of a block lists; nil where that is not known.
func (l *Listings) of(b *declaration.MCP) *narrow.Listing {
	if l == nil || b.URL == nil {
		return nil
	}
	return l.byURL[b.URL.Value]
}

// A held tool is one of allow, beside what the server lists under its name and what
// becomes of that.
type held struct {
	block        *declaration.MCP
	item         *source.Node // in allow
	listed       narrow.Listed
	narrowed     narrow.Narrowed
	params, only declaration.Entry
}

// hold is a tool of allow held against what the server lists under its name, once
// however many rules ask; nil where the server does not list it, or what the block
// says of it cannot be read.
func (l *Listings) hold(b *declaration.MCP, item *source.Node) *held {
	if known, ok := l.held.Load(item); ok {
		h, _ := known.(*held)
		return h
	}
	var h *held
	listed := l.of(b).Named(item.Value)
	if d, known := Declared(b, item.Value); known && len(listed) > 0 {
		h = &held{block: b, item: item, listed: listed[0], narrowed: narrow.Tool(listed[0], d)}
		h.params, _ = b.Params.Entry(item.Value)
		h.only, _ = b.Only.Entry(item.Value)
	}
	l.held.Store(item, h)
	return h
}

// Declared is what a block says of a tool, and whether all of that can be read.
func Declared(b *declaration.MCP, tool string) (narrow.Declaration, bool) {
	d := narrow.Declaration{Fixed: map[string]any{}}
	for _, entries := range []declaration.Entries{b.Params, b.Only} {
		entry, ok := entries.Entry(tool)
		if entries.Stated && !entries.Known || ok && (!entry.Known || len(entry.Broken) > 0 || entry.Lost) {
			return d, false
		}
	}
	params, _ := b.Params.Entry(tool)
	for _, f := range params.Params {
		d.Fixed[f.Key.Value] = schema.JSON(f.Value.Get("value"))
	}
	only, bounded := b.Only.Entry(tool)
	d.Bounded = bounded
	for _, item := range only.Only {
		d.Only = append(d.Only, item.Value)
	}
	return d, true
}
