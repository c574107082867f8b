package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/lint/proxy"
)

// A wire speaks to the proxy in lines, without an SDK that mends or judges them.
type wire struct {
	t     testing.TB
	in    io.WriteCloser
	lines chan string
	done  chan error
}

// raw connects a wire to the proxy, and shakes hands.
func raw(t testing.TB, p *proxy.Proxy) *wire {
	t.Helper()
	toProxy, in := io.Pipe()
	out, fromProxy := io.Pipe()
	w := &wire{t: t, in: in, lines: make(chan string, 100), done: make(chan error, 1)}
	go func() { w.done <- p.ServeStdio(context.Background(), toProxy, fromProxy) }()
	go func() {
		s := bufio.NewScanner(out)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			w.lines <- s.Text()
		}
	}()
	t.Cleanup(func() { _ = in.Close() })
	w.send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"w","version":"1"}}}`)
	w.answer(`"i"`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// answer is the next message that answers an id, as JSON; notifications are passed over.
func (w *wire) answer(id string) map[string]json.RawMessage {
	w.t.Helper()
	for {
		select {
		case line := <-w.lines:
			var m map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				w.t.Fatalf("%v in %s", err, line)
			}
			if m["method"] != nil {
				continue
			}
			if string(m["id"]) != id {
				w.t.Fatalf("got the id %s, want %s: %.200s", m["id"], id, line)
			}
			return m
		case <-time.After(20 * time.Second):
			w.t.Fatalf("nothing answers %s", id)
		}
	}
}

// works makes a call that must succeed.
func (w *wire) works(tool string) {
	w.t.Helper()
	w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"works","method":"tools/call","params":{"name":%q,"arguments":{}}}`, tool))
	if m := w.answer(`"works"`); m["result"] == nil || strings.Contains(string(m["result"]), `"isError":true`) {
		w.t.Errorf("the proxy does not work: %s%s", m["error"], m["result"])
	}
}

// script is a server that answers tools/list with one tool, call, and calls with what it
// is told, to the byte.
func script(t testing.TB, answer string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		if req.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		body := map[string]string{
			"initialize": `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
			"tools/list": `"result":{"tools":[{"name":"call","inputSchema":{"type":"object"},"x-unheard":{"n":12345678901234567890}}]}`,
			"tools/call": answer,
		}[req.Method]
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, req.ID, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestWhole has answers come back whole, also what the SDK does not know or would round.
func TestWhole(t *testing.T) {
	for _, test := range []struct{ name, answer, want string }{
		{"content", `"result":{"content":[{"type":"text","text":"<&>","annotations":{"priority":0.5},"_meta":{"a":1}}]}`, ""},
		{"image, audio, resources", `"result":{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"audio","data":"aGk=","mimeType":"audio/wav"},{"type":"resource_link","uri":"a://b","name":"n","size":3},{"type":"resource","resource":{"uri":"a://b","blob":"aGk="}}]}`, ""},
		{"of a kind yet to be made", `"result":{"content":[{"type":"hologram","data":[1,2]}],"extra":{"k":null}}`, ""},
		{"numbers to the digit", `"result":{"content":[],"structuredContent":{"id":12345678901234567890,"x":1.10,"e":1E2}}`, ""},
		{"_meta", `"result":{"content":[],"_meta":{"example.com/a":{"b":[1]}}}`, ""},
		{"the tool's error", `"result":{"content":[{"type":"text","text":"no"}],"isError":true}`, ""},
		{"the server's error", `"error":{"code":-32050,"message":"full","data":{"free":[0]}}`, ""},
		{"_meta that is none", `"result":{"content":[],"_meta":5}`, `{"content":[]}`},
		{"no object", `"result":[1]`, `{"code":-32603,"message":"the server answered with a result that is no JSON object"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := newProxy(t, map[string]string{url: script(t, test.answer)}, "url: "+url+"\neffect: read")
			w := raw(t, p)
			w.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"call"}}`)
			got := w.answer("7")
			kind, want, _ := strings.Cut(test.answer, ":")
			if test.want != "" {
				want = test.want
			}
			if got["error"] != nil {
				kind = `"error"`
			}
			if diff := cmp.Diff(canonical(t, want), canonical(t, string(got[strings.Trim(kind, `"`)]))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	t.Run("a tool", func(t *testing.T) {
		p, _ := newProxy(t, map[string]string{url: script(t, "")}, "url: "+url+"\neffect: read")
		w := raw(t, p)
		w.send(`{"jsonrpc":"2.0","id":8,"method":"tools/list"}`)
		if got := string(w.answer("8")["result"]); !strings.Contains(got, `"x-unheard":{"n":12345678901234567890}`) {
			t.Error(got)
		}
	})
}

// canonical is JSON in one form, with its numbers to the digit.
func canonical(t *testing.T, text string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestProgressAndCancellation passes on both ways what is said during a call.
func TestProgressAndCancellation(t *testing.T) {
	b := newBackend()
	cancelled := make(chan struct{})
	b.server.AddTool(&mcp.Tool{Name: "count", InputSchema: schema(false)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 20 {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: 20, Message: fmt.Sprint("step ", i+1),
			}); err != nil {
				return nil, err
			}
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(req.Params.Meta["example.com/trace"])}}}, nil
	})
	b.server.AddTool(&mcp.Tool{Name: "wait", InputSchema: schema(false)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		close(cancelled)
		return nil, ctx.Err()
	})
	p, log := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read")
	notices := make(chan *mcp.ProgressNotificationParams, 100)
	client := connect(t, p, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { notices <- req.Params }})

	params := &mcp.CallToolParams{Name: "count", Meta: mcp.Meta{"example.com/trace": "abc"}}
	params.SetProgressToken("mine")
	r, err := client.CallTool(t.Context(), params)
	if err != nil || text(r) != "abc" {
		t.Fatal(r, err)
	}
	for i := range 20 {
		select {
		case n := <-notices:
			if n.ProgressToken != "mine" || n.Progress != float64(i+1) || n.Total != 20 || n.Message != fmt.Sprint("step ", i+1) {
				t.Errorf("notice %d is %+v", i+1, n)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("only %d notices came", i)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "wait"}); err == nil {
		t.Error("the call was not cancelled")
	}
	select {
	case <-cancelled:
	case <-time.After(20 * time.Second):
		t.Error("the server was not told")
	}
	eventually(t, "outcome=cancelled", func() bool { return strings.Contains(log.String(), "outcome=cancelled") })
}
