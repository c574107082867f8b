package cli_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// The variables that say where servers of other people are: a folder of npm packages,
// and the program gopls. .ci/run sets them where it can install those.
const (
	npmVariable   = "GETE_TEST_NPM"
	goplsVariable = "GETE_TEST_GOPLS"
)

// A realServer is an MCP server that somebody else wrote.
type realServer struct {
	name string
	// command starts it; in it PORT is a free port and NPM the folder of packages.
	command []string
	// target is where it then is; for none it is the command itself, over stdio.
	target string
}

func realServers() []realServer {
	everything := "NPM/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
	return []realServer{
		{"everything over stdio", []string{"node", everything, "stdio"}, ""},
		{"everything over Streamable HTTP", []string{"env", "PORT=PORT", "node", everything, "streamableHttp"}, "http://127.0.0.1:PORT/mcp"},
		{"everything over HTTP+SSE", []string{"env", "PORT=PORT", "node", everything, "sse"}, "http://127.0.0.1:PORT/sse"},
		{"filesystem over stdio", []string{"node", "NPM/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", "NPM"}, ""},
		{"context7 over stdio", []string{"node", "NPM/node_modules/@upstash/context7-mcp/dist/index.js"}, ""},
		{"gopls over HTTP+SSE", []string{"GOPLS", "mcp", "-listen=127.0.0.1:PORT"}, "http://127.0.0.1:PORT/"},
	}
}

// TestRealServers holds declarations against servers over their own transports: a
// sound one is clean, and one with a fault of each kind has exactly that.
func TestRealServers(t *testing.T) {
	for _, s := range realServers() {
		t.Run(s.name, func(t *testing.T) {
			variable := npmVariable
			if s.command[0] == "GOPLS" {
				variable = goplsVariable
			}
			if os.Getenv(variable) == "" {
				t.Skipf("%s is not set", variable)
			}
			t.Parallel()
			target := s.start(t)
			tool := aTool(t, target)
			others := slices.DeleteFunc(slices.Clone(tool.Writable), func(name string) bool { return name == tool.required })
			all := quotedList(tool.Writable)
			for want, block := range map[string]string{
				"":                    fmt.Sprintf("allow: [%q], only: {%[1]q: %s}", tool.Name, all),
				"drift-tool-missing":  fmt.Sprintf("allow: [%q]", tool.Name+"_no_more"),
				"drift-only-unknown":  fmt.Sprintf("allow: [%q], only: {%[1]q: %s}", tool.Name, quotedList(append([]string{"no_such_argument"}, tool.Writable...))),
				"drift-fixed-unknown": fmt.Sprintf("allow: [%q], params: {%[1]q: {no_such_argument: {value: 1}}}", tool.Name),
				"drift-required":      fmt.Sprintf("allow: [%q], only: {%[1]q: %s}", tool.Name, quotedList(others)),
				"drift-value":         fmt.Sprintf("allow: [%q], params: {%[1]q: {%q: {value: {a: map}}}}", tool.Name, tool.required),
			} {
				r := gete(realProject(t, block), "validate", "--live", "--server", target, "--format", "json")
				var rules []string
				for _, line := range found(t, r.stdout) {
					rules = append(rules, line[strings.LastIndexByte(line, ' ')+1:])
				}
				if got := strings.Join(rules, " "); got != want {
					t.Errorf("%s\ngot %q, want %q\n%s", block, got, want, r.stdout)
				}
			}
			dir := realProject(t, fmt.Sprintf("allow: [%q]", tool.Name))
			for _, args := range [][]string{{"lock"}, {"lock", "--check"}, {"validate", "--live", "--strict"}} {
				if r := gete(dir, append(args, "--server", target)...); r.code != 0 {
					t.Errorf("%v: exit code %d\n%s%s", args, r.code, r.stdout, r.stderr)
				}
			}
		})
	}
}

func realProject(t *testing.T, block string) string {
	t.Helper()
	return write(t, example("```yaml\ntools:\n  - mcp: {url: https://mcp.example.com/mcp, "+block+"}\n```\n"))
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// start starts the server, and is the target that reaches it.
func (s realServer) start(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := strings.Cut(address, ":")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("PORT=PORT", "PORT="+port, "PORT", port, "NPM", os.Getenv(npmVariable), "GOPLS", os.Getenv(goplsVariable))
	args := make([]string, len(s.command))
	for i, arg := range s.command {
		args[i] = fill.Replace(arg)
	}
	if s.target == "" {
		return "stdio:" + strings.Join(args, " ")
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // it is killed with the test's context
	for range 300 {
		if c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address); err == nil {
			_ = c.Close()
			return fill.Replace(s.target)
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%v does not listen", args)
	return ""
}

// A realTool is a tool with several arguments, one of them a required string.
type realTool struct {
	Name     string
	Writable []string
	required string
}

func aTool(t *testing.T, target string) realTool {
	t.Helper()
	r := gete(realProject(t, "effect: write"), "tools", "--live", "--server", target, "--format", "json")
	var listed struct {
		Tools []struct {
			realTool
			InputSchema struct {
				Properties map[string]map[string]any
				Required   []string
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &listed); err != nil {
		t.Fatalf("%v\n%s%s", err, r.stdout, r.stderr)
	}
	for _, tool := range listed.Tools {
		if len(tool.InputSchema.Required) == 1 && len(tool.Writable) > 1 {
			tool.required = tool.InputSchema.Required[0]
			return tool.realTool
		}
	}
	for _, tool := range listed.Tools {
		if len(tool.InputSchema.Required) > 1 {
			tool.required = tool.InputSchema.Required[0]
			return tool.realTool
		}
	}
	t.Fatalf("of %d tools, none has the arguments that the test needs", len(listed.Tools))
	return realTool{}
}
