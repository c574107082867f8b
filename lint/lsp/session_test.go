package lsp_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"golang.org/x/tools/txtar"

	"github.com/gete-lint/gete/lint/cli"
)

// asGete makes the test binary gete.
const asGete = "GETE_TEST_AS_GETE"

func TestMain(m *testing.M) {
	if os.Getenv(asGete) != "" {
		c := cli.Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Version: "1.2.3"}
		os.Exit(c.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for what must come.
const patience = 15 * time.Second

// A session is an editor with a project open.
type session struct {
	t      *testing.T
	dir    string
	server protocol.Server
	cmd    *exec.Cmd
	stdin  io.Closer
	conn   jsonrpc2.Conn
	// published and logged are what the server sends.
	published  chan *protocol.PublishDiagnosticsParams
	registered chan *protocol.RegistrationParams
	logged     chan string
	version    int32
	texts      map[string]string
}

type editor struct {
	protocol.UnimplementedClient
	*session
}

func (e editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	e.published <- p
	return nil
}

func (e editor) RegisterCapability(_ context.Context, p *protocol.RegistrationParams) error {
	e.registered <- p
	return nil
}

func (e editor) LogMessage(_ context.Context, p *protocol.LogMessageParams) error {
	e.logged <- p.Message
	return nil
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// start writes the files of an archive and starts the server over them.
func start(t *testing.T, archive string) *session {
	t.Helper()
	dir := t.TempDir()
	s := &session{
		t: t, dir: dir, texts: map[string]string{},
		published: make(chan *protocol.PublishDiagnosticsParams, 1000), registered: make(chan *protocol.RegistrationParams, 1), logged: make(chan string, 100),
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		s.write(f.Name, string(f.Data))
	}
	s.cmd = exec.Command(os.Args[0], "lsp", "--stdio")
	s.cmd.Env = append(os.Environ(), asGete+"=1")
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	must(t, err)
	out, err := s.cmd.StdoutPipe()
	must(t, err)
	must(t, s.cmd.Start())
	s.stdin = in
	_, s.conn, s.server = protocol.NewClient(t.Context(), editor{session: s}, jsonrpc2.NewStream(pipes{out, in}))
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	dynamic := true
	result, err := s.server.Initialize(t.Context(), &protocol.InitializeParams{Capabilities: protocol.ClientCapabilities{
		Workspace: &protocol.WorkspaceClientCapabilities{
			DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: &dynamic},
		},
	}})
	must(t, err)
	if got, _ := result.ServerInfo.Version.Get(); got != "1.2.3" {
		t.Errorf("the server says it is of version %q", got)
	}
	must(t, s.server.Initialized(t.Context(), &protocol.InitializedParams{}))
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *session) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *session) uri(name string) uri.URI { return uri.File(s.path(name)) }

func (s *session) write(name, text string) {
	s.t.Helper()
	must(s.t, os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	must(s.t, os.WriteFile(s.path(name), []byte(text), 0o644))
}

// open opens a file with its text on disk.
func (s *session) open(name string) {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	must(s.t, err)
	s.openAs(name, string(text))
}

func (s *session) openAs(name, text string) {
	s.t.Helper()
	s.version++
	s.texts[name] = text
	must(s.t, s.server.DidOpen(s.t.Context(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: s.uri(name), LanguageID: "yaml", Version: s.version, Text: text,
	}}))
}

// edit replaces something in what is open, and saves nothing.
func (s *session) edit(name, before, after string) {
	s.t.Helper()
	if n := strings.Count(s.texts[name], before); n != 1 {
		s.t.Fatalf("%q is %d times in %s", before, n, name)
	}
	s.change(name, strings.Replace(s.texts[name], before, after, 1))
}

func (s *session) change(name, text string) {
	s.t.Helper()
	s.version++
	s.texts[name] = text
	must(s.t, s.server.DidChange(s.t.Context(), &protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: s.uri(name)}, Version: s.version},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: text}},
	}))
}

// diagnostics waits for those of a file, of its last version where it is open.
func (s *session) diagnostics(name string) []protocol.Diagnostic {
	s.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case p := <-s.published:
			version, open := p.Version.Get()
			if p.URI == s.uri(name) && (!open || version == s.version) {
				return p.Diagnostics
			}
		case m := <-s.logged:
			s.t.Fatalf("the server logs: %s", m)
		case <-timeout:
			s.t.Fatalf("no diagnostics of %s come", name)
		}
	}
}

// rules are the rules of diagnostics.
func rulesOf(found []protocol.Diagnostic) string {
	var ids []string
	for _, d := range found {
		id, _ := d.Code.(protocol.String)
		ids = append(ids, string(id))
	}
	return strings.Join(ids, " ")
}

// at is the position before something in what is open, counted here once more.
func (s *session) at(name, what string) protocol.Position {
	s.t.Helper()
	before, _, found := strings.Cut(s.texts[name], what)
	if !found {
		s.t.Fatalf("%q is not in %s", what, name)
	}
	lines := strings.Split(before, "\n")
	last := lines[len(lines)-1]
	return protocol.Position{Line: uint32(len(lines) - 1), Character: uint32(len(utf16.Encode([]rune(last))))}
}

// actions are those that the server offers at something in the agent.
func (s *session) actions(what string, only ...protocol.CodeActionKind) map[string]*protocol.CodeAction {
	s.t.Helper()
	p := s.at(desk, what)
	all, err := s.server.CodeAction(s.t.Context(), &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: s.uri(desk)},
		Range:        protocol.Range{Start: p, End: p},
		Context:      protocol.CodeActionContext{Only: only},
	})
	must(s.t, err)
	byTitle := map[string]*protocol.CodeAction{}
	for _, a := range all {
		action, ok := a.(*protocol.CodeAction)
		if !ok {
			s.t.Fatalf("%T is no code action", a)
		}
		byTitle[action.Title] = action
	}
	return byTitle
}

// apply makes the edits of an action in what is open.
func (s *session) apply(a *protocol.CodeAction) {
	s.t.Helper()
	if a == nil {
		s.t.Fatal("there is no such action")
	}
	for u, edits := range a.Edit.Changes {
		name, err := filepath.Rel(s.dir, u.FsPath())
		must(s.t, err)
		name = filepath.ToSlash(name)
		if len(edits) != 1 {
			s.t.Fatalf("%d edits of %s", len(edits), name)
		}
		text := s.texts[name]
		s.change(name, text[:s.offset(name, edits[0].Range.Start)]+edits[0].NewText+text[s.offset(name, edits[0].Range.End):])
	}
}

func (s *session) offset(name string, p protocol.Position) int {
	lines := strings.SplitAfter(s.texts[name], "\n")
	offset := len(strings.Join(lines[:p.Line], ""))
	units := utf16.Encode([]rune(lines[p.Line]))[:p.Character]
	return offset + len(string(utf16.Decode(units)))
}

// end closes the connection as a client should, or not, and is the exit code.
func (s *session) end(properly bool) int {
	s.t.Helper()
	if properly {
		must(s.t, s.server.Shutdown(s.t.Context()))
		must(s.t, s.server.Exit(s.t.Context()))
	} else {
		must(s.t, s.stdin.Close())
	}
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			s.t.Fatal(err)
		}
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		s.t.Fatal("the server does not end")
	}
	return -1
}
