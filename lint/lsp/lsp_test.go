package lsp_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
)

const project = `-- gete.yaml --
version: 1
project: example-project
location: us-central1
connections:
  gateway:
    display_name: Gateway
    hosts: [https://gateway.example.com]
    oauth:
      authorization_url: https://id.example.com/authorize
      token_url: https://id.example.com/token
      scopes: {required: [openid]}
-- agents/desk/agent.yaml --
name: desk
display_name: Desk
description: Answers questions.
model: gemini-2.5-flash
instruction: Answer. # 🙂 é
connections: [gateway]
tools:
  - mcp:
      url: https://gateway.example.com/mcp
      connection: gateway
      effect: read
      allow: [search, get_page]
      only:
        search: [query]
        get_page: [id]
-- gete.lock.json --
{"version": 1, "servers": {"https://gateway.example.com/mcp": {"name": "wiki", "version": "1", "tools": [
 {"name": "search", "description": "Finds pages.", "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}},
 {"name": "get_page", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
 {"name": "delete_page", "description": "Deletes a page.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}
]}}}
`

const desk = "agents/desk/agent.yaml"

func TestDiagnostics(t *testing.T) {
	s := start(t, project)
	s.open(desk)
	if found := s.diagnostics(desk); len(found) > 0 {
		t.Fatalf("found %v", found)
	}
	s.edit(desk, "        search: [query]", "        serch: [query]")
	found := s.diagnostics(desk)
	if len(found) != 1 {
		t.Fatalf("found %s", rulesOf(found))
	}
	d := found[0]
	source, _ := d.Source.Get()
	want := protocol.Diagnostic{
		Range:           protocol.Range{Start: protocol.Position{Line: 13, Character: 8}, End: protocol.Position{Line: 13, Character: 13}},
		Severity:        protocol.DiagnosticSeverityError,
		Code:            protocol.String("only-outside-allow"),
		CodeDescription: protocol.CodeDescription{Href: "https://github.com/gete-lint/gete/blob/main/rules/pages/only-outside-allow.md"},
		Source:          d.Source,
		Message:         protocol.String("\"serch\" is not a tool this block offers; did you mean \"search\"?\nhelp: write `search`, or add `serch` to allow"),
		RelatedInformation: []protocol.DiagnosticRelatedInformation{{
			Location: protocol.Location{URI: s.uri(desk), Range: protocol.Range{Start: protocol.Position{Line: 11, Character: 14}, End: protocol.Position{Line: 11, Character: 20}}},
			Message:  "offered here",
		}},
	}
	if source != "gete" {
		t.Errorf("the source is %q", source)
	}
	if fmt.Sprintf("%+v", d) != fmt.Sprintf("%+v", want) {
		t.Errorf("got\n%+v\nwant\n%+v", d, want)
	}

	// Nothing was saved, and what is closed counts no more.
	must(t, s.server.DidClose(t.Context(), &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: s.uri(desk)}}))
	if found := s.diagnostics(desk); len(found) > 0 {
		t.Errorf("a closed file has %s", rulesOf(found))
	}
	if code := s.end(true); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// What is written in one file shows in another, which is not open.
func TestOtherFiles(t *testing.T) {
	s := start(t, project)
	s.open("gete.yaml")
	s.diagnostics("gete.yaml")
	s.edit("gete.yaml", "  gateway:", "  gatewayx:")
	if got := rulesOf(s.diagnostics(desk)); !strings.Contains(got, "connection-unknown") {
		t.Errorf("got %q", got)
	}
	s.edit("gete.yaml", "  gatewayx:", "  gateway:")
	if got := rulesOf(s.diagnostics(desk)); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestPositionsAreUTF16(t *testing.T) {
	s := start(t, project)
	s.openAs(desk, strings.Replace(mustRead(t, s, desk), "connections: [gateway]", "connections: [gateway] # 🙂\nstarter_prompts: [\"🙂🙂é\", 7]", 1))
	found := s.diagnostics(desk)
	if len(found) != 1 {
		t.Fatalf("found %s", rulesOf(found))
	}
	want := protocol.Range{Start: protocol.Position{Line: 6, Character: 27}, End: protocol.Position{Line: 6, Character: 28}}
	if found[0].Range != want {
		t.Errorf("got %+v, want %+v", found[0].Range, want)
	}
	// The same place by way of a partial change.
	s.version++
	must(t, s.server.DidChange(t.Context(), &protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: s.uri(desk)}, Version: s.version},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangePartial{Range: want, Text: `"7"`}},
	}))
	if found := s.diagnostics(desk); len(found) > 0 {
		t.Errorf("found %s", rulesOf(found))
	}
}

func mustRead(t *testing.T, s *session, name string) string {
	t.Helper()
	text, err := os.ReadFile(s.path(name))
	must(t, err)
	return string(text)
}

func TestLineEnds(t *testing.T) {
	s := start(t, project)
	s.openAs(desk, "\uFEFF"+strings.ReplaceAll(mustRead(t, s, desk), "\n", "\r\n"))
	s.diagnostics(desk)
	s.edit(desk, "search: [query]", "serch: [query]")
	found := s.diagnostics(desk)
	if len(found) != 1 || found[0].Range.Start != (protocol.Position{Line: 13, Character: 8}) {
		t.Errorf("found %+v", found)
	}
	s.apply(s.actions("serch")["Ignore only-outside-allow here"])
	if found := s.diagnostics(desk); len(found) > 0 {
		t.Errorf("found %s in %q", rulesOf(found), s.texts[desk])
	}
}

func TestActions(t *testing.T) {
	s := start(t, project)
	s.open(desk)
	s.diagnostics(desk)
	s.edit(desk, "        search: [query]", "        serch: [query]")
	s.edit(desk, "get_page]", "get_page, get_page]")
	if got := rulesOf(s.diagnostics(desk)); got != "schema-duplicate only-outside-allow" {
		t.Fatalf("found %s", got)
	}
	broken := s.texts[desk]

	t.Run("fix", func(t *testing.T) {
		s.change(desk, broken)
		actions := s.actions("serch")
		a := actions["Write `search`"]
		if len(actions) != 2 || a == nil || a.IsPreferred == nil || !*a.IsPreferred || rulesOf(a.Diagnostics) != "only-outside-allow" {
			t.Fatalf("actions %+v", actions)
		}
		s.apply(a)
		if got := rulesOf(s.diagnostics(desk)); got != "schema-duplicate" {
			t.Errorf("found %s", got)
		}
	})
	t.Run("ignore", func(t *testing.T) {
		s.change(desk, broken)
		s.apply(s.actions("serch")["Ignore only-outside-allow here"])
		if got := rulesOf(s.diagnostics(desk)); got != "schema-duplicate" {
			t.Errorf("found %s", got)
		}
		if !strings.Contains(s.texts[desk], "serch: [query] # gete:ignore only-outside-allow\n") {
			t.Errorf("it is %s", s.texts[desk])
		}
	})
	t.Run("ignore beside another", func(t *testing.T) {
		s.change(desk, strings.Replace(broken, "get_page, get_page]", "get_page, get_page] # gete:ignore schema-type -- as it was", 1))
		s.apply(s.actions("get_page]")["Ignore schema-duplicate here"])
		if !strings.Contains(s.texts[desk], "# gete:ignore schema-type, schema-duplicate -- as it was\n") {
			t.Errorf("it is %s", s.texts[desk])
		}
	})
	t.Run("ignore beside one about the file", func(t *testing.T) {
		s.change(desk, "# gete:ignore-file schema-type\n"+broken)
		s.apply(s.actions("serch")["Ignore only-outside-allow here"])
		if !strings.Contains(s.texts[desk], "# gete:ignore-file schema-type\n") {
			t.Errorf("it is %s", s.texts[desk])
		}
	})
	t.Run("ignore above what a comment cannot stand behind", func(t *testing.T) {
		s.change(desk, strings.Replace(broken, "display_name: Desk\n", "displai_name: |\n  Desk\n", 1))
		s.apply(s.actions("displai_name")["Ignore schema-unknown-key here"])
		if got := rulesOf(s.diagnostics(desk)); strings.Contains(got, "schema-unknown-key") {
			t.Errorf("found %s in %s", got, s.texts[desk])
		}
	})
	t.Run("fix all", func(t *testing.T) {
		s.change(desk, broken)
		if actions := s.actions("serch"); actions["Make all safe fixes"] != nil {
			t.Error("offered without being asked for")
		}
		s.apply(s.actions("name", "source.fixAll")["Make all safe fixes"])
		if got := rulesOf(s.diagnostics(desk)); got != "" {
			t.Errorf("found %s in %s", got, s.texts[desk])
		}
		if len(s.actions("name", "source.fixAll")) > 0 || len(s.actions("name", "refactor")) > 0 {
			t.Error("there is nothing to do, and an action does it")
		}
	})
}

func TestHover(t *testing.T) {
	s := start(t, project)
	s.open(desk)
	s.edit(desk, "        get_page: [id]", "        get_pag: [id] # gete:ignore schema-type")
	for what, want := range map[string]string{
		"effect":      "Whether the tools only read",
		"read":        "",
		"search, get": "```text\nFinds pages.\n```\n\nArguments: `limit`, `query`",
		"search: [":   "Finds pages.",
		"get_pag: ":   "only-outside-allow",
		"schema-type": "schema-type",
		"Answers":     "",
	} {
		got := s.hover(desk, what)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("at %q: got %q, want %q in it", what, got, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	s := start(t, project+`-- agents/desk/api.yaml --
openapi: 3.0.3
info: {title: API, version: "1"}
paths:
  /pages: {get: {operationId: listPages, responses: {}}, post: {operationId: addPage, responses: {}}}
`)
	s.open(desk)
	original := s.texts[desk]
	const tool = "  - mcp:\n      url: https://gateway.example.com/mcp\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"a key of the document", "connections: [gateway]", "connections: [gateway]\nstar^", "registration: requirements:_ runtime: shared_credentials: source:_ starter_prompts:"},
		{"a key of a block", "      effect: read\n", "      effect: read\n      ^\n", "does_not:_ headers: params: timeout:_"},
		{"a key that has a colon", "effect: read", "eff^: read", "does_not effect headers params timeout"},
		{"a kind of block", "tools:\n", "tools:\n  - ^\n", "builtin:_ mcp: openapi: python:_"},
		{"a value", "effect: read", "effect: r^", "read write"},
		{"a connection of a block", "connection: gateway", "connection: ^", "gateway github google"},
		{"a connection of the agent", "[gateway]", "[gateway, g^]", "github google"},
		{"an open list", "[gateway]", "[gateway, ^", "github google"},
		{"a tool", "[search, get_page]", "[search, ^]", "delete_page get_page"},
		{"a tool in a block list", "allow: [search, get_page]", "allow:\n        - search\n        - ^", "delete_page get_page"},
		{"a quoted tool", "[search, get_page]", "[search, \"ge^\"]", "delete_page get_page"},
		{"a tool of only", "        get_page: [id]\n", "        ^\n", "get_page:"},
		{"a tool without allow", "      allow: [search, get_page]\n      only:\n        search: [query]\n", "      only:\n        se^\n", "delete_page: search:"},
		{"an argument of only", "search: [query]", "search: [query, ^]", "limit"},
		{"no fixed argument of only", "search: [query]", "search: [^]\n      params: {search: {limit: {value: 3}}}", "query"},
		{"a tool of params", "      only:", "      params:\n        ^\n      only:", "search: get_page:"},
		{"an argument of params", "      only:", "      params:\n        search:\n          ^\n      only:", "limit: query:"},
		{"a value of params", "      only:", "      params: {search: {limit: {^}}}\n      only:", "value:_"},
		{"a ready tool", tool, "  - builtin: goo^\n" + tool, "google_maps_grounding google_search"},
		{"an operation", tool, "  - openapi: {spec: api.yaml, operations: [^]}\n" + tool, "listPages addPage"},
		{"an operation of only", tool, "  - openapi: {spec: api.yaml, operations: [addPage], only: {^}}\n" + tool, "addPage:"},
		{"a rule", "effect: read", "effect: read # gete:ignore only-outside-a^", "only-outside-allow"},
		{"a reason", "effect: read", "effect: read # gete:ignore schema-type -- ^", ""},
		{"in a comment", "effect: read", "effect: read # ^", ""},
		{"in a text", "Answers questions.", "Answers ^", ""},
		{"before what is broken", "      effect: read\n", "      ^\n      \"broken\n", "does_not:_ effect:_ headers: params: timeout:_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after, _ := strings.Cut(strings.Replace(original, c.before, c.after, 1), "^")
			if after == "" {
				t.Fatal("there is no place")
			}
			s.change(desk, before+after)
			got := s.complete(desk, len(before))
			if want := strings.Fields(c.want); !isSubset(want, got) || len(want) == 0 && len(got) > 0 {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// isSubset says whether the words are among others, in their order.
func isSubset(words, among []string) bool {
	at := 0
	for _, w := range words {
		i := slices.Index(among[at:], w)
		if i < 0 {
			return false
		}
		at += i + 1
	}
	return true
}

// complete is what is offered at an offset, with _ for a blank.
func (s *session) complete(name string, offset int) []string {
	s.t.Helper()
	text := s.texts[name]
	s.texts[name] = text[:offset] + "\x00" + text[offset:]
	p := s.at(name, "\x00")
	s.texts[name] = text
	r, err := s.server.Completion(s.t.Context(), &protocol.CompletionParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: s.uri(name)}, Position: p,
	}})
	must(s.t, err)
	list, ok := r.(*protocol.CompletionList)
	if !ok {
		s.t.Fatalf("%T", r)
	}
	var items []string
	for _, item := range list.Items {
		edit, ok := item.TextEdit.(*protocol.TextEdit)
		if !ok {
			s.t.Fatalf("%T", item.TextEdit)
		}
		if at := s.offset(name, edit.Range.Start); at > offset || s.offset(name, edit.Range.End) < offset {
			s.t.Errorf("%s is not put in where the cursor is", item.Label)
		}
		items = append(items, strings.ReplaceAll(edit.NewText, " ", "_"))
	}
	return items
}

// A file that is no declaration is none of the server's, whatever is wrong beside it.
func TestOtherDocument(t *testing.T) {
	s := start(t, strings.Replace(project, "        search: [query]", "        serch: [query]", 1)+"-- other.yaml --\na: [\n")
	s.open("other.yaml")
	s.diagnostics("other.yaml")
	actions, err := s.server.CodeAction(t.Context(), &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: s.uri("other.yaml")},
		Context:      protocol.CodeActionContext{Only: []protocol.CodeActionKind{"source.fixAll"}},
	})
	if err != nil || len(actions) > 0 {
		t.Errorf("actions %v, error %v", actions, err)
	}
}

func TestConfiguration(t *testing.T) {
	s := start(t, project+"-- .gete-lint.yaml --\nrules:\n  only-outside-allow: off\n")
	const config = ".gete-lint.yaml"
	s.open(config)
	s.diagnostics(config)
	s.edit(config, "only-outside-allow", "only-outside-alow")
	if got := rulesOf(s.diagnostics(config)); got != "schema-unknown-key" {
		t.Errorf("found %s", got)
	}
	s.edit(config, "only-outside-alow: off", "on")
	if got := s.complete(config, strings.Index(s.texts[config], "on\n")+2); !isSubset([]string{"only-outside-allow:_", "only-missing:_"}, got) {
		t.Errorf("completion offers %q", got)
	}
	s.edit(config, "  on", "  only-missing: w")
	if got := s.complete(config, len(s.texts[config])-1); !cmp.Equal(got, []string{`"off"`, "advice", "warning", "error"}) {
		t.Errorf("completion offers %q", got)
	}
}

func TestLoneAgent(t *testing.T) {
	s := start(t, "-- agent.yaml --\nname: lone\n-- other.yaml --\na: [\n")
	s.open("other.yaml") // no declaration
	s.open("agent.yaml")
	if got := rulesOf(s.diagnostics("agent.yaml")); !strings.Contains(got, "schema-missing-key") {
		t.Errorf("found %s", got)
	}
	s.change("agent.yaml", "name: [\n")
	if got := rulesOf(s.diagnostics("agent.yaml")); got != "yaml-syntax" {
		t.Errorf("found %s", got)
	}
	if got := s.complete("agent.yaml", len("name: [")); len(got) > 0 {
		t.Errorf("completion offers %q", got)
	}
}

func TestWatchedFiles(t *testing.T) {
	s := start(t, strings.Replace(project, "instruction: Answer.", "instruction: ./instruction.md", 1))
	r := <-s.registered
	if len(r.Registrations) != 1 || r.Registrations[0].Method != "workspace/didChangeWatchedFiles" {
		t.Errorf("registered %+v", r)
	}
	s.open(desk)
	if got := rulesOf(s.diagnostics(desk)); got != "file-missing" {
		t.Fatalf("found %s", got)
	}
	s.write("agents/desk/instruction.md", "Answer.")
	must(t, s.server.DidChangeWatchedFiles(t.Context(), &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: s.uri("agents/desk/instruction.md"), Type: protocol.FileChangeTypeCreated}},
	}))
	if got := rulesOf(s.diagnostics(desk)); got != "" {
		t.Errorf("found %s", got)
	}
}

// A failure that is no declaration's is said, once, and the server lives on.
func TestBrokenLock(t *testing.T) {
	s := start(t, project)
	s.write("gete.lock.json", "{")
	s.open(desk)
	if m := <-s.logged; !strings.Contains(m, "gete.lock.json is not a lock file") {
		t.Errorf("logged %q", m)
	}
	if got := s.complete(desk, strings.Index(s.texts[desk], "read\n")); !cmp.Equal(got, []string{"read", "write"}) {
		t.Errorf("completion offers %q", got)
	}
	if got := s.hover(desk, "effect"); !strings.Contains(got, "Whether the tools only read") {
		t.Errorf("hover says %q", got)
	}
	if actions := s.actions("effect"); len(actions) > 0 {
		t.Errorf("actions %+v", actions)
	}
}

// hover is what is said at something in what is open.
func (s *session) hover(name, what string) string {
	s.t.Helper()
	h, err := s.server.Hover(s.t.Context(), &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: s.uri(name)}, Position: s.at(name, what),
	}})
	must(s.t, err)
	if h == nil {
		return ""
	}
	c, ok := h.Contents.(*protocol.MarkupContent)
	if !ok || c.Kind != protocol.MarkupKindMarkdown {
		s.t.Fatalf("%T", h.Contents)
	}
	return c.Value
}

func TestEnds(t *testing.T) {
	t.Run("after shutdown", func(t *testing.T) {
		s := start(t, project)
		must(t, s.server.Shutdown(t.Context()))
		if _, err := s.server.Hover(t.Context(), &protocol.HoverParams{}); err == nil {
			t.Error("it answers")
		}
	})
	t.Run("without shutdown", func(t *testing.T) {
		s := start(t, project)
		must(t, s.server.Exit(t.Context()))
		if code := s.end(false); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("client gone", func(t *testing.T) {
		if code := start(t, project).end(false); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("unknown messages", func(t *testing.T) {
		s := start(t, project)
		if _, err := s.conn.Call(t.Context(), "gete/none", nil, nil); err == nil {
			t.Error("it answers")
		}
		must(t, s.conn.Notify(t.Context(), "$/none", nil))
		must(t, s.conn.Notify(t.Context(), "textDocument/didOpen", []int{1}))
		<-s.logged
		if code := s.end(true); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}
