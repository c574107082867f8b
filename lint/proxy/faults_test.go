package proxy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fragile, in the environment, makes this binary a server that can be killed by a call.
const fragile = "GETE_TEST_FRAGILE"

func TestMain(m *testing.M) {
	if os.Getenv(fragile) == "" {
		os.Exit(m.Run())
	}
	b := newBackend(&mcp.Tool{Name: "live", InputSchema: schema(false)})
	b.server.AddTool(&mcp.Tool{Name: "die", InputSchema: schema(false)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(3)
		return nil, nil
	})
	if err := b.server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// TestServerKilled kills a server in the middle of a call. The other stays, and the one
// comes back.
func TestServerKilled(t *testing.T) {
	t.Setenv(fragile, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := newBackend(&mcp.Tool{Name: "other", InputSchema: schema(false)})
	p, log := newProxy(t, map[string]string{"https://a.example.com/": "stdio:'" + self + "'", "https://b.example.com/": other.serve(t)},
		"url: https://a.example.com/\neffect: read", "url: https://b.example.com/\neffect: read")
	client := connect(t, p, nil)
	if diff := cmp.Diff([]string{"die", "live", "other"}, names(t, client)); diff != "" {
		t.Fatal(diff)
	}
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "die"})
	if err != nil || !r.IsError || !strings.Contains(text(r), "https://a.example.com/ ended") || !strings.Contains(text(r), "may or may not have done its job") {
		t.Errorf("%v %v", r, err)
	}
	eventually(t, "the dead server's tools are withheld", func() bool { return cmp.Equal([]string{"other"}, names(t, client)) })
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "live"}); err == nil {
		t.Error("a withheld tool was called")
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "other"}); err != nil {
		t.Error(err)
	}
	eventually(t, "it comes back", func() bool { return cmp.Equal([]string{"die", "live", "other"}, names(t, client)) })
	if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "live"}); err != nil || r.IsError {
		t.Error(r, err)
	}
	if !strings.Contains(log.String(), `outcome="server gone"`) || !strings.Contains(log.String(), "msg=disconnected server=https://a.example.com/") {
		t.Error(log)
	}
}

// TestServerAway starts without a server over HTTP, which comes, goes and comes again.
func TestServerAway(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "search", InputSchema: schema(false)})
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	p, _ := newProxy(t, map[string]string{url: "http://" + address}, "url: "+url+"\neffect: read")
	client := connect(t, p, nil)
	if got := names(t, client); len(got) != 0 {
		t.Fatalf("offered %v", got)
	}
	for range 2 {
		listener, err := config.Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewUnstartedServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return b.server }, nil))
		_ = server.Listener.Close()
		server.Listener = listener
		server.Start()
		eventually(t, "it is there", func() bool { return cmp.Equal([]string{"search"}, names(t, client)) })
		if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "search"}); err != nil || r.IsError {
			t.Error(r, err)
		}
		server.CloseClientConnections()
		server.Close()
		eventually(t, "it is gone", func() bool { return len(names(t, client)) == 0 })
	}
}

// TestStatus has a server answer one call with a status over HTTP while another goes well.
// Each says what came of its own, and the tools stay.
func TestStatus(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		say    string
	}{
		{400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32050,"message":"not so"}}`, `"code":-32050,"message":"not so"`},
		{422, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32051,"message":"nor so"}}`, `"code":-32051,"message":"nor so"`},
		{429, `%s: slow down`, `answered 429; the tool`},
		{500, `%s: oh`, `answered 500; the tool`},
		{200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32052,"message":"no"}}`, `"code":-32052,"message":"no"`},
	} {
		t.Run(fmt.Sprint(test.status), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var req struct {
					ID     json.RawMessage
					Method string
					Params struct{ Name string }
				}
				if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&req) != nil {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				answer := map[string]string{
					"initialize": `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
					"tools/list": `"result":{"tools":[{"name":"bad","inputSchema":{"type":"object"}},{"name":"good","inputSchema":{"type":"object"}}]}`,
					"tools/call": `"result":{"content":[]}`,
				}[req.Method]
				switch {
				case req.ID == nil:
					w.WriteHeader(http.StatusAccepted)
				case req.Params.Name == "bad":
					w.WriteHeader(test.status)
					_, _ = fmt.Fprintf(w, test.body, req.ID)
				default:
					_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, req.ID, answer)
				}
			}))
			t.Cleanup(server.Close)
			p, log := newProxy(t, map[string]string{url: server.URL}, "url: "+url+"\neffect: read")
			w := raw(t, p)
			for i := range 3 {
				w.works("good")
				id := fmt.Sprint(i)
				w.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"bad"}}`)
				m := w.answer(id)
				if got := string(m["error"]) + string(m["result"]); !strings.Contains(got, test.say) {
					t.Errorf("got %s, want %s", got, test.say)
				}
			}
			w.works("good")
			if strings.Contains(log.String(), "disconnected") {
				t.Error(log)
			}
		})
	}
}

// TestSlowServer does not wait longer than the block's timeout.
func TestSlowServer(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "fast", InputSchema: schema(false)})
	b.server.AddTool(&mcp.Tool{Name: "slow", InputSchema: schema(false)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	p, log := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read\ntimeout: 0.5")
	client := connect(t, p, nil)
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "slow"})
	if err != nil || !r.IsError || text(r) != url+" did not answer within 500ms; the tool may or may not have done its job" {
		t.Errorf("%v %v", r, err)
	}
	if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "fast"}); err != nil || r.IsError {
		t.Error(r, err)
	}
	if !strings.Contains(log.String(), "outcome=timeout") {
		t.Error(log)
	}
}

// TestBrokenMessages sends over standard input what is no message.
func TestBrokenMessages(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "call", InputSchema: schema(false)})
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read")
	w := raw(t, p)
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, test := range []struct{ name, line, id, say string }{
		{"no JSON", `{"jsonrpc":`, "null", `"code":-32700`},
		{"half a message", `{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"name":`, "41", `"code":-32700`},
		{"an array", `[1,2]`, "null", `"code":-32600`},
		{"a text", `hello`, "null", `"code":-32700`},
		{"another protocol", `{"jsonrpc":"1.0","id":"x y","method":"tools/list"}`, `"x y"`, `"code":-32600`},
		{"nested", `{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"call","arguments":{"a":` + deep + `}}}`, "42", "nesting depth"},
		{"nested, its id last", `{"params":{"name":"call","id":1,"arguments":{"id":2,"a":` + deep + `}},"method":"tools/call","jsonrpc":"2.0","id":43}`, "43", "nesting depth"},
		{"100 MB", `{"params":{"name":"call","arguments":{"a":"` + strings.Repeat("x", 100<<20) + `"}},"method":"tools/call","jsonrpc":"2.0","id":44}`, "44", "over the limit of 32 MiB"},
		{"20 MB", `{"jsonrpc":"2.0","id":45,"method":"tools/call","params":{"name":"call","arguments":{"a":"` + strings.Repeat("x", 20<<20) + `"}}}`, "45", "over the limit of 16 MiB"},
		{"500 deep", `{"jsonrpc":"2.0","id":46,"method":"tools/call","params":{"name":"call","arguments":{"a":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}}}`, "46", "the arguments are nested more than 200 levels deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w.t = t
			w.send(test.line)
			m := w.answer(test.id)
			if got := string(m["error"]) + string(m["result"]); !strings.Contains(got, test.say) {
				t.Errorf("got %.300s, want %s", got, test.say)
			}
			w.works("call")
		})
	}
	w.t = t
	w.send("")
	w.works("call")
	if got := b.received(); len(got) != 11 {
		t.Errorf("the server received %d calls", len(got))
	}
	_ = w.in.Close()
	select {
	case err := <-w.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the proxy does not end with its client")
	}
}

// TestClientDoesNotRead ends the proxy while its client takes nothing of what it says.
func TestClientDoesNotRead(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "call", InputSchema: schema(false)})
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read")
	toProxy, in := io.Pipe()
	_, fromProxy := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.ServeStdio(ctx, toProxy, fromProxy) }()
	if _, err := io.WriteString(in, hello+"\n"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // the answer is being written by then
	cancel()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("the proxy does not end")
	}
}

// TestClientGone has a client go away in the middle of a call, and another go on.
func TestClientGone(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "call", InputSchema: schema(false)})
	began, ended := make(chan struct{}), make(chan struct{})
	b.server.AddTool(&mcp.Tool{Name: "wait", InputSchema: schema(false)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read\ntimeout: 2")
	w := raw(t, p)
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`)
	<-began
	_ = w.in.Close()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the server works on for nobody")
	}
	client := connect(t, p, nil)
	for i := range 3 {
		if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "call", Arguments: map[string]any{"i": fmt.Sprint(i)}}); err != nil || r.IsError {
			t.Error(r, err)
		}
	}
}
