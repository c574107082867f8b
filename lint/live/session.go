package live

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/rules/narrow"
)

// A Session is a connection to a server that stands. Its methods may be called at the
// same time, but for List.
type Session struct {
	target Target
	seen   *seen
	tapped *tapped
	client *mcp.ClientSession
	ctx    context.Context // ends with the session
	cancel context.CancelFunc

	changed chan struct{}
	done    chan struct{}
	broken  sync.Once

	mu     sync.Mutex
	closed bool // no call may begin
	calls  sync.WaitGroup
}

// Open connects to a server within the target's time. The session is there until it is
// closed or ctx ends. Errors are *Error.
func Open(ctx context.Context, t Target) (*Session, error) {
	t.Timeout = cmp.Or(max(t.Timeout, 0), 30*time.Second)
	within, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	changed := make(chan struct{}, 1)
	// The handshake first: whoever stays wants to hear of changes, and to be told apart.
	s, err := reach(within, t, []string{pinned, current}, func(open opener, version string, within time.Duration) (*Session, error) {
		return connect(ctx, t, open, version, within, changed)
	})
	if err != nil {
		return nil, t.explain(within, err)
	}
	go s.watch()
	if s.tapped.conn.incoming != nil && s.seen.agreed() != "" {
		go s.listen()
	}
	return s, nil
}

// connect opens a session over one connection, which must stand within a time. Errors
// are *failure. Where changed is not nil, it learns that the server's tools did.
func connect(parent context.Context, t Target, open opener, version string, within time.Duration, changed chan struct{}) (*Session, error) {
	ctx, cancel := context.WithCancel(parent)
	s := &Session{target: t, seen: &seen{}, ctx: ctx, cancel: cancel, changed: changed, done: make(chan struct{})}
	transport, err := open(ctx, s.seen)
	if err != nil {
		cancel()
		return nil, s.seen.failure(err)
	}
	_, streamable := transport.(*mcp.StreamableClientTransport)
	s.tapped = &tapped{Transport: transport, seen: s.seen, merges: streamable && changed != nil}
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}, Logger: slog.New(slog.DiscardHandler)}
	if changed != nil {
		options.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { s.change() }
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "gete", Version: "1"}, options)
	timer := time.AfterFunc(within, cancel)
	s.client, err = client.Connect(ctx, s.tapped, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if stopped := timer.Stop(); err == nil && !stopped {
		err = context.DeadlineExceeded
	}
	if err != nil {
		s.end()
		return nil, s.seen.failure(err)
	}
	return s, nil
}

// end closes what was opened, but does not wait for long.
func (s *Session) end() {
	s.tapped.end(s.client)
	s.cancel()
}

// watch sees to it that Done says when the connection is over.
func (s *Session) watch() {
	_ = s.client.Wait() // over is over
	s.fail()
}

func (s *Session) fail() { s.broken.Do(func() { close(s.done) }) }

// change notes that the tools changed, or may have.
func (s *Session) change() {
	select {
	case s.changed <- struct{}{}:
	default: // it is to be told already
	}
}

// Done is closed when the server is gone, or does not answer as it should any more. Calls
// that it has yet to answer may still be.
func (s *Session) Done() <-chan struct{} { return s.done }

// Changed receives when the server says that its tools changed.
func (s *Session) Changed() <-chan struct{} { return s.changed }

// Close ends the session, once all calls are over.
func (s *Session) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.calls.Wait()
	s.end()
}

// begin says whether a call may begin, which then has to end.
func (s *Session) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.calls.Add(1)
	}
	return !s.closed
}

// List lists the server's tools within the target's time. Errors are *Error.
func (s *Session) List(ctx context.Context) (*narrow.Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, s.target.Timeout)
	defer cancel()
	listing, err := s.pages(ctx)
	if err != nil {
		return nil, s.target.explain(ctx, s.seen.failure(err))
	}
	return listing, nil
}

// pages asks for one page after the other.
func (s *Session) pages(ctx context.Context) (*narrow.Listing, error) {
	l := &narrow.Listing{}
	if info := s.client.InitializeResult(); info != nil && info.ServerInfo != nil {
		l.Server, l.Version = info.ServerInfo.Name, info.ServerInfo.Version
	}
	cursors := map[string]bool{"": true}
	size := 0
	for cursor, page := "", 1; ; page++ {
		if page > maxPages {
			return nil, s.seen.failure(plain("lists its tools on more than %d pages", maxPages))
		}
		_, err := s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		raw := s.seen.takePage()
		if refusal := (*jsonrpc.Error)(nil); errors.As(err, &refusal) && refusal.Code == jsonrpc.CodeMethodNotFound {
			return l, nil // it has no tools to list
		}
		if raw == nil {
			return nil, s.seen.failure(cmp.Or(err, error(plain("gave no answer when asked for its tools"))))
		}
		if size += len(raw); size > maxBytes {
			return nil, s.seen.failure(errTooBig)
		}
		tools, next, err := narrow.Page(raw)
		if err != nil {
			return nil, s.seen.failure(plain("answered tools/list with a result that %v", err))
		}
		if l.Tools = append(l.Tools, tools...); len(l.Tools) > maxTools {
			return nil, s.seen.failure(plain("lists more than %d tools", maxTools))
		}
		if next == "" {
			return l, nil
		}
		if cursors[next] {
			return nil, s.seen.failure(plain("gives the same cursor for the next page twice, so that its list never ends"))
		}
		cursor, cursors[next] = next, true
	}
}
