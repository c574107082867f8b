package cli_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

type yamlEditor struct {
	protocol.UnimplementedClient
	found chan []protocol.Diagnostic
}

// PublishDiagnostics implements protocol.Client.
func (e *yamlEditor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	e.found <- p.Diagnostics
	return nil
}

type stdio struct {
	io.Reader
	io.WriteCloser
}

// TestYAMLLanguageServer gives the schema that gete prints to the YAML language server,
// in the way that the README says, and has it find what is wrong and nothing else.
func TestYAMLLanguageServer(t *testing.T) {
	npm := os.Getenv(npmVariable)
	if npm == "" {
		t.Skipf("%s is not set", npmVariable)
	}
	dir := write(t, map[string]string{"agent.schema.json": gete(t.TempDir(), "schema", "agent").stdout})
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(npm, "node_modules", "yaml-language-server", "bin", "yaml-language-server"), "--stdio")
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
	e := &yamlEditor{found: make(chan []protocol.Diagnostic, 100)}
	_, _, server := protocol.NewClient(t.Context(), e, jsonrpc2.NewStream(stdio{out, in}))
	if _, err := server.Initialize(t.Context(), &protocol.InitializeParams{}); err != nil {
		t.Fatal(err)
	}
	if err := server.Initialized(t.Context(), &protocol.InitializedParams{}); err != nil {
		t.Fatal(err)
	}
	sound := "# yaml-language-server: $schema=agent.schema.json\n" + strings.Join(agentKeys, "\n") + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"sound.yaml":   {sound + "tools:\n  - mcp: {url: https://a.example.com/mcp, effect: read}\n", ""},
		"unknown.yaml": {sound + "tools:\n  - mcp: {url: https://a.example.com/mcp, alow: [a]}\n", "alow"},
		"value.yaml":   {sound + "tools:\n  - mcp: {url: https://a.example.com/mcp, effect: maybe}\n", "read"},
	} {
		path := filepath.Join(dir, name)
		if err := server.DidOpen(t.Context(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri.File(path), LanguageID: "yaml", Version: 1, Text: c.text}}); err != nil {
			t.Fatal(err)
		}
		select {
		case found := <-e.found:
			var messages []string
			for _, d := range found {
				message, _ := d.Message.(protocol.String)
				messages = append(messages, string(message))
			}
			if all := strings.Join(messages, "\n"); c.want == "" && all != "" || !strings.Contains(all, c.want) {
				t.Errorf("%s: found %q, want %q", name, all, c.want)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: no diagnostics come", name)
		}
	}
}
