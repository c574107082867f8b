// Package live asks a running MCP server for its tools. It is a client that
// only ever lists: it calls no tool, and offers the server nothing in return.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/rules/narrow"
)

// A Target is a server, and how to reach it.
type Target struct {
	URL     string            // http://… or https://…, or stdio:COMMAND ARG…
	Headers map[string]string // sent to the target alone, and never shown
	Timeout time.Duration     // for everything; 0 is 30 seconds
	Dir     string            // the folder that a command runs in; "" for this process's own
}

// StdioScheme begins a target that is a command.
const StdioScheme = "stdio:"

const (
	// pinned is the last protocol that opens a session with a handshake. Servers
	// that stumble over what came after it still answer to it.
	pinned = "2025-11-25"

	grace = 500 * time.Millisecond // for ending things once they are over

	maxBytes = 64 << 20 // of all answers
	maxEvent = 16 << 20
	maxPages = 100
	maxTools = 10_000
)

// postRefused are the answers of servers from before Streamable HTTP to a POST.
var postRefused = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed}

// List lists the tools of a server. Errors are *Error.
func List(ctx context.Context, t Target) (*narrow.Listing, error) {
	t.Timeout = cmp.Or(max(t.Timeout, 0), 30*time.Second)
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()

	type outcome struct {
		listing *narrow.Listing
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		listing, err := list(ctx, t)
		done <- outcome{listing, err}
	}()
	late := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		time.Sleep(grace + grace/2) // what runs ends with ctx, but says more than we can
		close(late)
	})
	defer stop()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, t.explain(ctx, o.err)
		}
		return o.listing, nil
	case <-late:
		return nil, t.explain(ctx, ctx.Err())
	}
}

// list tries one way of speaking to the server after the other.
func list(ctx context.Context, t Target) (*narrow.Listing, error) {
	open, err := t.opener()
	if err != nil {
		return nil, err
	}
	listing, err := attempt(ctx, open, "", min(t.Timeout/3, 5*time.Second))
	if err == nil || final(ctx, err) {
		return listing, err
	}
	listing, err = attempt(ctx, open, pinned, t.Timeout)
	if err == nil || final(ctx, err) || strings.HasPrefix(t.URL, StdioScheme) {
		return listing, err
	}
	var f *failure
	if !errors.As(err, &f) || !slices.Contains(postRefused, f.status) {
		return nil, err
	}
	// Before Streamable HTTP, a server refused the POST and took a GET instead.
	listing, older := attempt(ctx, t.sse, pinned, t.Timeout)
	if older != nil && !unauthorized(older) && ctx.Err() == nil {
		return nil, err // what the address said first is the better story
	}
	return listing, older
}

// An opener makes a fresh way to the server, and notes what it sees there.
type opener func(context.Context, *seen) (mcp.Transport, error)

// attempt lists the tools over one connection, which must stand within a time.
// An empty version is the current one. Errors are *failure.
func attempt(parent context.Context, open opener, version string, within time.Duration) (*narrow.Listing, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	s := &seen{}
	transport, err := open(ctx, s)
	if err != nil {
		return nil, s.failure(err)
	}
	tap := &tapped{Transport: transport, seen: s}
	timer := time.AfterFunc(within, cancel)
	client := mcp.NewClient(&mcp.Implementation{Name: "gete", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		Logger:       slog.New(slog.DiscardHandler),
	})
	var listing *narrow.Listing
	session, err := client.Connect(ctx, tap, &mcp.ClientSessionOptions{ProtocolVersion: version})
	timer.Stop()
	if err == nil {
		listing, err = pages(ctx, session, s)
	}
	tap.end(session)
	if err != nil {
		return nil, s.failure(err)
	}
	return listing, nil
}

// pages asks for one page after the other.
func pages(ctx context.Context, session *mcp.ClientSession, s *seen) (*narrow.Listing, error) {
	l := &narrow.Listing{}
	if info := session.InitializeResult(); info != nil && info.ServerInfo != nil {
		l.Server, l.Version = info.ServerInfo.Name, info.ServerInfo.Version
	}
	cursors := map[string]bool{"": true}
	for cursor, page := "", 1; ; page++ {
		if page > maxPages {
			return nil, plain("lists its tools on more than %d pages", maxPages)
		}
		_, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		raw := s.takePage()
		if refusal := (*jsonrpc.Error)(nil); errors.As(err, &refusal) && refusal.Code == jsonrpc.CodeMethodNotFound {
			return l, nil // it has no tools to list
		}
		if raw == nil {
			return nil, cmp.Or(err, error(plain("gave no answer when asked for its tools")))
		}
		tools, next, err := narrow.Page(raw)
		if err != nil {
			return nil, plain("answered tools/list with a result that %v", err)
		}
		if l.Tools = append(l.Tools, tools...); len(l.Tools) > maxTools {
			return nil, plain("lists more than %d tools", maxTools)
		}
		if next == "" {
			return l, nil
		}
		if cursors[next] {
			return nil, plain("gives the same cursor for the next page twice, so that its list never ends")
		}
		cursor, cursors[next] = next, true
	}
}

// plain is an error that is fit to be read as it stands.
func plain(format string, args ...any) *plainError {
	return &plainError{fmt.Sprintf(format, args...)}
}

type plainError struct{ message string }

func (e *plainError) Error() string { return e.message }
