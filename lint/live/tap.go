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
	mu      sync.Mutex
	last    exchange // that was of no call of a tool
	readErr error    // why nothing more could be read
	endErr  error    // how the command ended
	tooBig  bool     // an answer was over its bounds
	version string   // of the protocol that was agreed on
	page    json.RawMessage
	stderr  *tail // of the command; nil for HTTP
}

// An exchange is what came of a request over HTTP.
type exchange struct {
	fault     error // why it had no answer
	status    int   // of its answer; 0 for none
	media     string
	challenge string // its WWW-Authenticate
}

func (s *seen) takePage() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	page := s.page
	s.page = nil
	return page
}

// fits says whether so many bytes of one answer are within bounds.
func (s *seen) fits(n int) bool {
	if n <= maxBytes {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tooBig = true
	return false
}

// agreed is the protocol's version of a handshake; "" where there was none.
func (s *seen) agreed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// tapped is a transport whose answers are looked at on their way to the SDK.
type tapped struct {
	mcp.Transport
	seen   *seen
	merges bool // messages come from elsewhere, too
	conn   *tap
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
	t.conn = &tap{Connection: conn, seen: t.seen, asked: map[jsonrpc.ID]asked{}, expected: map[string]*answer{}}
	if t.merges {
		t.conn.incoming, t.conn.closed = make(chan message), make(chan struct{})
		go t.conn.pump()
	}
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

	mu       sync.Mutex
	asked    map[jsonrpc.ID]asked
	expected map[string]*answer // of calls, by progress token
	tokens   int                // given out

	incoming chan message // nil where the connection itself is read
	closed   chan struct{}
	closing  sync.Once
}

// asked is a request that waits for its response.
type asked struct {
	method string
	answer *answer // of a call of a tool
	stop   func() bool
}

func (t *tap) takeAsked(id jsonrpc.ID) asked {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.asked[id]
	delete(t.asked, id)
	return a
}

// A message is what was read.
type message struct {
	jsonrpc.Message
	err error
}

// pump reads the connection where other messages are to be merged into what it says.
func (t *tap) pump() {
	for {
		m, err := t.Connection.Read(context.Background())
		select {
		case t.incoming <- message{m, err}:
		case <-t.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// merge adds a message to those that are read.
func (t *tap) merge(m jsonrpc.Message) {
	select {
	case t.incoming <- message{m, nil}:
	case <-t.closed:
	}
}

// Close implements mcp.Connection.
func (t *tap) Close() error {
	if t.closed != nil {
		t.closing.Do(func() { close(t.closed) })
	}
	return t.Connection.Close()
}

func (t *tap) next(ctx context.Context) (jsonrpc.Message, error) {
	if t.incoming == nil {
		return t.Connection.Read(ctx)
	}
	select {
	case m := <-t.incoming:
		return m.Message, m.err
	case <-t.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements mcp.Connection.
func (t *tap) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		a, _ := ctx.Value(answerKey{}).(*answer)
		// A request that is given up may never be answered.
		stop := context.AfterFunc(ctx, func() { t.takeAsked(r.ID) })
		t.mu.Lock()
		t.asked[r.ID] = asked{r.Method, a, stop}
		t.mu.Unlock()
	}
	return t.Connection.Write(ctx, m)
}

// Read implements mcp.Connection.
func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := t.next(ctx)
	if err != nil {
		// What is closed was closed here, when its time was over.
		if ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, fs.ErrClosed) {
			t.seen.mu.Lock()
			t.seen.readErr = err
			t.seen.mu.Unlock()
		}
		return nil, err
	}
	if notice, ok := m.(*jsonrpc.Request); ok && notice.Method == "notifications/progress" {
		t.progressed(notice.Params)
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return m, nil
	}
	request := t.takeAsked(r.ID)
	if request.stop != nil {
		request.stop()
	}
	if answered := r.Error == nil; !answered {
		if request.answer != nil {
			request.answer.refuse(r.Error)
		}
		return m, nil
	}
	if !t.seen.fits(len(r.Result)) {
		return nil, errTooBig
	}
	switch request.method {
	case "tools/call":
		if request.answer != nil {
			request.answer.put(bytes.Clone(r.Result))
			r.Result = json.RawMessage(`{"content":[]}`)
		}
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
