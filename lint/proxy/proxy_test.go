package proxy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/proxy"
)

// agentFile is an agent with blocks, each the keys below mcp.
func agentFile(blocks ...string) string {
	text := "name: helper\ndisplay_name: Helper\ndescription: Helps.\nmodel: gemini-2.5-flash\ninstruction: Help.\ntools:\n"
	for _, b := range blocks {
		text += "  - mcp:\n      " + strings.ReplaceAll(strings.TrimSpace(b), "\n", "\n      ") + "\n"
	}
	return text
}

// A safe buffer takes a log from several goroutines.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// newProxy is a proxy for an agent with blocks, and its log. It runs until the test ends.
func newProxy(t testing.TB, targets map[string]string, blocks ...string) (*proxy.Proxy, *buffer) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gete.yaml":                "version: 1\nproject: p\nlocation: l\n",
		"agents/helper/agent.yaml": agentFile(blocks...),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	project, err := lint.Load(t.Context(), lint.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	upstreams, err := project.Upstreams(project.Agents[0], lint.Dialer{Targets: targets, Getenv: os.Getenv, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	log := &buffer{}
	p := proxy.New(proxy.Options{Agent: project.Agents[0], Upstreams: upstreams, Version: "test", Log: slog.New(slog.NewTextHandler(log, nil))})
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { p.Run(ctx) })
	t.Cleanup(func() { cancel(); group.Wait() })
	return p, log
}

// connect is a client of the proxy over a pair of pipes.
func connect(t testing.TB, p *proxy.Proxy, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	toProxy, fromClient := io.Pipe()
	toClient, fromProxy := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.ServeStdio(ctx, toProxy, fromProxy) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-done
	})
	return session
}

// A call is what a server received.
type call struct {
	Tool      string
	Arguments map[string]any
}

// A backend is an MCP server that notes the calls that it receives, and answers each with
// the arguments as text.
type backend struct {
	server *mcp.Server
	mu     sync.Mutex
	calls  []call
}

func newBackend(tools ...*mcp.Tool) *backend {
	b := &backend{server: mcp.NewServer(&mcp.Implementation{Name: "backend", Version: "2"}, nil)}
	for _, tool := range tools {
		b.server.AddTool(tool, b.note)
	}
	return b
}

func (b *backend) note(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := call{Tool: req.Params.Name}
	if err := json.Unmarshal(req.Params.Arguments, &c.Arguments); err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.calls = append(b.calls, c)
	b.mu.Unlock()
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}}}, nil
}

// received are the calls since it was last asked.
func (b *backend) received() []call {
	b.mu.Lock()
	defer b.mu.Unlock()
	calls := b.calls
	b.calls = nil
	return calls
}

// serve serves the backend over HTTP.
func (b *backend) serve(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return b.server }, nil))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// schema is an inputSchema with string arguments, of which the first may be required.
func schema(required bool, names ...string) map[string]any {
	properties := map[string]any{}
	for _, name := range names {
		properties[name] = map[string]any{"type": "string"}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if required {
		s["required"] = names[:1]
	}
	return s
}

func names(t testing.TB, s *mcp.ClientSession) []string {
	t.Helper()
	list, err := s.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, tool := range list.Tools {
		found = append(found, tool.Name)
	}
	return found
}

func text(r *mcp.CallToolResult) string {
	var all []string
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, "\n")
}

// eventually waits for something that others do.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("never came: %s", what)
		}
	}
}

const url = "https://mcp.example.com/mcp"

// TestCall reads off what the server received how the declaration bounds a call.
func TestCall(t *testing.T) {
	b := newBackend(
		&mcp.Tool{Name: "search", InputSchema: schema(true, "query", "scope", "limit", "shared")},
		&mcp.Tool{Name: "free", InputSchema: schema(false, "a")},
		&mcp.Tool{Name: "hidden", InputSchema: schema(false)},
		&mcp.Tool{Name: "cased", InputSchema: schema(false, "site", "limit", "Limit")},
	)
	p, log := newProxy(t, map[string]string{url: b.serve(t)}, `
url: `+url+`
effect: read
allow: [search, free, cased]
params:
  cased:
    site: {value: good}
    limit: {value: "1"}
  search:
    scope: {value: team-handbook}
only:
  search: [query, limit, unheard]
`)
	client := connect(t, p, nil)
	for _, test := range []struct {
		name string
		tool string
		args any
		want map[string]any // nil for a call that is not sent
		say  string
	}{
		{"what only leaves out is dropped", "search", map[string]any{"query": "q", "shared": "everyone", "SCOPE": "x"}, map[string]any{"query": "q", "scope": "team-handbook"}, ""},
		{"what is fixed outranks what is written", "search", map[string]any{"query": "q", "scope": "everything"}, map[string]any{"query": "q", "scope": "team-handbook"}, ""},
		{"what only lists is sent", "search", map[string]any{"query": "q", "limit": "3"}, map[string]any{"query": "q", "limit": "3", "scope": "team-handbook"}, ""},
		{"a tool without only takes what is written", "free", map[string]any{"a": "1", "b": 2}, map[string]any{"a": "1", "b": 2.0}, ""},
		{"another case of what is fixed", "cased", map[string]any{"SITE": "evil", "ſite": "evil", "Limit": "2"}, map[string]any{"site": "good", "limit": "1", "Limit": "2"}, ""},
		{"no arguments", "free", nil, map[string]any{}, ""},
		{"what remains is checked", "search", map[string]any{"query": 7}, nil, "not called: `query`: got number, want string"},
		{"a required argument that was dropped to nothing", "search", map[string]any{"shared": "q"}, nil, "not called: missing property 'query'"},
		{"what only lists and the tool does not declare", "search", map[string]any{"query": "q", "unheard": "x"}, nil, "not called: additional properties 'unheard' not allowed"},
		{"no object", "search", []string{"query"}, nil, "not called: the arguments are no JSON object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.args})
			if err != nil {
				t.Fatal(err)
			}
			var want []call
			if test.want != nil {
				want = []call{{test.tool, test.want}}
			} else if !r.IsError || text(r) != test.say {
				t.Errorf("got %v %q, want %q", r.IsError, text(r), test.say)
			}
			if diff := cmp.Diff(want, b.received()); diff != "" {
				t.Errorf("the server received (-want +got)\n%s", diff)
			}
		})
	}
	for _, tool := range []string{"hidden", "nowhere", "changed", ""} {
		if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("there is no tool %q here", tool)) {
			t.Errorf("%q: %v, %v", tool, r, err)
		}
	}
	if got := b.received(); len(got) > 0 {
		t.Errorf("the server received %v", got)
	}
	for _, line := range []string{
		`tool=search argument=unheard`,
		`msg=call tool=search dropped="[SCOPE shared]" set=[scope]`,
		`msg=call tool=hidden dropped=[] set=[]`,
		`outcome="not offered"`,
	} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("the log does not say %s", line)
		}
	}
	for _, value := range []string{"team-handbook", "everything", "everyone"} {
		if strings.Contains(log.String(), value) {
			t.Errorf("the log holds the value %s\n%s", value, log)
		}
	}
}

// TestList holds what clients are shown to the declaration.
func TestList(t *testing.T) {
	yes := true
	b := newBackend(
		&mcp.Tool{
			Name: "edit", Title: "Edit", Description: "Edits a page.", InputSchema: schema(true, "page", "text", "force"),
			OutputSchema: map[string]any{"type": "object"}, Icons: []mcp.Icon{{Source: "https://example.com/i.png"}}, Meta: mcp.Meta{"example.com/x": 1},
			Annotations: &mcp.ToolAnnotations{Title: "Edit it", ReadOnlyHint: true, DestructiveHint: &yes},
		},
		&mcp.Tool{Name: "move", InputSchema: schema(true, "page", "to")},
		&mcp.Tool{Name: "look", InputSchema: schema(false, "page"), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
	)
	p, log := newProxy(t, map[string]string{url: b.serve(t)}, `
url: `+url+`
effect: write
does_not: Does not delete.
allow: [edit, move, gone]
params:
  edit:
    force: {value: "no"}
only:
  edit: [page]
  move: [to]
`, `
url: `+url+`
effect: read
allow: [look]
`)
	client := connect(t, p, nil)
	list, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(list.Tools, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := `[
  {
    "_meta": {
      "example.com/x": 1
    },
    "annotations": {
      "destructiveHint": true,
      "idempotentHint": false,
      "readOnlyHint": false,
      "title": "Edit it"
    },
    "description": "Edits a page.\n\nDoes not delete.",
    "inputSchema": {
      "additionalProperties": false,
      "properties": {
        "page": {
          "type": "string"
        }
      },
      "required": [
        "page"
      ],
      "type": "object"
    },
    "name": "edit",
    "outputSchema": {
      "type": "object"
    },
    "title": "Edit",
    "icons": [
      {
        "src": "https://example.com/i.png"
      }
    ]
  },
  {
    "annotations": {
      "idempotentHint": false,
      "readOnlyHint": true
    },
    "inputSchema": {
      "properties": {
        "page": {
          "type": "string"
        }
      },
      "type": "object"
    },
    "name": "look"
  }
]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	_ = names(t, client)
	for _, line := range []string{
		`tool=move reason="it requires page, which is neither in only nor fixed"`,
		`tool=gone reason="the server does not list it"`,
	} {
		if n := strings.Count(log.String(), line); n != 1 {
			t.Errorf("the log says %d times %s\n%s", n, line, log)
		}
	}
}

// TestTwoBlocksOfOneName offers the first of two tools of one name.
func TestTwoBlocksOfOneName(t *testing.T) {
	first, second := newBackend(&mcp.Tool{Name: "search", InputSchema: schema(false)}), newBackend(&mcp.Tool{Name: "search", InputSchema: schema(false)})
	p, log := newProxy(t, map[string]string{"https://a.example.com/": first.serve(t), "https://b.example.com/": second.serve(t)},
		"url: https://b.example.com/\neffect: read", "url: https://a.example.com/\neffect: read")
	client := connect(t, p, nil)
	if diff := cmp.Diff([]string{"search"}, names(t, client)); diff != "" {
		t.Error(diff)
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "search"}); err != nil {
		t.Fatal(err)
	}
	if len(first.received()) != 0 || len(second.received()) != 1 {
		t.Error("the second block's server was called")
	}
	if !strings.Contains(log.String(), `server=https://a.example.com/ tool=search reason="another block offers a tool of that name"`) {
		t.Error(log)
	}
}

// TestListChanged changes what the server lists under the client's eyes.
func TestListChanged(t *testing.T) {
	b := newBackend(&mcp.Tool{Name: "one", InputSchema: schema(false)})
	p, log := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\nallow: [one, two]\nonly:\n  two: [a]\n")
	changed := make(chan struct{}, 10)
	client := connect(t, p, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	if diff := cmp.Diff([]string{"one"}, names(t, client)); diff != "" {
		t.Fatal(diff)
	}
	drain := func() {
		time.Sleep(200 * time.Millisecond) // the last notice may be on its way
		for len(changed) > 0 {
			<-changed
		}
	}
	await := func(want ...string) {
		t.Helper()
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			t.Fatal("the client was not told")
		}
		eventually(t, fmt.Sprint("offered are ", want), func() bool { return cmp.Equal(want, names(t, client)) })
		drain()
	}
	drain()
	b.server.AddTool(&mcp.Tool{Name: "two", InputSchema: schema(false, "a", "b")}, b.note)
	await("one", "two")
	b.server.AddTool(&mcp.Tool{Name: "two", InputSchema: schema(true, "c", "a")}, b.note)
	await("one")
	if !strings.Contains(log.String(), "tool=two reason=\"it requires c, which is neither in only nor fixed\"") {
		t.Error(log)
	}
	b.server.AddTool(&mcp.Tool{Name: "three", InputSchema: schema(false)}, b.note)
	select {
	case <-changed:
		t.Error("the client was told of a change that it cannot see")
	case <-time.After(300 * time.Millisecond):
	}
}
