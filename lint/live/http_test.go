package live

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// fake is a server of the handshake's days that answers tools/list with what is
// given for a cursor, and the rest correctly.
func fake(list func(cursor string) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ Cursor string }
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&request) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if len(request.ID) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := `"error":{"code":-32601,"message":"no such method"}`
		switch request.Method {
		case "initialize":
			answer = `"result":{"protocolVersion":"2025-06-18","capabilities":"all","serverInfo":{"name":"fake","version":2}}`
		case "tools/list":
			if r.Header.Get("Mcp-Protocol-Version") != "2025-06-18" {
				answer = `"error":{"code":-32600,"message":"no protocol version"}`
				break
			}
			answer = list(request.Params.Cursor)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, answer)
	}
}

func result(raw string) http.HandlerFunc {
	return fake(func(string) string { return `"result":` + raw })
}

// always answers every request in the same way.
func always(status int, header, value, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // not what net/http guesses
		w.Header().Set(header, value)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestBadServers(t *testing.T) {
	const media, html = "Content-Type", "<html>Hello " + token + "</html>"
	for _, c := range []struct {
		name string
		h    http.HandlerFunc
		want string
	}{
		{"401", always(401, "WWW-Authenticate", `Bearer realm="x"`, ""), "answered 401, and wants `Bearer realm=\"x\"`"},
		{"401 that repeats the token", always(401, "WWW-Authenticate", `Bearer error="`+token+`"`, ""),
			"answered 401, and wants `Bearer error=\"…\"`"},
		{"401 that says much", always(401, "WWW-Authenticate", strings.Repeat("x", maxQuote-5)+token, ""),
			"answered 401, and wants `" + strings.Repeat("x", maxQuote-5) + "…`"},
		{"401 that says nothing", always(401, media, "text/plain", ""), "answered 401"},
		{"403", always(403, media, "text/html", html), "answered 403"},
		{"400", always(400, media, "text/plain", "no"), "answered 400"},
		{"400 with a reason", always(400, media, "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"bad `+token+`\u001b[1m"}}`), "answered 400: bad …[1m"},
		{"404", always(404, media, "text/html", html), "answered 404"},
		{"405", always(405, media, "text/plain", ""), "answered 405"},
		{"429", always(429, media, "text/plain", "slow down"), "answered 429"},
		{"500", always(500, media, "text/html", html), "answered 500"},
		{"503", always(503, media, "text/html", html), "answered 503"},
		{"HTML", always(200, media, "text/html; charset=utf-8", html), "answered with text/html, which is not MCP"},
		{"text", always(200, media, "text/plain", "hello"), "answered with text/plain, which is not MCP"},
		{"no content type", always(200, "X", "y", "hello"), "answered without a content type, which is not MCP"},
		{"no JSON", always(200, media, "application/json", "hello"), "did not answer as MCP has it: "},
		{"empty", always(200, media, "application/json", ""), "did not answer as MCP has it: "},
		{"empty stream", always(200, media, "text/event-stream", ""), "did not answer as MCP has it: "},
		{"nowhere", always(302, media, "text/plain", ""), "answered 302"},
		{"circle", always(307, "Location", "/", ""), "redirects in a circle"},
		{"ever on", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
		},
			"redirects more than 5 times"},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "broke off the connection: EOF"},
		{"endless cursor", result(`{"tools":[],"nextCursor":"x"}`), "gives the same cursor for the next page twice"},
		{"ever new cursors", fake(func(c string) string { return `"result":{"tools":[],"nextCursor":"` + c + `x"}` }),
			"lists its tools on more than 100 pages"},
		{"too many tools", result(`{"tools":[` + strings.Repeat(`{"name":"a"},`, maxTools) + `{"name":"a"}]}`),
			"lists more than 10000 tools"},
		{"no list", result(`{"tools":7}`), "answered tools/list with a result that has tools that are no array"},
		{"deep", result(`{"tools":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`),
			"did not answer as MCP has it: calling \"tools/list\": sending \"tools/list\": failed to decode response: unmarshaling jsonrpc message: json: exceeded maximum nesting depth"},
		{"error", fake(func(string) string { return `"error":{"code":-32603,"message":"broken ` + token + `"}` }),
			"answered with error -32603: broken …"},
		{"oversized", oversized, "gave an answer over the limit of 64 MiB"},
		{"oversized event", oversizedEvent, "sent an event over the limit of 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			to := target(serve(t, c.h))
			to.Timeout = 20 * time.Second
			e := refused(t, to)
			if !strings.HasPrefix(e.Message, c.want) {
				t.Errorf("got  %q\nwant %q", e.Message, c.want)
			}
			if want := strings.HasPrefix(c.name, "401") || c.name == "403"; e.Unauthorized != want {
				t.Errorf("unauthorized is %v", e.Unauthorized)
			}
		})
	}
}

func oversized(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	chunk := []byte(strings.Repeat(" ", 1<<20))
	for range 70 {
		_, _ = w.Write(chunk)
	}
}

func oversizedEvent(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "data: "+strings.Repeat("x", 17<<20)+"\n\n")
}

func TestRedirect(t *testing.T) {
	var calls atomic.Int32
	other := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		for name, values := range r.Header {
			if text := strings.Join(values, " "); strings.Contains(text, token) || strings.Contains(text, apiKey) {
				t.Errorf("%s went to another host", name)
			}
		}
		result(`{"tools":[{"name":"a"}]}`)(w, r)
	}))
	first := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("X-Api-Key") != apiKey {
			t.Errorf("the target did not get the headers: %v", r.Header)
		}
		http.Redirect(w, r, other, http.StatusTemporaryRedirect)
	}))
	if l := listed(t, target(first)); len(l.Tools) != 1 || calls.Load() == 0 {
		t.Errorf("got %+v after %d calls", l, calls.Load())
	}
}

func TestLenient(t *testing.T) {
	tools := `{"name":"a","inputSchema":null},{"name":"a","annotations":{"readOnlyHint":"true"}},` +
		`{"name":"b c","inputSchema":{"maximum":9007199254740993}},{"name":7},{"name":"d","description":[]}`
	for name, h := range map[string]http.HandlerFunc{
		"empty cursor":     result(`{"tools":[` + tools + `],"nextCursor":""}`),
		"cursor of null":   result(`{"tools":[` + tools + `],"nextCursor":null}`),
		"cursor: a number": fake(numbered(`"result":{"tools":[`+tools+`],"nextCursor":2}`, `"result":{"tools":[]}`)),
	} {
		t.Run(name, func(t *testing.T) {
			l := listed(t, target(serve(t, h)))
			if len(l.Tools) != 4 || l.Server != "fake" || l.Version != "" {
				t.Fatalf("got %+v", l)
			}
			if got := string(l.Tools[2].InputSchema); got != `{"maximum":9007199254740993}` {
				t.Errorf("got %s", got)
			}
		})
	}
	none := fake(func(string) string { return `"error":{"code":-32601,"message":"no"}` })
	if l := listed(t, target(serve(t, none))); len(l.Tools) != 0 {
		t.Errorf("got %+v", l)
	}
}

func numbered(first, second string) func(string) string {
	return func(cursor string) string {
		if cursor == "2" {
			return second
		}
		return first
	}
}
