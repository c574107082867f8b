package lint_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/lint"
)

// project writes a project of one agent with some tool blocks.
func project(t testing.TB, blocks string) *lint.Loaded {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gete.yaml":                "version: 1\nproject: example-project\nlocation: us-central1\n",
		"agents/helper/agent.yaml": "name: helper\ndisplay_name: H\ndescription: H\nmodel: m\ninstruction: H\nconnections: [notion-mcp]\ntools:\n" + blocks,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := lint.Load(t.Context(), lint.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// serve runs an MCP server, and gives each request to see before it is answered.
func serve(t testing.TB, options *mcp.StreamableHTTPOptions, see func(*http.Request)) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		see(r)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestDialSendsWhatIsDeclared reads from the server what it was sent, and asks it once
// for blocks that send the same to one target.
func TestDialSendsWhatIsDeclared(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	url := serve(t, nil, func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.Header.Get("X-Key")+" "+r.Header.Get("Authorization")]++
	})
	const sent = "a-k-${KEY}-${no name} Bearer secret-1"
	block := "  - mcp: {url: https://mcp.notion.com/mcp, connection: notion-mcp, headers: {X-Key: \"a-${KEY}-${NESTED}-${no name}\"}, allow: [t]}\n"
	environment := map[string]string{"KEY": "k", "NESTED": "${KEY}", "GETE_TOKEN_NOTION_MCP": "secret-1"}
	d := lint.Dialer{
		Targets: map[string]string{"https://mcp.notion.com/mcp": url},
		Getenv:  func(name string) string { return environment[name] },
	}
	once, unlisted, err := project(t, block).List(t.Context(), d)
	if err != nil || len(unlisted) > 0 || once["https://mcp.notion.com/mcp"] == nil {
		t.Fatalf("%v, unlisted %v, %v", once, unlisted, err)
	}
	requests := asked[sent]
	if requests == 0 || len(asked) != 1 {
		t.Fatalf("the server was sent %v", asked)
	}
	d.Targets["https://mcp.notion.com/v2"] = url
	other := strings.Replace(block, "com/mcp", "com/v2", 1)
	if _, unlisted, err = project(t, block+block+other).List(t.Context(), d); err != nil || len(unlisted) > 0 {
		t.Fatal(unlisted, err)
	}
	if again := asked[sent]; again != 2*requests {
		t.Errorf("one block made %d requests, three alike %d", requests, again-requests)
	}
}

// BenchmarkAsk asks 20 servers that answer each request after 100 ms. One that opens a
// session takes five requests in turn, a stateless one two.
func BenchmarkAsk(b *testing.B) {
	for name, options := range map[string]*mcp.StreamableHTTPOptions{"session": nil, "stateless": {Stateless: true}} {
		b.Run(name, func(b *testing.B) {
			var blocks strings.Builder
			d := lint.Dialer{Targets: map[string]string{}, Getenv: func(string) string { return "" }}
			for i := range 20 {
				declared := fmt.Sprintf("https://s%d.example.com/mcp", i)
				d.Targets[declared] = serve(b, options, func(*http.Request) { time.Sleep(100 * time.Millisecond) })
				fmt.Fprintf(&blocks, "  - mcp: {url: %s, allow: [t%d]}\n", declared, i)
			}
			l := project(b, blocks.String())
			for b.Loop() {
				listings, unlisted, err := l.List(b.Context(), d)
				if err != nil || len(listings) != 20 || len(unlisted) > 0 {
					b.Fatalf("%d listed, unlisted %v, %v", len(listings), unlisted, err)
				}
			}
		})
	}
}
