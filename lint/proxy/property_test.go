package proxy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestWhateverIsWritten writes what it likes, as a model may. The server never receives an
// argument outside only and params, and each fixed one with its value.
func TestWhateverIsWritten(t *testing.T) {
	pool := []string{"query", "limit", "scope", "shared", "Scope", "scope ", "__proto__", "", "ｓcope", "a.b", "additionalProperties"}
	var loose []*mcp.Tool
	for _, name := range []string{"bounded", "fixed", "composed"} {
		loose = append(loose, &mcp.Tool{Name: name, InputSchema: map[string]any{
			"type": "object", "properties": map[string]any{"query": map[string]any{}, "limit": map[string]any{}, "scope": map[string]any{}, "shared": map[string]any{}},
		}})
	}
	loose[2].InputSchema = map[string]any{
		"type": "object", "patternProperties": map[string]any{"^s": map[string]any{}},
		"anyOf": []any{
			map[string]any{"properties": map[string]any{"query": map[string]any{}, "scope": map[string]any{"type": "string"}}},
			map[string]any{"properties": map[string]any{"limit": map[string]any{}, "shared": map[string]any{}}, "required": []any{"shared"}},
		},
	}
	b := newBackend(loose...)
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, `
url: `+url+`
effect: read
allow: [bounded, fixed, composed]
params:
  bounded:
    scope: {value: team}
  fixed:
    scope: {value: [1, {a: null}]}
    limit: {value: 3}
  composed:
    scope: {value: team}
only:
  bounded: [query, limit]
  composed: [query]
`)
	fixed := map[string]map[string]any{
		"bounded":  {"scope": "team"},
		"fixed":    {"scope": []any{1.0, map[string]any{"a": nil}}, "limit": 3.0},
		"composed": {"scope": "team"},
	}
	only := map[string][]string{"bounded": {"query", "limit"}, "composed": {"query"}}
	client := connect(t, p, nil)
	random := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) any
	value = func(depth int) any {
		switch n := random.IntN(8); {
		case n == 0 && depth < 4:
			return []any{value(depth + 1), value(depth + 1)}
		case n == 1 && depth < 4:
			return map[string]any{pool[random.IntN(len(pool))]: value(depth + 1)}
		}
		return []any{nil, true, 1.5, "team", "everything", "", json.Number("12345678901234567890")}[random.IntN(7)]
	}
	sent := 0
	for range 3000 {
		tool := loose[random.IntN(len(loose))].Name
		var written []string
		for range random.IntN(8) {
			name, err := json.Marshal(pool[random.IntN(len(pool))])
			if err != nil {
				t.Fatal(err)
			}
			v, err := json.Marshal(value(0))
			if err != nil {
				t.Fatal(err)
			}
			written = append(written, fmt.Sprintf("%s:%s", name, v)) // the same name may come twice
		}
		args := "{" + strings.Join(written, ",") + "}"
		if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)}); err != nil {
			t.Fatalf("%s %s: %v", tool, args, err)
		}
		for _, c := range b.received() {
			sent++
			for name, want := range fixed[tool] {
				if got, ok := c.Arguments[name]; !ok || !cmp.Equal(want, got) {
					t.Fatalf("%s %s: the server received %s: %v, want %v", tool, args, name, got, want)
				}
			}
			for name := range c.Arguments {
				_, isFixed := fixed[tool][name]
				if bound, bounded := only[tool]; bounded && !isFixed && !slices.Contains(bound, name) {
					t.Fatalf("%s %s: the server received %q", tool, args, name)
				}
			}
		}
	}
	if sent < 2000 {
		t.Errorf("only %d calls were sent", sent)
	}
}

// TestManyClients has many clients call at once over HTTP. Each answer comes to who asked
// for it, once.
func TestManyClients(t *testing.T) {
	const clients, calls = 50, 40
	b := newBackend(&mcp.Tool{Name: "echo", InputSchema: schema(false, "text")})
	p, _ := newProxy(t, map[string]string{url: b.serve(t)}, "url: "+url+"\neffect: read")
	address := listen(t, p, "")
	var group sync.WaitGroup
	for c := range clients {
		session := connectHTTP(t, address)
		group.Go(func() {
			for i := range calls {
				want := fmt.Sprintf(`{"text":"%d of %d"}`, i, c)
				r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: json.RawMessage(want)})
				if err != nil || text(r) != want {
					t.Errorf("got %v %v, want %s", r, err, want)
					return
				}
			}
		})
	}
	group.Wait()
	seen := map[string]int{}
	for _, c := range b.received() {
		seen[fmt.Sprint(c.Arguments["text"])]++
	}
	if len(seen) != clients*calls {
		t.Errorf("the server received %d different calls, want %d", len(seen), clients*calls)
	}
	for text, n := range seen {
		if n != 1 {
			t.Errorf("the server received %q %d times", text, n)
		}
	}
}
