package report_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

const agent = `name: team-search
tools:
  - mcp:
      url: https://search.example.com/mcp
      allow: [search, get_page]
      connection: workspace
      only:
        serch: [query]
`

func file(text string) *source.File {
	return &source.File{Path: "agents/team-search/agent.yaml", Text: text}
}

// at is the place of the first occurrence of a text.
func at(f *source.File, text string) rules.Place {
	start := strings.Index(f.Text, text)
	if start < 0 {
		panic("the file lacks " + text)
	}
	return span(f, start, start+len(text))
}

func span(f *source.File, start, end int) rules.Place {
	return rules.Place{File: f, Span: f.Span(start, end)}
}

func related(p rules.Place, message string) rules.Related {
	return rules.Related{Place: p, Message: message}
}

// finding is a diagnostic of which only the place matters.
func finding(p rules.Place, label string, others ...rules.Related) rules.Diagnostic {
	return rules.Diagnostic{
		Rule: "schema-value", Severity: rules.Error, Message: "this value will not do",
		Label: label, Place: p, Related: others,
	}
}

func onlyOutsideAllow() rules.Diagnostic {
	f := file(agent)
	place := at(f, "serch")
	place.Pointer = "/tools/0/mcp/only/serch"
	return rules.Diagnostic{
		Rule: "only-outside-allow", Severity: rules.Error,
		Message: `"serch" is not a tool this block offers; did you mean "search"?`,
		Label:   "only may name tools of allow",
		Help:    "write `search`, or add `serch` to allow",
		Place:   place,
		Related: []rules.Related{related(span(f, strings.Index(agent, "search, "), strings.Index(agent, "search, ")+6), "offered here")},
	}
}

func result(diagnostics ...rules.Diagnostic) *lint.Result {
	return &lint.Result{Diagnostics: diagnostics, Projects: 1, Agents: 3, Files: 9, Elapsed: 12 * time.Millisecond}
}

func write(t *testing.T, format string, r *lint.Result, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(format, &b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares an output with the file that keeps it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// several are diagnostics of every severity, in several files.
func several() *lint.Result {
	f := file(agent)
	warning := finding(at(f, "https://search.example.com/mcp"), "")
	warning.Rule, warning.Severity, warning.Message = "url-secret", rules.Warning, "this URL carries a credential"
	g := &source.File{Path: "gete.yaml", Text: "connections:\n  workspace: {}\n"}
	advice := finding(at(f, "workspace"), "used here", related(at(g, "workspace"), "declared here"))
	advice.Rule, advice.Severity, advice.Message = "allow-missing", rules.Advice, "100% of the tools, are offered: all"
	return result(warning, advice, onlyOutsideAllow())
}

func TestFormats(t *testing.T) {
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			options := report.Options{Version: "0.1.0", Dir: filepath.Join(t.TempDir(), "project")}
			golden(t, "format-"+format, write(t, format, several(), options))
			options.Max = 1
			golden(t, "format-"+format+"-cut", write(t, format, several(), options))
			golden(t, "format-"+format+"-none", write(t, format, result(), options))
		})
	}
	options := report.Options{Color: true, Links: true}
	golden(t, "format-text-color", write(t, "text", several(), options))
	golden(t, "format-compact-color", write(t, "compact", several(), options))
}

func TestUnknownFormat(t *testing.T) {
	err := report.Write("xml", &bytes.Buffer{}, result(), report.Options{})
	const want = `there is no format "xml": the formats are text, compact, json, sarif, github, gitlab, junit, markdown`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The colours of a report add nothing to it but themselves.
func TestColorOnlyColors(t *testing.T) {
	t.Setenv("NO_COLOR", "1") // it is the command line that obeys it
	escape := regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b]8;;[^\x1b]*\x1b\\\\")
	for _, format := range report.Formats() {
		plain := write(t, format, several(), report.Options{Links: true})
		if strings.Contains(plain, "\x1b") {
			t.Errorf("%s without colour has an escape:\n%q", format, plain)
		}
		colored := write(t, format, several(), report.Options{Color: true, Links: true})
		if diff := cmp.Diff(plain, escape.ReplaceAllString(colored, "")); diff != "" {
			t.Errorf("%s (-plain +coloured):\n%s", format, diff)
		}
		if (format == "text" || format == "compact") != (colored != plain) {
			t.Errorf("%s is coloured: %v", format, colored != plain)
		}
	}
}

func TestOmitted(t *testing.T) {
	two := result(onlyOutsideAllow(), onlyOutsideAllow())
	if got, want := report.Omitted(two, 1), "1 more diagnostic is not shown; --max-diagnostics 0 shows all"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, limit := range []int{0, 2, 3} {
		if got := report.Omitted(two, limit); got != "" {
			t.Errorf("with a limit of %d: %q", limit, got)
		}
	}
	if got := write(t, "compact", two, report.Options{Max: 1}); strings.Count(got, "\n") != 1 {
		t.Errorf("with a limit of 1: %q", got)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteError(t *testing.T) {
	many := result()
	for range 1000 {
		many.Diagnostics = append(many.Diagnostics, onlyOutsideAllow())
	}
	for _, format := range report.Formats() {
		for _, r := range []*lint.Result{several(), many} {
			if err := report.Write(format, brokenWriter{}, r, report.Options{}); !errors.Is(err, errBroken) {
				t.Errorf("%s: got %v, want that of the writer", format, err)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	f, g := file("a"), &source.File{Path: "gete.yaml", Text: "b"}
	of := func(f *source.File, s rules.Severity) rules.Diagnostic {
		d := finding(span(f, 0, 1), "")
		d.Severity = s
		return d
	}
	tests := []struct {
		result *lint.Result
		want   string
	}{
		{result(), "no problems found (3 agents checked, 12 ms)"},
		{&lint.Result{Agents: 1, Elapsed: 999_400 * time.Microsecond}, "no problems found (1 agent checked, 999 ms)"},
		{&lint.Result{Elapsed: 999_600 * time.Microsecond}, "no problems found (0 agents checked, 1.0 s)"},
		{result(of(f, rules.Error)), "1 error in 1 file (3 agents checked, 12 ms)"},
		{result(of(f, rules.Warning), of(f, rules.Warning)), "2 warnings in 1 file (3 agents checked, 12 ms)"},
		{result(of(f, rules.Advice), of(g, rules.Error), of(g, rules.Error)),
			"2 errors, 1 piece of advice in 2 files (3 agents checked, 12 ms)"},
		{result(of(f, rules.Advice), of(f, rules.Warning), of(f, rules.Advice), of(g, rules.Error)),
			"1 error, 1 warning, 2 pieces of advice in 2 files (3 agents checked, 12 ms)"},
	}
	for _, tt := range tests {
		var b strings.Builder
		if err := report.Summarize(&b, tt.result, false); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != tt.want+"\n" {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
