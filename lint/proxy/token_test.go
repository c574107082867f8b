package proxy_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestToken sends the server, on each request, the token of the block's connection and the
// block's headers, and shows neither to the client or the log.
func TestToken(t *testing.T) {
	t.Setenv("GETE_TOKEN_NOTION_MCP", "t0psecret-token")
	t.Setenv("TEAM", "t0psecret-team")
	b := newBackend(&mcp.Tool{Name: "search", InputSchema: schema(false)})
	var mu sync.Mutex
	requests, withBoth := 0, 0
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return b.server }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests++
		if r.Header.Get("Authorization") == "Bearer t0psecret-token" && r.Header.Get("X-Team") == "t0psecret-team" {
			withBoth++
		}
		mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	p, log := newProxy(t, map[string]string{"https://mcp.notion.com/mcp": server.URL},
		"url: https://mcp.notion.com/mcp\neffect: read\nconnection: notion-mcp\nheaders:\n  X-Team: ${TEAM}")
	client := connect(t, p, nil)
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "search"})
	if err != nil || r.IsError {
		t.Fatal(r, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if requests < 4 || withBoth != requests {
		t.Errorf("of %d requests, %d carried the token and the header", requests, withBoth)
	}
	if strings.Contains(log.String()+text(r), "t0psecret") {
		t.Errorf("a secret is shown\n%s\n%s", log, text(r))
	}
}
