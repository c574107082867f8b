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
)

// A Dialer asks a project's servers for their tools.
type Dialer struct {
	// Targets are what is spoken to in place of a declared url: an http or https
	// URL, or stdio: and a command.
	Targets map[string]string
	// Timeout bounds each server; 0 for what the block says, or 30 seconds.
	Timeout time.Duration
	Getenv  func(string) string
	// Progress is called as servers are done; may be nil.
	Progress func(done, total int)
}

const (
	atATime        = 32
	defaultTimeout = 30 * time.Second
	longestTimeout = 10 * time.Minute
)

// An Unlisted server is one that could not be listed. Reason has the server for its
// subject, as in "refused the connection".
type Unlisted struct {
	URL    string // as declared
	Target string // what was spoken to
	Reason string
}

// String is a line for people. Of a command it shows nothing: there may be a secret
// among its arguments.
func (u Unlisted) String() string {
	at := ""
	switch {
	case strings.HasPrefix(u.Target, live.StdioScheme):
		at = ", as a command,"
	case u.Target != u.URL:
		at = " at " + redact.Name(u.Target)
	}
	return redact.Name(u.URL) + at + " " + redact.Text(u.Reason)
}

// A call is one listing of one target, for all blocks that ask for the same.
type call struct {
	target live.Target
	urls   []string // as declared
}

// List asks every declared server once for each set of headers that blocks send it.
// The listings are by declared url; one that lists more tools to some headers has the
// tools of all.
func (d Dialer) List(ctx context.Context, l *Loaded) (map[string]*narrow.Listing, []Unlisted) {
	calls, unlisted := d.calls(l)
	listings := make([]*narrow.Listing, len(calls))
	reasons := make([]error, len(calls))
	var group errgroup.Group
	group.SetLimit(atATime)
	var mu sync.Mutex
	done := 0
	for i, c := range calls {
		group.Go(func() error {
			listings[i], reasons[i] = live.List(ctx, c.target)
			mu.Lock()
			defer mu.Unlock()
			if done++; d.Progress != nil {
				d.Progress(done, len(calls))
			}
			return nil
		})
	}
	_ = group.Wait() // what fails is in reasons
	all := map[string]*narrow.Listing{}
	for i, c := range calls {
		for _, url := range c.urls {
			if reasons[i] != nil {
				unlisted = append(unlisted, Unlisted{url, c.target.URL, reasons[i].Error()})
				continue
			}
			all[url] = merge(all[url], listings[i])
		}
	}
	for _, u := range unlisted {
		delete(all, u.URL) // a part of what it lists would pass for all of it
	}
	slices.SortFunc(unlisted, func(a, b Unlisted) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Reason, b.Reason))
	})
	return all, slices.Compact(unlisted)
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

// calls are the listings that the project's blocks ask for, each once.
func (d Dialer) calls(l *Loaded) ([]call, []Unlisted) {
	var calls []call
	var unlisted []Unlisted
	for _, a := range l.Agents {
		for _, b := range a.Blocks {
			if b.MCP == nil || b.MCP.URL == nil {
				continue
			}
			url := b.MCP.URL.Value
			target := live.Target{URL: cmp.Or(d.Targets[url], url), Timeout: d.timeout(b.MCP)}
			var err error
			if target.Headers, err = d.headers(l, b.MCP, target.URL); err != nil {
				unlisted = append(unlisted, Unlisted{url, target.URL, err.Error()})
				continue
			}
			same := slices.IndexFunc(calls, func(c call) bool {
				return c.target.URL == target.URL && maps.Equal(c.target.Headers, target.Headers)
			})
			if same < 0 {
				calls = append(calls, call{target, []string{url}})
				continue
			}
			c := &calls[same]
			c.target.Timeout = max(c.target.Timeout, target.Timeout)
			if !slices.Contains(c.urls, url) {
				c.urls = append(c.urls, url)
			}
		}
	}
	return calls, unlisted
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
// environment holds in place of their variables, and the token of its connection. An
// error says what is missing, or why the token may not go there. It never shows a
// value.
func (d Dialer) headers(l *Loaded, b *declaration.MCP, target string) (map[string]string, error) {
	headers := map[string]string{}
	for _, h := range b.Headers {
		unset := ""
		value := rules.Expand(h.Value.Value, func(name string) string {
			held := d.Getenv(name)
			if held == "" {
				unset = name
			}
			return held
		})
		if unset != "" {
			return nil, fmt.Errorf("was not asked: the variable %s of its header %s is not set", unset, redact.Name(h.Key.Value))
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("was not asked: the value of its header %s has a line end", redact.Name(h.Key.Value))
		}
		headers[h.Key.Value] = value
	}
	if b.Connection == nil {
		return headers, nil
	}
	token, err := d.token(l, b.Connection.Value, target)
	if err != nil {
		return nil, fmt.Errorf("was not asked: %w", err)
	}
	if token != "" {
		for name := range headers {
			if strings.EqualFold(name, "Authorization") {
				delete(headers, name)
			}
		}
		headers["Authorization"] = "Bearer " + token
	}
	return headers, nil
}

// token is the token of a connection for a target; none for a command, which takes
// no headers.
func (d Dialer) token(l *Loaded, id, target string) (string, error) {
	if strings.HasPrefix(target, live.StdioScheme) {
		return "", nil
	}
	c := l.Registry[id]
	if c == nil || !c.Sound {
		return "", fmt.Errorf("its connection %s is not known; `gete validate` says why", redact.Name(id))
	}
	if !isLoopback(target) && !c.Allows(target) {
		return "", fmt.Errorf("the token of %s may not go there", id)
	}
	variable := "GETE_TOKEN_" + strings.ToUpper(strings.ReplaceAll(id, "-", "_"))
	token := strings.TrimSpace(d.Getenv(variable))
	switch {
	case token == "":
		return "", fmt.Errorf("%s, the token of its connection, is not set", variable)
	case strings.ContainsAny(token, "\r\n\x00"):
		return "", errors.New(variable + " has a line end in it")
	case !l.Registry.Takes(c, token):
		return "", fmt.Errorf("%s holds a token that %s would not take", variable, id)
	}
	return token, nil
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
