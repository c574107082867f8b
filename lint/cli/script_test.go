package cli_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gete-lint/gete/lint/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gete": func() {
			c := cli.Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Version: "test"}
			os.Exit(c.Main(os.Args[1:]))
		},
		"mcp-server": mcpServer,
	})
}

// mcpServer is an MCP server over stdio, of one tool with the arguments that it is
// named on the command line.
func mcpServer() {
	properties := map[string]any{}
	for _, name := range os.Args[1:] {
		properties[name] = map[string]any{"type": "string"}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "2.0"}, nil)
	server.AddTool(&mcp.Tool{Name: "search", InputSchema: map[string]any{"type": "object", "properties": properties}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestScripts runs the command lines of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":  exit,
			"lines": lines,
			"fill":  fill,
		},
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("there is no condition %q on %s", condition, runtime.GOOS)
		},
	})
}

// exit runs a command that must end with an exit code: exit CODE COMMAND ARG...
func exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// lines counts the lines of a file, or of what was printed: lines FILE N.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	text := ts.ReadFile(args[0])
	if n := fmt.Sprint(strings.Count(text, "\n")); (n == args[1]) == neg {
		ts.Fatalf("%s has %s lines", args[0], n)
	}
}

// fill writes a file of one text many times over: fill FILE N TEXT.
func fill(ts *testscript.TestScript, _ bool, args []string) {
	var n int
	if len(args) != 3 {
		ts.Fatalf("usage: fill FILE N TEXT")
	}
	if _, err := fmt.Sscan(args[1], &n); err != nil {
		ts.Fatalf("%v", err)
	}
	text := strings.NewReplacer(`\n`, "\n", `\0`, "\x00", `\xff`, "\xff").Replace(args[2])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, n)), 0o644))
}
