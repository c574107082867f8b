package proxy

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/live"
	"github.com/gete-lint/gete/schema/declaration"
)

// How long a server is left alone before it is tried again: at first, at most, and after
// how long a connection counts as one that held.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 30 * time.Second
	held        = 10 * time.Second
)

// An upstream is a server, and what is known of it.
type upstream struct {
	lint.Upstream
	proxy *Proxy
	ready chan struct{} // closed once the server was tried
	once  sync.Once     // closes it

	// Below is guarded by the proxy's mu.
	session *live.Session // nil while there is none
	tools   map[*declaration.MCP][]*tool
	fault   string // why there is no session, with the server for its subject
}

// keep keeps the server connected until ctx ends.
func (u *upstream) keep(ctx context.Context) {
	defer u.tried()
	wait := firstWait
	for {
		begin := time.Now()
		err := u.connect(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(begin) > held {
			wait = firstWait
		}
		u.lose(err)
		u.tried()
		// With chance in it, so that many do not come back at once.
		pause := wait/2 + rand.N(wait/2)
		u.proxy.log.Warn("disconnected", "server", u.URL, "reason", err, "retry_in", pause.Round(time.Millisecond))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		wait = min(2*wait, longestWait)
	}
}

// tried says to who waits that the server was tried.
func (u *upstream) tried() { u.once.Do(func() { close(u.ready) }) }

// connect opens a session, and keeps to what the server lists until that ends. The error
// says why it ended, with the server for its subject.
func (u *upstream) connect(ctx context.Context) error {
	session, err := live.Open(ctx, u.Target)
	if err != nil {
		return err
	}
	defer func() {
		if ctx.Err() != nil {
			session.Close()
			return
		}
		go session.Close() // calls that are under way on it are let to their end
	}()
	for {
		if err := u.list(ctx, session); err != nil {
			return err
		}
		u.tried()
		select {
		case <-session.Changed():
		case <-session.Done():
			return gone{}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// gone is that a connection ended.
type gone struct{}

func (gone) Error() string { return "went away" }

// list asks for the tools, and narrows them anew.
func (u *upstream) list(ctx context.Context, session *live.Session) error {
	listing, err := session.List(ctx)
	if err != nil {
		return err
	}
	tools := map[*declaration.MCP][]*tool{}
	for _, b := range u.Blocks {
		offers, err := lint.BlockOffers(u.proxy.agent, b, listing)
		if err != nil {
			return err
		}
		for _, offer := range offers {
			t, err := newTool(u, b, offer)
			if err != nil {
				t = &tool{offer: offer, upstream: u}
				t.withhold("what is listed of it cannot be read: it " + err.Error())
			}
			tools[b] = append(tools[b], t)
		}
	}
	u.proxy.mu.Lock()
	defer u.proxy.mu.Unlock()
	u.tell(u.tools, tools)
	if u.session == nil {
		u.proxy.log.Info("connected", "server", u.URL, "name", shown(listing.Server), "version", shown(listing.Version))
	}
	u.session, u.tools, u.fault = session, tools, ""
	u.proxy.update()
	return nil
}

// lose withholds the server's tools while it is away.
func (u *upstream) lose(err error) {
	u.proxy.mu.Lock()
	defer u.proxy.mu.Unlock()
	u.session, u.fault = nil, err.Error()
	u.proxy.update()
}

// tell logs of the tools what was not true of them before.
func (u *upstream) tell(before, now map[*declaration.MCP][]*tool) {
	said := u.notices(before)
	for _, n := range u.notices(now) {
		switch {
		case slices.Contains(said, n):
		case n.reason != "":
			u.proxy.log.Warn("withheld", "server", u.URL, "tool", shown(n.tool), "reason", n.reason)
		default:
			u.proxy.log.Warn("only names an argument that the tool does not declare", "server", u.URL, "tool", shown(n.tool), "argument", shown(n.argument))
		}
	}
}

// A notice is what is to be said once of a tool: why it is withheld, or which argument of
// only it does not declare.
type notice struct{ tool, reason, argument string }

func (u *upstream) notices(tools map[*declaration.MCP][]*tool) []notice {
	var all []notice
	for _, b := range u.Blocks {
		for _, t := range tools[b] {
			for _, why := range t.offer.Withheld {
				all = append(all, notice{tool: t.offer.Tool, reason: why})
			}
			if len(t.offer.Withheld) > 0 {
				continue
			}
			for _, name := range t.offer.OnlyUnknown {
				all = append(all, notice{tool: t.offer.Tool, argument: name})
			}
		}
	}
	return all
}
