package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/rules/narrow"
)

// seen is what an attempt saw of a server, for the errors of the SDK say little
// of it. It is used from several goroutines.
type seen struct {
	mu        sync.Mutex
	status    int    // of the last answer over HTTP
	media     string // its media type
	challenge string // its WWW-Authenticate
	err       error  // why the last request had no answer
	readErr   error  // why nothing more could be read
	endErr    error  // how the command ended
	bytes     int64  // of all answers
	version   string // of the protocol that was agreed on
	page      json.RawMessage
	stderr    *tail // of the command; nil for HTTP
}

func (s *seen) takePage() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	page := s.page
	s.page = nil
	return page
}

// count adds to the bytes read, and says whether they are still within bounds.
func (s *seen) count(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += int64(n)
	return s.bytes <= maxBytes
}

// tapped is a transport whose answers are looked at on their way to the SDK.
type tapped struct {
	mcp.Transport
	seen *seen
	conn mcp.Connection
}

// Connect implements mcp.Transport.
func (t *tapped) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil && t.seen.stderr != nil {
		return nil, plain("could not be started: %v", inner(err))
	}
	if err != nil {
		return nil, err
	}
	t.conn = &tap{Connection: conn, seen: t.seen, asked: map[jsonrpc.ID]string{}}
	return t.conn, nil
}

// end closes what was opened, but does not wait for long.
func (t *tapped) end(session *mcp.ClientSession) {
	if t.conn == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if session != nil {
			_ = session.Close() // the list is complete, or there is a better error
		}
		err := t.conn.Close()
		t.seen.mu.Lock()
		t.seen.endErr = err
		t.seen.mu.Unlock()
	}()
	select {
	case <-done:
	case <-time.After(grace):
	}
}

// tap is a connection that keeps the answers that matter as they were sent, and
// hands up ones that the SDK cannot stumble over.
type tap struct {
	mcp.Connection
	seen *seen

	mu    sync.Mutex
	asked map[jsonrpc.ID]string // methods
}

// Write implements mcp.Connection.
func (t *tap) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		t.mu.Lock()
		t.asked[r.ID] = r.Method
		t.mu.Unlock()
	}
	return t.Connection.Write(ctx, m)
}

// Read implements mcp.Connection.
func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := t.Connection.Read(ctx)
	if err != nil {
		// What is closed was closed here, when its time was over.
		if ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, fs.ErrClosed) {
			t.seen.mu.Lock()
			t.seen.readErr = err
			t.seen.mu.Unlock()
		}
		return nil, err
	}
	r, ok := m.(*jsonrpc.Response)
	if answered := ok && r.Error == nil; !answered {
		return m, nil
	}
	if t.seen.stderr != nil && !t.seen.count(len(r.Result)) {
		return nil, errTooBig
	}
	t.mu.Lock()
	method := t.asked[r.ID]
	delete(t.asked, r.ID)
	t.mu.Unlock()
	switch method {
	case "initialize":
		t.initialized(r)
	case "tools/list":
		t.seen.mu.Lock()
		t.seen.page = bytes.Clone(r.Result)
		t.seen.mu.Unlock()
		r.Result = json.RawMessage(`{"tools":[]}`)
	}
	return r, nil
}

// initialized reduces the answer to a handshake to what is needed of it.
func (t *tap) initialized(r *jsonrpc.Response) {
	var result, info map[string]json.RawMessage
	if json.Unmarshal(r.Result, &result) != nil || result == nil {
		return // the SDK says what is wrong with it
	}
	_ = json.Unmarshal(result["serverInfo"], &info) // without it, there is no name
	version := narrow.Text(result["protocolVersion"])
	t.seen.mu.Lock()
	t.seen.version = version
	t.seen.mu.Unlock()
	reduced, err := json.Marshal(map[string]any{
		"protocolVersion": version,
		"capabilities":    struct{}{},
		"serverInfo":      map[string]string{"name": narrow.Text(info["name"]), "version": narrow.Text(info["version"])},
	})
	if err == nil {
		r.Result = reduced
	}
}
