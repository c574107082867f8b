package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// proxiedCalls are calls of the tools of server-everything, by the inspector's arguments,
// and what the answers hold.
var proxiedCalls = []struct {
	tool string
	args []string
	want string
}{
	{"echo", []string{"message=hello", "loudness=9"}, `"Echo: hello"`},
	{"get-sum", []string{"a=2", "b=5"}, `"The sum of 2 and 40 is 42."`},
	{"get-tiny-image", nil, `"mimeType": "image/png"`},
	{"get-structured-content", []string{"location=Chicago"}, `"structuredContent": {`},
	{"get-annotated-message", []string{"messageType=error", "includeImage=true"}, `"priority": 1`},
	{"get-resource-links", []string{"count=2"}, `"type": "resource_link"`},
	{"get-resource-reference", []string{"resourceType=Blob", "resourceId=1"}, `"blob": "`},
	{"get-env", nil, `PATH`},
	{"toggle-simulated-logging", nil, `Started`},
	{"toggle-subscriber-updates", nil, `Started`},
	{"trigger-long-running-operation", []string{"duration=2", "steps=4"}, `Duration: 2 seconds, Steps: 4.`},
}

// TestProxyInspector has the inspector list and call through the proxy, over both of its
// transports, with server-everything behind it over each of its own.
func TestProxyInspector(t *testing.T) {
	npm := os.Getenv(npmVariable)
	if npm == "" {
		t.Skipf("%s is not set", npmVariable)
	}
	program := binary(t)
	for _, s := range realServers() {
		if !strings.HasPrefix(s.name, "everything") {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			dir := realProject(t, `effect: write, does_not: Does not sing., params: {get-sum: {b: {value: 40}}}, only: {get-sum: [a]}, allow: [simulate-research-query, `+allowed()+`]`)
			config := "servers:\n  https://mcp.example.com/mcp: " + s.start(t) + "\n"
			if err := os.WriteFile(filepath.Join(dir, ".gete-lint.yaml"), []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			overHTTP := append([]string{startProxy(t, dir, program)}, "--transport", "http")
			for name, to := range map[string][]string{"stdio": {program, "proxy", "helper"}, "http": overHTTP} {
				t.Run(name, func(t *testing.T) {
					list := inspect(t, npm, dir, to, "--method", "tools/list")
					for _, want := range []string{`"Echoes back the input string\n\nDoes not sing."`, `"get-tiny-image"`} {
						if !strings.Contains(list, want) {
							t.Errorf("the list does not hold %s\n%s", want, list)
						}
					}
					for _, not := range []string{"simulate-research-query", "gzip-file-as-resource", `"readOnlyHint": true`, `"b"`} {
						if strings.Contains(list, not) {
							t.Errorf("the list holds %s\n%s", not, list)
						}
					}
					calls := proxiedCalls
					if s.target != "" {
						calls = calls[:3]
					}
					for _, c := range calls {
						args := []string{"--method", "tools/call", "--tool-name", c.tool}
						for _, a := range c.args {
							args = append(args, "--tool-arg", a)
						}
						if got := inspect(t, npm, dir, to, args...); !strings.Contains(got, c.want) || strings.Contains(got, `"isError": true`) {
							t.Errorf("%v: got %s", c, got)
						}
					}
				})
			}
		})
	}
}

// TestProxyLogUnread leaves the log unread, with more lines than there is room for. Every
// call is answered all the same.
func TestProxyLogUnread(t *testing.T) {
	const calls = 3000
	dir := realProject(t, "effect: read, allow: [search]")
	cmd := exec.CommandContext(t.Context(), binary(t), "proxy", "helper", "--server", "stdio:"+named(t, "mcp-server"))
	cmd.Dir = dir
	unread, log, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unread.Close() }()
	cmd.Stderr = log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = log.Close()
	go func() {
		fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"w","version":"1"}}}`)
		fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		for i := range calls {
			fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search"}}`+"\n", i)
		}
	}()
	answered := 0
	for lines := bufio.NewScanner(out); answered <= calls && lines.Scan(); {
		if strings.Contains(lines.Text(), `"result"`) {
			answered++
		}
	}
	if answered != calls+1 {
		t.Errorf("%d answers, want %d", answered, calls+1)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the proxy ended with %v", err)
	}
}

// TestReadmeProxy has the inspector start the proxy by the configuration in the README.
func TestReadmeProxy(t *testing.T) {
	npm := os.Getenv(npmVariable)
	if npm == "" {
		t.Skipf("%s is not set", npmVariable)
	}
	program := binary(t)
	dir := realProject(t, "effect: read, allow: [get-sum], params: {get-sum: {b: {value: 40}}}")
	everything := filepath.Join(npm, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
	if err := os.WriteFile(filepath.Join(dir, ".gete-lint.yaml"), []byte("servers:\n  https://mcp.example.com/mcp: stdio:node "+everything+" stdio\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(readme(t), "```json\n{\n  \"mcpServers\"")
	config, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("the README has no configuration")
	}
	config = strings.NewReplacer(`"gete"`, strconv.Quote(program), "/home/me/project/agents/team-search", filepath.Join(dir, "agents", "helper")).Replace("{\n  \"mcpServers\"" + config)
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(path, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	got := inspect(t, npm, t.TempDir(), []string{"--config", path, "--server", "team-search"}, "--method", "tools/call", "--tool-name", "get-sum", "--tool-arg", "a=2")
	if !strings.Contains(got, "The sum of 2 and 40 is 42.") {
		t.Error(got)
	}
}

// binary is the path of a binary of gete.
func binary(t *testing.T) string { return named(t, "gete") }

// named is the path of what this binary is when it goes by a name, see TestMain.
func named(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	return program
}

func allowed() string {
	var names []string
	for _, c := range proxiedCalls {
		names = append(names, c.tool)
	}
	return strings.Join(names, ", ")
}

// startProxy starts the proxy over HTTP, and gives its url, which it logs.
func startProxy(t *testing.T, dir, program string) string {
	t.Helper()
	// The test's own context would kill it before it can end.
	cmd := exec.CommandContext(context.Background(), program, "proxy", "helper", "--listen", "127.0.0.1:0")
	cmd.Dir = dir
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the proxy, interrupted, ended with %v", err)
		}
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "msg=listening url="); ok {
			go func() {
				for lines.Scan() { // so that it can go on writing
					continue
				}
			}()
			return url
		}
	}
	t.Fatalf("the proxy does not listen: %v", lines.Err())
	return ""
}

// inspect runs the inspector, and gives what it prints.
func inspect(t *testing.T, npm, dir string, to []string, args ...string) string {
	t.Helper()
	all := slices.Concat([]string{filepath.Join(npm, "node_modules", ".bin", "mcp-inspector"), "--cli"}, to, args)
	cmd := exec.CommandContext(t.Context(), "node", all...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %v\n%s", args, err, said.String())
	}
	return string(out)
}
