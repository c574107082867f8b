package cli_test

import (
	"fmt"
	"testing"
)

// TestJobs holds the report to the same bytes however many files are read at a
// time.
func TestJobs(t *testing.T) {
	files := map[string]string{"gete.yaml": "version: 1\nproject: example-project\nlocation: nowhere\npolicies: [a.yaml, b.yaml, c.yaml]\n"}
	for _, name := range []string{"a", "b", "c"} {
		files[name+".yaml"] = "- name: same\n  when: sometimes\n- {}\n"
	}
	// Two strays of which one counts: which, must not be left to chance.
	files["agents/strays/agent.yaml"] = "tools:\n  - mcp:\n      url: https://x.example.com\n      params: {allow: [x], a: {b: 1}}\n      headers: {allow: [y]}\n"
	for i := range 60 {
		files[fmt.Sprintf("agents/agent-%d/agent.yaml", i)] = "name: other\nmodel: m\ntools:\n  - mcp: &a {url: http://x, only: {a: [b, b]}, headers: {A: Bearer x}}\n  - mcp: *a\n  - builtin: nothing\n    python: 5\n"
	}
	dir := write(t, files)
	for _, format := range []string{"text", "json", "github", "compact"} {
		var first string
		for round, jobs := range []string{"1", "2", "7", "64", "1", "2", "7", "64"} {
			r := gete(dir, "validate", "--format", format, "--max-diagnostics", "0", "--advice", "--jobs", jobs)
			if round == 0 {
				first = r.stdout
			}
			if r.stdout != first || first == "" {
				t.Errorf("%s with --jobs %s differs from --jobs 1", format, jobs)
			}
		}
	}
}
