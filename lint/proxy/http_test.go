package proxy_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/lint/proxy"
)

// listen serves a proxy over HTTP on this machine, and gives its address.
func listen(t testing.TB, p *proxy.Proxy, token string) string {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.ServeHTTP(ctx, listener, token) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Error("the proxy does not end")
		}
	})
	return listener.Addr().String()
}

// connectHTTP is a client of the proxy over HTTP.
func connectHTTP(t testing.TB, address string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: "http://" + address + proxy.Path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestSessionEnded has clients end their sessions in the middle of calls, which end too.
func TestSessionEnded(t *testing.T) {
	b := newBackend()
	var began, ended atomic.Int32
	b.server.AddTool(&mcp.Tool{Name: "wait", InputSchema: schema(false)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began.Add(1)
		<-ctx.Done()
		ended.Add(1)
		return nil, ctx.Err()
	})
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read\ntimeout: 600")
	address := listen(t, p, "")
	for range 20 {
		session := handshake(t, address)
		before := began.Load()
		go func() {
			_, _ = request(http.MethodPost, address, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait"}}`, session)
		}()
		eventually(t, "the call is under way", func() bool { return began.Load() > before })
		if status, err := request(http.MethodDelete, address, "", session); err != nil || status != http.StatusNoContent {
			t.Errorf("got %d, %v", status, err)
		}
	}
	eventually(t, "every call is over", func() bool { return ended.Load() == 20 })
}

// handshake opens a session, and gives its id.
func handshake(t testing.TB, address string) string {
	t.Helper()
	req, err := newRequest(http.MethodPost, address, hello, "")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	session := resp.Header.Get("Mcp-Session-Id")
	if status, err := request(http.MethodPost, address, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session); err != nil || session == "" || status != http.StatusAccepted {
		t.Fatal(session, status, err)
	}
	return session
}

// request makes a request of a session, and waits for all of its answer.
func request(method, address, body, session string) (int, error) {
	req, err := newRequest(method, address, body, session)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode, err
}

func newRequest(method, address, body, session string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(context.Background(), method, "http://"+address+proxy.Path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	return req, nil
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"w","version":"1"}}}`

// TestGuard has who may not speak to the proxy be refused.
func TestGuard(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "call", InputSchema: schema(false)})
	target := b.serve(t)
	open, _ := newProxy(t, map[string]string{url: target}, "url: "+url+"\neffect: read")
	closed, _ := newProxy(t, map[string]string{url: target}, "url: "+url+"\neffect: read")
	without, with := listen(t, open, ""), listen(t, closed, "s3cret")
	for _, test := range []struct {
		name, address, host, path string
		headers                   map[string]string
		status                    int
	}{
		{"this machine by its number", without, "", "/mcp", nil, 200},
		{"this machine by its name", without, "localhost:80", "/mcp", nil, 200},
		{"a name of a page's own", without, "evil.example.com", "/mcp", nil, 403},
		{"a name that begins alike", without, "localhost.example.com:80", "/mcp", nil, 403},
		{"a page of another machine", without, "", "/mcp", map[string]string{"Origin": "https://evil.example.com"}, 403},
		{"a page of nowhere", without, "", "/mcp", map[string]string{"Origin": "null"}, 403},
		{"a page of this machine", without, "", "/mcp", map[string]string{"Origin": "http://localhost:6274"}, 200},
		{"another path", without, "", "/", nil, 404},
		{"no token", with, "", "/mcp", nil, 401},
		{"another token", with, "", "/mcp", map[string]string{"Authorization": "Bearer s3cre"}, 401},
		{"the token", with, "", "/mcp", map[string]string{"Authorization": "Bearer s3cret"}, 200},
		{"the token from elsewhere", with, "evil.example.com", "/mcp", map[string]string{"Authorization": "Bearer s3cret"}, 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, body := post(t, test.address, test.path, hello, test.host, test.headers)
			if status != test.status {
				t.Errorf("got %d %s, want %d", status, body, test.status)
			}
		})
	}
}

func post(t testing.TB, address, path, body, host string, headers map[string]string) (int, string) {
	t.Helper()
	req, err := newRequest(http.MethodPost, address, body, "")
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Path, req.Host = path, host
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestBrokenRequests sends over HTTP what is no message.
func TestBrokenRequests(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "call", InputSchema: schema(false)})
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read")
	address := listen(t, p, "")
	client := connectHTTP(t, address)
	call := func(value string) string {
		return `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"call","arguments":{"a":` + value + `}}}`
	}
	for _, test := range []struct {
		name, body string
		status     int
		say        string
	}{
		{"no JSON", `{"jsonrpc":`, 400, "malformed"},
		{"a text", `hello`, 400, "malformed"},
		{"nested", call(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)), 400, "nesting depth"},
		{"100 MB", call(`"` + strings.Repeat("x", 100<<20) + `"`), 413, "exceeds 17825792 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, body := post(t, address, proxy.Path, test.body, "", map[string]string{"Mcp-Session-Id": client.ID()})
			if status != test.status || !strings.Contains(body, test.say) {
				t.Errorf("got %d %.300s, want %d %s", status, body, test.status, test.say)
			}
			if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "call"}); err != nil || r.IsError {
				t.Error(r, err)
			}
		})
	}
}
