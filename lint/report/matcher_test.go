package report_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/rules"
)

// A matcher is a problem matcher of GitHub Actions
// (https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md).
type matcher struct {
	Owner, Severity string
	Pattern         []struct {
		Regexp                                      string
		File, Line, Column, Severity, Message, Code int
	}
}

// TestMatcher holds the problem matcher that ships to what the formats print: it finds
// each finding once, whole, and nothing else.
func TestMatcher(t *testing.T) {
	text, err := os.ReadFile("../../.github/gete-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ ProblemMatcher []matcher }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r := oddProject(t, dir, unedited)
	r.Diagnostics[0].Severity = rules.Advice // which the project has none of
	var want []string
	severities := map[string]bool{}
	for _, d := range r.Diagnostics {
		severity := d.Severity.String()
		if severity == "advice" {
			severity = "notice" // what the runner calls it
		}
		severities[severity] = true
		want = append(want, fmt.Sprintf("%s|%d|%d|%s|%s [%s]|%s",
			d.File.Path, d.Span.Start.Line, d.Span.Start.Column, severity, d.Message, d.Rule, d.Rule))
	}
	if len(severities) != 3 {
		t.Fatalf("the project has findings of only %d severities", len(severities))
	}
	for _, format := range []string{"compact", "text"} {
		t.Run(format, func(t *testing.T) {
			var got []string
			for line := range strings.Lines(write(t, format, r, report.Options{Dir: dir})) {
				for _, m := range file.ProblemMatcher {
					p := m.Pattern[0]
					groups := regexp.MustCompile(p.Regexp).FindStringSubmatch(strings.TrimSuffix(line, "\n"))
					if groups == nil {
						continue
					}
					severity := m.Severity
					if p.Severity > 0 {
						severity = groups[p.Severity]
					}
					got = append(got, strings.Join([]string{
						groups[p.File], groups[p.Line], groups[p.Column], severity, groups[p.Message], groups[p.Code],
					}, "|"))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
