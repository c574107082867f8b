// Package proxy is an MCP server in front of the servers that an agent's mcp blocks
// name. It lets through what the blocks allow: the tools that narrowing offers, with the
// arguments that the model may write and those that are fixed.
package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/live"
	"github.com/gete-lint/gete/schema/declaration"
)

// Options are what a proxy is made of.
type Options struct {
	Agent     *declaration.Agent
	Upstreams []lint.Upstream // those of the agent
	Version   string          // of gete
	Log       *slog.Logger    // of calls and of what is withheld; never holds a value
}

// A Proxy stands in front of the servers of an agent. It is used from several
// goroutines.
type Proxy struct {
	agent     *declaration.Agent
	log       *slog.Logger
	server    *mcp.Server
	upstreams []*upstream
	running   running

	mu    sync.RWMutex
	tools []*tool // what is offered now, in the order of the blocks
	named map[string]*tool
	said  map[string]bool // which tools were said to be offered by another block first
}

// New is a proxy that has yet to run.
func New(o Options) *Proxy {
	p := &Proxy{agent: o.Agent, log: o.Log, said: map[string]bool{}}
	for _, u := range o.Upstreams {
		p.upstreams = append(p.upstreams, &upstream{Upstream: u, proxy: p, ready: make(chan struct{})})
	}
	p.server = mcp.NewServer(&mcp.Implementation{Name: "gete " + o.Agent.Folder(), Version: o.Version}, &mcp.ServerOptions{
		Logger:       slog.New(slog.DiscardHandler),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	p.server.AddReceivingMiddleware(p.receive)
	return p
}

// Run keeps the proxy connected to its servers until ctx ends.
func (p *Proxy) Run(ctx context.Context) {
	var group sync.WaitGroup
	for _, u := range p.upstreams {
		group.Go(func() { u.keep(ctx) })
	}
	group.Wait()
}

// ServeStdio serves one client over a pair of streams, until the client closes its end
// or ctx ends.
func (p *Proxy) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	session, err := p.server.Connect(ctx, newStdio(in, out), nil)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	go func() { _ = session.Close() }() // which waits for a client that does not read
	select {
	case err := <-done:
		return err
	case <-time.After(farewell):
		return nil
	}
}

// patience is how long a client waits for servers that have yet to answer, before it is
// told of what there is. It is told of the rest when that comes.
const patience = 10 * time.Second

// wait waits until each server was tried once, so that a client that asks at once is not
// told that there is nothing.
func (p *Proxy) wait(ctx context.Context) {
	for _, u := range p.upstreams {
		select {
		case <-u.ready:
		case <-ctx.Done():
			return
		}
	}
}

// find is a tool that is offered now, and the session to call it over; nil for none.
func (p *Proxy) find(name string) (*tool, *live.Session) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	t := p.named[name]
	if t == nil || t.upstream.session == nil {
		return nil, nil
	}
	return t, t.upstream.session
}

// Offers waits until each server was tried once, and gives what its blocks offer and
// withhold, and why servers could not be listed.
func (p *Proxy) Offers(ctx context.Context) ([]lint.Offer, []lint.Unlisted) {
	p.wait(ctx)
	p.mu.RLock()
	defer p.mu.RUnlock()
	var offers []lint.Offer
	for _, t := range p.all() {
		offer := t.offer
		if len(offer.Withheld) == 0 && p.named[offer.Tool] != t {
			offer.Withheld = []string{taken}
		}
		offers = append(offers, offer)
	}
	var unlisted []lint.Unlisted
	for _, u := range p.upstreams {
		if u.fault != "" {
			unlisted = append(unlisted, lint.Unlisted{URL: u.URL, Reason: u.fault})
		}
	}
	return offers, unlisted
}

// taken is why a tool is withheld whose name another block's has.
const taken = "another block offers a tool of that name"

// all are the tools of all blocks, whether offered or not, in the order of the blocks.
func (p *Proxy) all() []*tool {
	var tools []*tool
	for _, b := range p.agent.Blocks {
		for _, u := range p.upstreams {
			tools = append(tools, u.tools[b.MCP]...)
		}
	}
	return tools
}

// update makes of what the servers list what is offered, and tells the clients where
// that changed.
func (p *Proxy) update() {
	before := p.tools
	p.tools, p.named = nil, map[string]*tool{}
	for _, t := range p.all() {
		if len(t.offer.Withheld) > 0 || t.upstream.session == nil {
			continue
		}
		if p.named[t.offer.Tool] != nil {
			if !p.said[t.offer.Tool] {
				p.said[t.offer.Tool] = true
				p.log.Warn("withheld", "server", t.upstream.URL, "tool", shown(t.offer.Tool), "reason", taken)
			}
			continue
		}
		p.tools = append(p.tools, t)
		p.named[t.offer.Tool] = t
	}
	if !slices.EqualFunc(before, p.tools, func(a, b *tool) bool { return bytes.Equal(a.listed, b.listed) }) {
		// The SDK tells of changes to its own list only. What is in it is never shown:
		// list answers in its place.
		p.server.AddTool(&mcp.Tool{Name: "changed", InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, errNotOffered("changed")
			})
	}
}

// receive answers the requests that are about tools.
func (p *Proxy) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch call, ok := req.(*mcp.CallToolRequest); {
		case ok:
			return p.call(ctx, call)
		case method == "tools/list":
			return p.list(ctx, next, method, req)
		}
		return next(ctx, method, req)
	}
}

func (p *Proxy) list(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p.wait(within)
	result, err := next(ctx, method, req)
	if err != nil {
		return nil, err
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	tools := make([]json.RawMessage, len(p.tools))
	for i, t := range p.tools {
		tools[i] = t.listed
	}
	raw, err := json.Marshal(map[string]any{"tools": tools})
	if err != nil {
		return nil, err
	}
	own, ok := result.(*mcp.ListToolsResult)
	if !ok {
		return nil, fmt.Errorf("tools/list gave a %T", result)
	}
	return listResult{own, raw}, nil
}
