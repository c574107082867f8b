package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	for url, want := range map[string]string{
		closed.URL:                              "refused the connection",
		secure.URL:                              "TLS: ",
		"https" + serve(t, result("{}"))[4:]:    "TLS: ",
		"http://no-such-host.invalid/mcp":       "has a host that cannot be resolved",
		"ftp://example.com":                     "is no address that starts with",
		"http://":                               "is no address that starts with",
		"http://%zz":                            "is no address that starts with",
		silent(t):                               "did not answer within 2s",
		serve(t, http.HandlerFunc(neverEnding)): "did not answer within 2s",
	} {
		t.Run(want+url, func(t *testing.T) {
			t.Parallel()
			to := target(url)
			to.Timeout = 2 * time.Second
			if e := refused(t, to); !strings.HasPrefix(e.Message, want) {
				t.Errorf("got %q, want %q", e.Message, want)
			}
		})
	}
}

// silent takes connections, and says nothing.
func silent(t *testing.T) string {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return "http://" + l.Addr().String()
}

// neverEnding streams what answers nothing.
func neverEnding(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, ": still there\n\n")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(20 * time.Millisecond)
	}
}

// Some servers never answer a method that they do not know, or hang up.
func TestFallback(t *testing.T) {
	for name, discover := range map[string]http.HandlerFunc{
		"hangs":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"500":      always(500, "X", "y", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := target(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var request struct{ Method string }
				body, _ := io.ReadAll(r.Body)
				if json.Unmarshal(body, &request) == nil && request.Method == "server/discover" {
					discover(w, r)
					return
				}
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				result(`{"tools":[{"name":"a"}]}`)(w, r)
			})))
			to.Timeout = 3 * time.Second
			if l := listed(t, to); len(l.Tools) != 1 {
				t.Errorf("got %+v", l)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	_, err := List(ctx, target(silent(t)))
	var e *Error
	if !errors.As(err, &e) || e.Message != "was not waited for" || time.Since(start) > time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
}
