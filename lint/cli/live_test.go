package cli_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// TestNothingIsDialledUnasked counts the requests that reach a server which stands in
// for every declared url: of all commands, only those that are asked to make any.
func TestNothingIsDialledUnasked(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(s.Close)
	dir := write(t, example("```yaml\ntools:\n  - mcp: {url: https://mcp.example.com/mcp, effect: read, allow: [search]}\n```\n"+
		"```yaml\n# .gete-lint.yaml\nservers: {https://mcp.example.com/mcp: "+s.URL+"}\n```\n"+
		"```json\n# gete.lock.json\n{\"version\": 1, \"servers\": {\"https://mcp.example.com/mcp\": {\"name\": \"\", \"version\": \"\", \"tools\": [{\"name\": \"search\", \"inputSchema\": {}}]}}}\n```\n"))
	for _, args := range [][]string{{"validate"}, {"validate", "--strict", "--advice"}, {"tools"}, {"tools", "--diff"}, {"lock", "--from", "gete.lock.json"}} {
		r := gete(dir, args...)
		if n := requests.Load(); n > 0 {
			t.Errorf("%v made %d requests", args, n)
		}
		if args[0] != "lock" && r.code == 2 {
			t.Errorf("%v could not do its job: %s", args, r.stderr)
		}
	}
	for _, args := range [][]string{{"validate", "--live"}, {"tools", "--live"}, {"lock"}} {
		before := requests.Load()
		if r := gete(dir, args...); r.code != 3 || requests.Load() == before {
			t.Errorf("%v: exit code %d after %d requests\n%s%s", args, r.code, requests.Load()-before, r.stdout, r.stderr)
		}
	}
}
