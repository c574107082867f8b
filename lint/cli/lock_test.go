package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLockKilled kills gete lock at any moment of a run that changes the file: it is
// then the one from before or the one from after, and whole.
func TestLockKilled(t *testing.T) {
	t.Parallel()
	dir := write(t, example("```yaml\ntools:\n  - mcp: {url: https://mcp.example.com/mcp, effect: read, allow: [tool_0]}\n```\n"))
	whole := map[string]bool{}
	for _, name := range []string{"a", "b"} {
		var tools []string
		for i := range 1500 {
			tools = append(tools, fmt.Sprintf(`{"name": "tool_%d", "description": %q, "inputSchema": {"type": "object"}}`, i, strings.Repeat(name, 200)))
		}
		text := `{"tools": [` + strings.Join(tools, ",\n") + `]}`
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := gete(dir, "lock", "--from", name+".json"); r.code != 0 {
			t.Fatal(r.stderr)
		}
		whole[read(t, dir)] = true
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(i int) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Args = []string{"gete", "lock", "--from", string(rune('a'+i%2)) + ".json"} // TestMain goes by the name
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	begin := time.Now()
	if err := start(0).Wait(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	killed := 0
	for i := range 15 {
		cmd := start(i + 1)
		// The file is written near the end of a run.
		time.Sleep(took/2 + rand.N(took))
		_ = cmd.Process.Kill() // it may have ended
		if cmd.Wait() != nil {
			killed++
		}
		if !whole[read(t, dir)] {
			t.Fatalf("after kill %d the file is neither the old one nor the new one", i)
		}
	}
	t.Logf("%d of 15 runs were killed before their end", killed)
}

func read(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "gete.lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
