package rules

import (
	"sync"

	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
)

// An Answer is what is known of what the server of a block lists.
type Answer struct {
	// Listing is what to hold the block against; nil where that is not known.
	Listing *narrow.Listing
	// Recorded is the entry of the lock file, which Listing is, too, where no
	// server was asked; nil for none.
	Recorded *narrow.Listing
	// Fault is why a server that was to be asked gave no listing, and Reason the
	// same in words that have the server, or for Unchecked the block, for their
	// subject. At is the value that an unchecked block lacks something for.
	Fault  Fault
	Reason string
	At     *source.Node
}

// A Fault is a kind of reason why there is no listing.
type Fault uint8

// The faults. Undialled is what another rule speaks of.
const (
	NoFault Fault = iota
	Unreachable
	Unauthorized
	Unchecked
	Undialled
)

// Listings are what servers list, and what the blocks of a project make of it. They
// may be asked from several goroutines.
type Listings struct {
	// Answers are by block; one that is not there has none.
	Answers map[*declaration.MCP]Answer
	// Locked says that the project has a lock file.
	Locked bool

	held sync.Map // *source.Node in allow -> *held
}

// of is what is known of the server of a block.
func (l *Listings) of(b *declaration.MCP) Answer {
	if l == nil {
		return Answer{}
	}
	return l.Answers[b]
}

// A held tool is one of allow, beside what the server lists under its name and what
// becomes of that.
type held struct {
	block        *declaration.MCP
	item         *source.Node // in allow
	listed       narrow.Listed
	narrowed     narrow.Narrowed
	declared     narrow.Declaration
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
	listed := l.of(b).Listing.Named(item.Value)
	if d, known := Declared(b, item.Value); known && len(listed) > 0 {
		h = &held{block: b, item: item, listed: listed[0], declared: d, narrowed: narrow.Tool(listed[0], d)}
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
