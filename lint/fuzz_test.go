package lint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/rules"
	"golang.org/x/tools/txtar"
)

// The files of the project that each fuzz target puts its bytes into.
var fuzzProject = map[string]string{
	"gete.yaml": `version: 1
project: example-project
location: us-central1
policies: [policies/house.yaml]
shared_credentials: {slack_post: {token_secret: slack}}
connections:
  gateway:
    display_name: Gateway
    hosts: [gateway.example.com/a/, tickets.example.com]
    token_prefixes: [gw_]
    oauth:
      authorization_url: https://login.example.com/authorize
      token_url: https://login.example.com/token
      scopes: {read: Read}
      optional_scopes: {write: Write}
    examples: {accepts: [gw_1], rejects: [ya29.x]}
`,
	"policies/house.yaml": `- name: house
  when: always
  deny_tools: [search]
  redact:
    patterns:
      - {pattern: '(?P<n>\d+)', replacement: '\g<n>{digits}'}
`,
	"agents/helper/agent.yaml": `name: helper
display_name: Helper
description: Answers questions.
model: gemini-2.5-flash
instruction: ./instruction.md
connections: [github, {id: gateway, scopes: [write]}]
shared_credentials: [slack_post]
source: ./src
tools:
  - builtin: google_search
  - python: pkg.module:TOOLS
  - mcp: &m
      url: https://gateway.example.com/a/mcp
      connection: gateway
      headers: {X-A: "${A}"} # gete:ignore header-secret -- why
      allow: [search, get]
      params: {search: {scope: {value: yes}}}
      only: {search: [query], get: [id]}
  - mcp: {<<: *m, allow: [put], effect: write}
  - openapi:
      spec: ./api.yaml
      connection: gateway
      operations: [list, create, gone]
      params: {create: {note.kind: {value: 1}, title: {prefix: x}}, list: {page: {value: many}}}
      only: {create: [title, note.text, nothing], list: [q]}
      describe: {list: Lists}
runtime: {agent_engine: {env: {A: "1"}, secret_env: {B: c}, python_version: "3.12"}}
`,
	"agents/helper/api.yaml": `openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
    get:
      operationId: list
      parameters: [{name: page, in: query, schema: {type: integer}}, {name: q, in: query, required: true}]
    post:
      operationId: create
      requestBody:
        content:
          application/json:
            schema:
              allOf: [{$ref: '#/components/schemas/Base'}]
              required: [title]
components:
  parameters:
    Id: {name: id, in: path, required: true, schema: {type: string}}
  schemas:
    Base:
      properties:
        title: {type: string, maxLength: 5}
        note: {type: object, properties: {kind: {enum: [a, b]}, text: {type: string}, more: {$ref: '#/components/schemas/Base'}}}
`,
}

func FuzzGete(f *testing.F)        { fuzz(f, "gete.yaml") }
func FuzzPolicy(f *testing.F)      { fuzz(f, "policies/house.yaml") }
func FuzzDescription(f *testing.F) { fuzz(f, "agents/helper/api.yaml") }
func FuzzAgent(f *testing.F)       { fuzz(f, "agents/helper/agent.yaml") }

// fuzz lints a project with arbitrary bytes as one of its files: nothing may
// panic or hang, every place must lie inside its file, and every report must
// be one.
func fuzz(f *testing.F, name string) {
	dir := f.TempDir()
	for path, text := range fuzzProject {
		put(f, filepath.Join(dir, filepath.FromSlash(path)), text)
	}
	f.Add([]byte(fuzzProject[name]))
	f.Add([]byte(strings.ReplaceAll(fuzzProject[name], "\n", "\r\n")))
	f.Add([]byte("- &a [*a]\n"))
	f.Add([]byte("a: \xff\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := lint.Run(context.Background(), lint.Options{
			Dir: dir, Paths: []string{".", "-"}, Stdin: bytes.NewReader(text), StdinFilename: name, Advice: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Diagnostics {
			inside(t, d.Place)
			for _, related := range d.Related {
				inside(t, related.Place)
			}
			if d.Message == "" || d.Rule == "" {
				t.Fatalf("%+v", d)
			}
		}
		for _, format := range report.Formats() {
			var out bytes.Buffer
			options := report.Options{Dir: dir, Width: 60, Getenv: func(string) string { return "" }}
			if err := report.Write(format, &out, r, options); err != nil {
				t.Fatal(err)
			}
			if format == "json" && !json.Valid(out.Bytes()) {
				t.Fatalf("no JSON: %s", out.Bytes())
			}
			if format == "text" && (bytes.HasPrefix(out.Bytes(), []byte("::")) || bytes.Contains(out.Bytes(), []byte("\n::"))) {
				t.Fatalf("a line begins with ::\n%s", out.Bytes())
			}
		}
	})
}

func inside(t *testing.T, p rules.Place) {
	t.Helper()
	s := p.Span
	if s.Start.Offset < 0 || s.End.Offset < s.Start.Offset || s.End.Offset > len(p.File.Text) || s.End.Line > p.File.Lines() {
		t.Fatalf("%s: the span %+v in a text of %d bytes", p.File.Path, s, len(p.File.Text))
	}
	line, start := p.File.Line(s.Start.Line)
	if s.Start.Offset < start || s.Start.Offset > start+len(line)+2 {
		t.Fatalf("%s: the span %+v is not on its line", p.File.Path, s)
	}
}

// FuzzFix makes the safe fixes in an arbitrary agent.yaml: the text that comes of
// it can be read if the first one could, and has nothing left to fix.
func FuzzFix(f *testing.F) {
	dir := f.TempDir()
	for path, text := range fuzzProject {
		put(f, filepath.Join(dir, filepath.FromSlash(path)), text)
	}
	cases, err := filepath.Glob("../testdata/cases/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, path := range cases {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, "/agent.yaml") {
				f.Add(file.Data)
			}
		}
	}
	agent := filepath.Join(dir, "agents", "helper", "agent.yaml")
	f.Fuzz(func(t *testing.T, text []byte) {
		overlay := map[string][]byte{agent: text}
		fix := func() *lint.Fixed {
			fixed, err := lint.Fix(context.Background(), lint.Options{Dir: dir, Overlay: overlay, Advice: true})
			if err != nil {
				t.Fatal(err)
			}
			return fixed
		}
		fixed := fix()
		if len(fixed.Made) > 0 && len(fixed.Result.Diagnostics) >= len(fixed.Before.Diagnostics) {
			t.Fatalf("%d diagnostics, and %d before", len(fixed.Result.Diagnostics), len(fixed.Before.Diagnostics))
		}
		for _, d := range fixed.Made {
			inside(t, d.Place)
		}
		for _, c := range fixed.Changes {
			if len(c.After.Faults) > len(c.Before.Faults) {
				t.Fatalf("%+v\n%s", c.After.Faults, c.After.Text)
			}
			overlay[filepath.Join(dir, filepath.FromSlash(c.After.Path))] = []byte(c.After.Text)
		}
		if again := fix(); len(again.Made) > 0 {
			t.Fatalf("a second time %+v\n%s", again.Made[0], overlay)
		}
	})
}

// put writes a file and the folders that it is in.
func put(f *testing.F, path, text string) {
	f.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}
