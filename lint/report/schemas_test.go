package report_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// reported are results of every sort that a report may be about.
func reported(t *testing.T) map[string]*lint.Result {
	all := map[string]*lint.Result{
		"none": result(), "several": several(), "related files": relatedFiles(), "secrets": secrets(), "hostile": hostile(),
		"broken": {Broken: true, Diagnostics: []rules.Diagnostic{onlyOutsideAllow()}},
		"alike":  result(onlyOutsideAllow(), onlyOutsideAllow()),
	}
	all["project"] = oddProject(t, t.TempDir(), unedited)
	return all
}

// hostile is a result whose every text tries to be something else.
func hostile() *lint.Result {
	text := "a\x00\x1b[31m\u202e\ufffe\xff]]> --> <b>&amp;\" ``` {0} {{1}} [x](y) ${NAME} @all\n::error::"
	f := &source.File{Path: "é %41#?:/\\ [x]/" + text, Text: text + "\n````\n" + text}
	d := finding(span(f, 0, len(f.Text)), text, related(span(f, 3, 3), text), related(at(f, "````"), ""))
	d.Message, d.Help, d.Pointer = text, text, "/"+text
	d.Fix = &rules.Fix{Message: text, Edits: []source.Edit{{File: f, Start: 1, End: 1, Text: text}, {File: f, Start: 3, End: 9}}}
	r := result(d, d)
	r.Suppressed = []lint.Suppressed{{Diagnostic: d, Reason: text}, {Diagnostic: d, By: lint.Baseline}}
	return r
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "schemas", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	schema, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// A sarifReport is what the tests ask of a SARIF log.
type sarifReport struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			RuleID              string
			RuleIndex           int
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			Suppressions        []struct{ Kind, Justification string }
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
				}
			}
		}
	}
}

func parseSARIF(t *testing.T, text string) sarifReport {
	t.Helper()
	var r sarifReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSARIF(t *testing.T) {
	schema := compile(t, "sarif-2.1.0.json")
	for name, r := range reported(t) {
		t.Run(name, func(t *testing.T) {
			text := write(t, "sarif", r, report.Options{Dir: "/nowhere", Version: "0.1.0"})
			checkText(t, text)
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Errorf("%v in:\n%s", err, text)
			}
			run := parseSARIF(t, text).Runs[0]
			if run.Invocations[0].ExecutionSuccessful == r.Broken {
				t.Errorf("a run is successful: %v, and broken: %v", run.Invocations[0].ExecutionSuccessful, r.Broken)
			}
			if want := len(r.Diagnostics) + len(r.Suppressed); len(run.Results) != want {
				t.Errorf("%d results, want %d", len(run.Results), want)
			}
			seen := map[string]bool{}
			for _, rule := range run.Tool.Driver.Rules {
				if seen[rule.ID] {
					t.Errorf("the rule %s is described twice", rule.ID)
				}
				seen[rule.ID] = true
			}
			fingerprints := map[string]bool{}
			for i, result := range run.Results {
				if text := result.Message.Text; text == "" || strings.Contains(text, " {0}") || strings.Contains(text, "[x](y)") {
					t.Errorf("a message is empty, or has a placeholder or a link: %q", text)
				}
				if got := run.Tool.Driver.Rules[result.RuleIndex].ID; got != result.RuleID {
					t.Errorf("a result of %s has the index of %s", result.RuleID, got)
				}
				if suppressed := len(result.Suppressions) > 0; suppressed != (i >= len(r.Diagnostics)) {
					t.Errorf("result %d is suppressed: %v", i, suppressed)
				}
				if i < len(r.Diagnostics) {
					fingerprints[result.Locations[0].PhysicalLocation.ArtifactLocation.URI+result.PartialFingerprints["gete/v1"]] = true
				}
			}
			if len(fingerprints) != len(r.Diagnostics) {
				t.Errorf("%d fingerprints of %d results", len(fingerprints), len(r.Diagnostics))
			}
		})
	}
}

// A SARIF log says what the limit leaves out.
func TestSARIFOmitted(t *testing.T) {
	run := parseSARIF(t, write(t, "sarif", hostile(), report.Options{Max: 1})).Runs[0]
	const want = "2 more results are left out; --max-diagnostics 0 writes all"
	if n := run.Invocations[0].ToolExecutionNotifications; len(run.Results) != 2 || len(n) != 1 || n[0].Message.Text != want {
		t.Errorf("%d results, %q", len(run.Results), n)
	}
}

// The URIs start from the root of the work tree, and what lies outside has a whole one.
func TestSARIFURIs(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"agents/a/agent.yaml":       "%SRCROOT% sub/agents/a/agent.yaml",
		"../a b%41#?.yaml":          "%SRCROOT% a%20b%2541%23%3F.yaml",
		"../a:b/né.yaml":            "%SRCROOT% ./a:b/n%C3%A9.yaml",
		"/elsewhere/a b.yaml":       " file:///elsewhere/a%20b.yaml",
		"../../elsewhere/../x.yaml": " file://" + filepath.Join(filepath.Dir(dir), "x.yaml"),
	} {
		f := &source.File{Path: path, Text: "a: b"}
		text := write(t, "sarif", result(finding(at(f, "b"), "")), report.Options{Dir: filepath.Join(dir, "sub")})
		artifact := parseSARIF(t, text).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation
		if got := artifact.URIBaseID + " " + artifact.URI; got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// A gitlabIssue is what the tests ask of an issue.
type gitlabIssue struct {
	Description, Fingerprint, Severity string
	CheckName                          string `json:"check_name"`
	Location                           struct {
		Path  string
		Lines struct{ Begin, End int }
	}
}

func TestGitLab(t *testing.T) {
	schema := compile(t, "gitlab-codeclimate.json")
	for name, r := range reported(t) {
		t.Run(name, func(t *testing.T) {
			text := write(t, "gitlab", r, report.Options{})
			checkText(t, text)
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			list, ok := value.([]any)
			if !ok || len(list) != len(r.Diagnostics) {
				t.Fatalf("not the list of all issues:\n%s", text)
			}
			for _, issue := range list {
				if err := schema.Validate(issue); err != nil {
					t.Errorf("%v in:\n%s", err, text)
				}
			}
			var issues []gitlabIssue
			if err := json.Unmarshal([]byte(text), &issues); err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, issue := range issues {
				if seen[issue.Fingerprint] {
					t.Errorf("two issues have the fingerprint %s", issue.Fingerprint)
				}
				seen[issue.Fingerprint] = true
				if issue.Location.Lines.Begin < 1 || issue.Location.Lines.End < issue.Location.Lines.Begin || issue.Description == "" || issue.CheckName == "" {
					t.Errorf("%+v", issue)
				}
			}
		})
	}
}

// The fingerprints of SARIF and GitLab survive edits elsewhere in the file.
func TestFingerprintsAreStable(t *testing.T) {
	fingerprints := func(edit func(name, text string) string) []string {
		dir := t.TempDir()
		r := oddProject(t, dir, edit)
		var all []string
		for _, result := range parseSARIF(t, write(t, "sarif", r, report.Options{Dir: dir})).Runs[0].Results {
			all = append(all, result.RuleID+" "+result.PartialFingerprints["gete/v1"])
		}
		var issues []gitlabIssue
		if err := json.Unmarshal([]byte(write(t, "gitlab", r, report.Options{Dir: dir})), &issues); err != nil {
			t.Fatal(err)
		}
		for _, issue := range issues {
			all = append(all, issue.CheckName+" "+issue.Fingerprint)
		}
		slices.Sort(all)
		return all
	}
	before := fingerprints(unedited)
	after := fingerprints(func(_, text string) string {
		text = strings.Replace(text, "tools:\n", "# What it may use.\n\ntools:\n  - mcp:\n      url: https://new.example.com/mcp\n      effect: read\n      allow: [one]\n", 1)
		return "# Moved down\n\n" + strings.Replace(text, "display_name: ", "display_name:   ", 1)
	})
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestJUnit(t *testing.T) {
	texts := map[string]string{}
	for name, r := range reported(t) {
		text := write(t, "junit", r, report.Options{})
		texts[name] = text
		checkText(t, text)
		var got struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Suites   []struct {
				Name  string `xml:"name,attr"`
				Tests int    `xml:"tests,attr"`
				Cases []struct {
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v in:\n%s", name, err, text)
			continue
		}
		cases, failures, suites := 0, 0, map[string]bool{}
		for _, suite := range got.Suites {
			if suites[suite.Name] || suite.Tests != len(suite.Cases) {
				t.Errorf("%s: %+v", name, suite)
			}
			suites[suite.Name] = true
			for _, c := range suite.Cases {
				cases++
				if c.Failure != nil {
					failures++
				}
			}
		}
		if cases != max(1, len(r.Diagnostics)) || failures != r.Count(rules.Error) || got.Tests != cases || got.Failures != failures {
			t.Errorf("%s: %d test cases, %d failures, in:\n%s", name, cases, failures, text)
		}
	}
	t.Run("schema", func(t *testing.T) { checkXSD(t, "testdata/schemas/junit-10.xsd", texts) })
}

// checkXSD holds XML to a schema with libxml2, as the npm package xmllint-wasm has it.
func checkXSD(t *testing.T, schema string, texts map[string]string) {
	packages := os.Getenv("GETE_TEST_NPM")
	if packages == "" {
		t.Skip("GETE_TEST_NPM is not set")
	}
	dir := t.TempDir()
	args := []string{"-e", `
		const fs = require("node:fs");
		const [schema, ...files] = process.argv.slice(1);
		const xml = files.map(fileName => ({fileName, contents: fs.readFileSync(fileName, "utf8")}));
		require("xmllint-wasm").validateXML({xml, schema: [fs.readFileSync(schema, "utf8")]})
			.then(r => { console.log(r.rawOutput); process.exitCode = r.valid ? 0 : 1; });`, schema}
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		path := filepath.Join(dir, fmt.Sprintf("%d.xml", i))
		if err := os.WriteFile(path, []byte(texts[name]), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	cmd := exec.Command("node", args...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(packages, "node_modules"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Nothing that a report is about is markup in Markdown, and the frames end where they
// are meant to.
func TestMarkdown(t *testing.T) {
	for name, r := range reported(t) {
		text := write(t, "markdown", r, report.Options{})
		checkText(t, text)
		fence := ""
		for line := range strings.Lines(text) {
			if ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]; len(ticks) >= 3 {
				switch {
				case fence == "":
					fence = ticks
				case len(ticks) >= len(fence):
					fence = ""
				}
				continue
			}
			line = line[strings.LastIndex(line, "`: ")+1:] // the path is code
			if fence == "" && (strings.Contains(line, "<b>") || strings.Contains(line, "@all")) {
				t.Errorf("%s: markup in %q", name, line)
			}
		}
		if fence != "" {
			t.Errorf("%s: a block does not end:\n%s", name, text)
		}
	}
}

// A Markdown report is as large as GitHub takes it, and says what is left out.
func TestMarkdownIsBounded(t *testing.T) {
	many := result()
	for range 10_000 {
		many.Diagnostics = append(many.Diagnostics, onlyOutsideAllow())
	}
	text := write(t, "markdown", many, report.Options{})
	shown := strings.Count(text, "**error**")
	if len(text) > 1<<20 || len(text) < 1<<20-4096 {
		t.Errorf("%d bytes", len(text))
	}
	if want := fmt.Sprintf("\n%d more findings are not shown.\n", 10_000-shown); !strings.HasSuffix(text, want) {
		t.Errorf("%d are shown, and it ends in %q", shown, text[len(text)-100:])
	}
}
