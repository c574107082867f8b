// Package live speaks to a running MCP server: List asks it for its tools and takes
// leave; a Session stays, and can call them. It offers the server nothing in return.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

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
	// current is the protocol that the SDK thinks best.
	current = ""

	grace = 500 * time.Millisecond // for ending things once they are over

	maxBytes = 64 << 20 // of an answer, and of a whole list
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

// list lists the tools over a session that is there for that alone.
func list(ctx context.Context, t Target) (*narrow.Listing, error) {
	return reach(ctx, t, []string{current, pinned}, func(open opener, version string, within time.Duration) (*narrow.Listing, error) {
		s, err := connect(ctx, t, open, version, within, nil)
		if err != nil {
			return nil, err
		}
		defer s.end()
		return s.pages(ctx)
	})
}

// An opener makes a fresh way to the server, and notes what it sees there.
type opener func(context.Context, *seen) (mcp.Transport, error)

// reach tries one way of speaking to the server after the other, with the versions of
// the protocol in their order. A try must stand within a time. Errors are *failure.
func reach[T any](ctx context.Context, t Target, versions []string, try func(opener, string, time.Duration) (T, error)) (got T, err error) {
	open, err := t.opener()
	if err != nil {
		return got, err
	}
	for i, version := range versions {
		within := t.Timeout
		if i < len(versions)-1 {
			within = min(t.Timeout/3, 5*time.Second)
		}
		if got, err = try(open, version, within); err == nil || final(ctx, err) {
			return got, err
		}
	}
	var f *failure
	if strings.HasPrefix(t.URL, StdioScheme) || !errors.As(err, &f) || !slices.Contains(postRefused, f.status) {
		return got, err
	}
	// Before Streamable HTTP, a server refused the POST and took a GET instead.
	got, older := try(t.sse, pinned, t.Timeout)
	if older != nil && !unauthorized(older) && ctx.Err() == nil {
		return got, err // what the address said first is the better story
	}
	return got, older
}

// plain is an error that is fit to be read as it stands.
func plain(format string, args ...any) *plainError {
	return &plainError{fmt.Sprintf(format, args...)}
}

type plainError struct{ message string }

func (e *plainError) Error() string { return e.message }
