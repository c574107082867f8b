package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/rules/narrow"
)

const (
	token  = "tok-3f9a1c77d2"
	apiKey = "key-88c1e0b4aa"
)

// asServer names the server that the test binary is when it is run as one.
const asServer = "GETE_LIVE_TEST_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(asServer) {
	case "":
		os.Exit(m.Run())
	case "sdk":
		if err := sdkServer(3, 2).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	case "banner":
		fmt.Println("Starting the server ...")
		time.Sleep(time.Second)
	case "exits":
		fmt.Fprintln(os.Stderr, "no database\nat /var/db")
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Minute)
	}
	os.Exit(0)
}

// sdkServer is the SDK's own server with a number of tools.
func sdkServer(tools, page int) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1.2"}, &mcp.ServerOptions{PageSize: page})
	for i := range tools {
		server.AddTool(&mcp.Tool{
			Name:        fmt.Sprintf("tool-%04d", i),
			Description: "Does it.",
			InputSchema: map[string]any{"type": "object"},
		}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("no tool may be called")
		})
	}
	return server
}

func target(url string) Target {
	return Target{
		URL:     url,
		Headers: map[string]string{"Authorization": "Bearer " + token, "X-Api-Key": apiKey},
		Timeout: 5 * time.Second,
	}
}

// refused lists what cannot be listed, and checks what holds of every error.
func refused(t *testing.T, target Target) *Error {
	t.Helper()
	start := time.Now()
	listing, err := List(t.Context(), target)
	if spent := time.Since(start); spent > target.Timeout+time.Second {
		t.Errorf("it took %v of %v", spent, target.Timeout)
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, %v; want an *Error", listing, err)
	}
	for _, secret := range []string{token, apiKey} {
		if strings.Contains(e.Message, secret) {
			t.Errorf("the message shows %q: %s", secret, e.Message)
		}
	}
	if strings.ContainsAny(e.Message, "\r\n\t\x1b") || len([]rune(e.Message)) > maxMessage {
		t.Errorf("the message is no short line: %q", e.Message)
	}
	return e
}

func listed(t *testing.T, target Target) *narrow.Listing {
	t.Helper()
	listing, err := List(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

func TestServerOfTheSDK(t *testing.T) {
	t.Setenv(asServer, "sdk") // for the command
	server := sdkServer(3, 2)
	get := func(*http.Request) *mcp.Server { return server }
	streamable := func(o mcp.StreamableHTTPOptions) string {
		return serve(t, mcp.NewStreamableHTTPHandler(get, &o))
	}
	for name, url := range map[string]string{
		"streamable":         streamable(mcp.StreamableHTTPOptions{}),
		"streamable as JSON": streamable(mcp.StreamableHTTPOptions{JSONResponse: true}),
		"stateless":          streamable(mcp.StreamableHTTPOptions{Stateless: true}),
		"SSE":                serve(t, mcp.NewSSEHandler(get, nil)),
		"stdio":              StdioScheme + `"` + os.Args[0] + `" -test.v`,
	} {
		t.Run(name, func(t *testing.T) {
			l := listed(t, target(url))
			if l.Server != "shop" || l.Version != "1.2" || len(l.Tools) != 3 {
				t.Fatalf("got %+v", l)
			}
			if got := l.Tools[2]; got.Name != "tool-0002" || got.Description != "Does it." ||
				string(got.InputSchema) != `{"type":"object"}` || got.Annotations != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestManyTools(t *testing.T) {
	for _, c := range []struct{ tools, page int }{{54, 27}, {2000, 100}, {0, 10}} {
		server := sdkServer(c.tools, c.page)
		url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
		if l := listed(t, target(url)); len(l.Tools) != c.tools {
			t.Errorf("got %d tools, want %d", len(l.Tools), c.tools)
		}
	}
}

// serve is the address of a server that ends with the test.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}
