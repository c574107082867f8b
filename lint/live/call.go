package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Call is a call of a tool.
type Call struct {
	Tool      string
	Arguments json.RawMessage // a JSON object
	Meta      map[string]any  // the call's _meta, without a progress token; may be nil
	// Progress is given the params of each of the server's notifications about the
	// progress of this call, in their order and before the call returns; nil for asking
	// for none.
	Progress func(params map[string]json.RawMessage)
}

// Call calls a tool, and gives the result as the server sent it. It takes as long as ctx
// lets it; when that ends, the server is told. An error is the server's own
// (*jsonrpc.Error), that of ctx, or *Error: then the server may or may not have done
// what was asked.
func (s *Session) Call(ctx context.Context, c Call) (json.RawMessage, error) {
	if !s.begin() {
		return nil, &Error{Message: "went away"}
	}
	defer s.calls.Done()
	a := &answer{progress: make(chan map[string]json.RawMessage, maxProgress)}
	params := &mcp.CallToolParams{Meta: c.Meta, Name: c.Tool, Arguments: c.Arguments}
	if c.Progress != nil {
		token := s.tapped.conn.expect(a)
		defer s.tapped.conn.forget(token)
		params.SetProgressToken(token)
	}
	finished := make(chan error, 1)
	go func() {
		_, err := s.client.CallTool(context.WithValue(ctx, answerKey{}, a), params)
		finished <- err
	}()
	for {
		select {
		case p := <-a.progress:
			c.Progress(p)
			continue
		case err := <-finished:
			for len(a.progress) > 0 {
				c.Progress(<-a.progress)
			}
			return s.outcome(ctx, a, err)
		}
	}
}

// outcome is what came of a call, of which the SDK has an error or none. Where the
// connection, too, came to nothing, the session is over.
func (s *Session) outcome(ctx context.Context, a *answer, err error) (json.RawMessage, error) {
	a.mu.Lock()
	result, refusal, e := a.result, a.refusal, a.exchange
	a.mu.Unlock()
	switch {
	case err == nil && result != nil:
		return result, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case refusal != nil:
		return nil, refusal
	}
	f := s.seen.failure(cmp.Or(err, error(plain("gave no answer"))))
	f.exchange = e
	forgotten := e.status == http.StatusNotFound && s.client.ID() != ""
	if e.status < 300 || !errors.Is(err, rejected) || forgotten {
		s.fail()
	}
	// A server that answers with a status of its own may say more in the body.
	if e.status >= 300 && errors.As(err, &refusal) && !refusal.Is(rejected) && !forgotten {
		return nil, refusal
	}
	return nil, s.target.explain(ctx, f)
}

// maxProgress is how many notifications of progress may wait for who is to have them;
// beyond it, the oldest is forgotten.
const maxProgress = 256

// An answer is what comes back for a call.
type answer struct {
	progress chan map[string]json.RawMessage

	mu       sync.Mutex
	result   json.RawMessage // nil for none
	refusal  *jsonrpc.Error  // nil for none
	exchange exchange        // over HTTP
}

// answerKey is under which the context of a request holds its answer.
type answerKey struct{}

func (a *answer) put(result json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.result = result
}

func (a *answer) refuse(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	errors.As(err, &a.refusal)
}

// advance adds a notification of progress. Only the reader of the connection calls it.
func (a *answer) advance(params map[string]json.RawMessage) {
	for {
		select {
		case a.progress <- params:
			return
		default:
		}
		select {
		case <-a.progress:
		default:
		}
	}
}

// expect is a progress token that is for an answer.
func (t *tap) expect(a *answer) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tokens++
	token := strconv.Itoa(t.tokens)
	t.expected[token] = a
	return token
}

func (t *tap) forget(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.expected, token)
}

// progressed hands a notification to the call that it is about.
func (t *tap) progressed(raw json.RawMessage) {
	var params map[string]json.RawMessage
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	token := strings.Trim(string(params["progressToken"]), `"`)
	t.mu.Lock()
	a := t.expected[token]
	t.mu.Unlock()
	if a != nil {
		a.advance(params)
	}
}
