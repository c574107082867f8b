package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gete-lint/gete/lint/live"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

// A Dialer asks a project's servers for their tools.
type Dialer struct {
	// Targets are what is spoken to in place of a declared url: an http or https
	// URL, or stdio: and a command. That for no url is for the one that there is.
	Targets map[string]string
	// Timeout bounds each server; 0 for what the block says, or 30 seconds.
	Timeout time.Duration
	Getenv  func(string) string
	// Dir is the folder that commands run in.
	Dir string
	// Progress is called as servers are done; may be nil.
	Progress func(done, total int)

	memory *memory // nil for asking each time
}

const (
	atATime        = 32
	defaultTimeout = 30 * time.Second
	longestTimeout = 10 * time.Minute
)

// A call is one listing of one target, for all blocks that ask for the same.
type call struct {
	target live.Target
	blocks []*declaration.MCP
}

// Ask asks every server once for each set of headers that blocks send it. Every mcp
// block with a url has an answer. The error is that the targets do not fit what is declared.
func (d Dialer) Ask(ctx context.Context, p *declaration.Project) (map[*declaration.MCP]rules.Answer, error) {
	if _, sole := d.Targets[""]; sole && len(urlsOf(p)) > 1 {
		return nil, fmt.Errorf("--server needs URL= in front here: the project declares %d servers", len(urlsOf(p)))
	}
	calls, answers := d.calls(p, p.Agents)
	listings := make([]*narrow.Listing, len(calls))
	faults := make([]error, len(calls))
	var group errgroup.Group
	group.SetLimit(atATime)
	var mu sync.Mutex
	done := 0
	for i, c := range calls {
		group.Go(func() error {
			answer, known := d.memory.recall(c.target)
			if !known {
				answer.target = c.target
				answer.listing, answer.fault = live.List(ctx, c.target)
				d.memory.keep(answer)
			}
			listings[i], faults[i] = answer.listing, answer.fault
			mu.Lock()
			defer mu.Unlock()
			if done++; d.Progress != nil {
				d.Progress(done, len(calls))
			}
			return nil
		})
	}
	_ = group.Wait() // what fails is in faults
	for i, c := range calls {
		for _, b := range c.blocks {
			answers[b] = d.answer(b, listings[i], faults[i])
		}
	}
	return answers, nil
}

// urlsOf are the urls of a project's mcp blocks.
func urlsOf(p *declaration.Project) map[string]bool {
	urls := map[string]bool{}
	for _, a := range p.Agents {
		for _, b := range a.Blocks {
			if b.MCP != nil && b.MCP.URL != nil {
				urls[b.MCP.URL.Value] = true
			}
		}
	}
	return urls
}

// unused says of the targets which is for no declared url.
func (d Dialer) unused(urls map[string]bool) error {
	for _, url := range slices.Sorted(maps.Keys(d.Targets)) {
		if url != "" && !urls[url] {
			return fmt.Errorf("--server %s: no agent declares that url", redact.Name(url))
		}
	}
	return nil
}

// with is the dialer with targets of a configuration, which its own outrank.
func (d Dialer) with(configured map[string]string) Dialer {
	targets := maps.Clone(configured)
	if targets == nil {
		targets = map[string]string{}
	}
	if _, sole := d.Targets[""]; sole {
		clear(targets)
	}
	maps.Copy(targets, d.Targets)
	d.Targets = targets
	return d
}

// answer is what a block learns from a call.
func (d Dialer) answer(b *declaration.MCP, l *narrow.Listing, err error) rules.Answer {
	if err == nil {
		return rules.Answer{Listing: l}
	}
	a := rules.Answer{Fault: rules.Unreachable, Reason: err.Error()}
	var fault *live.Error
	if errors.As(err, &fault) && fault.Unauthorized {
		a.Fault = rules.Unauthorized
	}
	switch target := d.target(b); {
	case strings.HasPrefix(target, live.StdioScheme):
		// There may be a secret among the arguments of a command.
		a.Reason = "run as a command " + a.Reason
	case target != b.URL.Value:
		a.Reason = "at " + redact.Name(target) + " " + a.Reason
	}
	return a
}

func (d Dialer) target(b *declaration.MCP) string {
	return cmp.Or(d.Targets[b.URL.Value], d.Targets[""], b.URL.Value)
}

// calls are the listings that the project's blocks ask for, each once, and the
// answers of those that cannot ask.
func (d Dialer) calls(p *declaration.Project, agents []*declaration.Agent) ([]call, map[*declaration.MCP]rules.Answer) {
	var calls []call
	answers := map[*declaration.MCP]rules.Answer{}
	for _, a := range agents {
		for _, b := range a.Blocks {
			if b.MCP == nil || b.MCP.URL == nil {
				continue
			}
			target := live.Target{URL: d.target(b.MCP), Timeout: d.timeout(b.MCP), Dir: d.Dir}
			headers, lacks := d.headers(p, b.MCP, target.URL)
			if lacks != nil {
				answers[b.MCP] = *lacks
				continue
			}
			target.Headers = headers
			same := slices.IndexFunc(calls, func(c call) bool {
				return c.target.URL == target.URL && maps.Equal(c.target.Headers, target.Headers)
			})
			if same < 0 {
				calls = append(calls, call{target, []*declaration.MCP{b.MCP}})
				continue
			}
			c := &calls[same]
			c.target.Timeout = max(c.target.Timeout, target.Timeout)
			c.blocks = append(c.blocks, b.MCP)
		}
	}
	return calls, answers
}

func (d Dialer) timeout(b *declaration.MCP) time.Duration {
	if d.Timeout > 0 {
		return d.Timeout
	}
	if b.Timeout == nil {
		return defaultTimeout
	}
	seconds, err := strconv.ParseFloat(b.Timeout.Value, 64)
	if err != nil || seconds <= 0 {
		return defaultTimeout
	}
	return time.Duration(min(seconds, longestTimeout.Seconds()) * float64(time.Second))
}

// headers are what a block sends a target: its own headers, with what the
// environment holds in place of their variables, and the token of its connection.
// Where something for them is lacking, that is the answer. It never shows a value.
func (d Dialer) headers(p *declaration.Project, b *declaration.MCP, target string) (map[string]string, *rules.Answer) {
	lacks := func(at *source.Node, format string, args ...any) (map[string]string, *rules.Answer) {
		return nil, &rules.Answer{Fault: rules.Unchecked, Reason: fmt.Sprintf(format, args...), At: at}
	}
	headers := map[string]string{}
	for _, h := range b.Headers {
		if b.Connection != nil && strings.EqualFold(h.Key.Value, "Authorization") {
			continue // the token goes in its place; header-replaces-token says so
		}
		unset := ""
		value := rules.Expand(h.Value.Value, func(name string) string {
			held := d.Getenv(name)
			if held == "" {
				unset = name
			}
			return held
		})
		if unset != "" {
			return lacks(h.Value, "the variable %s of the header %s is not set", unset, redact.Name(h.Key.Value))
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return lacks(h.Value, "what the header %s comes to has a line end in it", redact.Name(h.Key.Value))
		}
		headers[h.Key.Value] = value
	}
	if b.Connection == nil || strings.HasPrefix(target, live.StdioScheme) {
		return headers, nil // a command takes no headers
	}
	c := p.Registry[b.Connection.Value]
	switch {
	case c == nil, !c.Sound, target == b.URL.Value && !c.Allows(target):
		return nil, &rules.Answer{Fault: rules.Undialled, Reason: "has faults in its declaration; `gete validate` says which"}
	case !isLoopback(target) && !c.Allows(target):
		return lacks(b.Connection, "the token of %s may not go to %s", c.ID, redact.Name(target))
	}
	variable := rules.TokenVariable(c.ID)
	token := strings.TrimSpace(d.Getenv(variable))
	switch {
	case token == "":
		return lacks(b.Connection, "%s, the token of its connection, is not set", variable)
	case strings.ContainsAny(token, "\r\n\x00"):
		return lacks(b.Connection, "%s has a line end in it", variable)
	case !p.Registry.Takes(c, token):
		return lacks(b.Connection, "%s holds a token that %s would not take", variable, c.ID)
	}
	headers["Authorization"] = "Bearer " + token
	return headers, nil
}

// isLoopback says whether a target is on this machine.
func isLoopback(target string) bool {
	u, err := url.Parse(target)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
