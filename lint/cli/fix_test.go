package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fixReport is what a JSON report has about fixes.
type fixReport struct {
	Diagnostics []struct {
		Path, Severity, Rule string
		Fixes                []struct {
			Safe  bool
			Edits []struct {
				Path       string
				Start, End struct{ Offset int }
			}
		}
	}
}

func parseFixReport(t *testing.T, text string) fixReport {
	t.Helper()
	var r fixReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return r
}

// errors counts the errors of each rule in each file.
func (r fixReport) errors() map[string]int {
	n := map[string]int{}
	for _, d := range r.Diagnostics {
		if d.Severity == "error" {
			n[d.Path+" "+d.Rule]++
		}
	}
	return n
}

// kept matches a file in which nothing is changed but what the report's safe fixes
// touch, each with the blank and the comma beside it.
func (r fixReport) kept(path, text string) *regexp.Regexp {
	free := make([]bool, len(text)+1)
	for _, d := range r.Diagnostics {
		for _, fix := range d.Fixes {
			for _, e := range fix.Edits {
				if fix.Safe && e.Path == path {
					start := len(strings.TrimRight(text[:e.Start.Offset], " ,\r\n"))
					for i := start; i <= e.End.Offset; i++ {
						free[i] = true
					}
				}
			}
		}
	}
	pattern, from := `(?s)\A`, 0
	for i := range free {
		if free[i] {
			pattern += regexp.QuoteMeta(text[min(from, i):i]) + `.*?`
			from = i + 1
		}
	}
	return regexp.MustCompile(pattern + regexp.QuoteMeta(text[min(from, len(text)):]) + `\z`)
}

// TestFixCases makes the safe fixes in every case: there is never a new error, never
// a changed byte outside what the fixes touch, and nothing left to fix by them.
func TestFixCases(t *testing.T) {
	paths, err := filepath.Glob(casesDir + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, path := range paths {
		c := readCase(t, path)
		dir := write(t, c.files)
		validate := func(args ...string) result {
			return gete(dir, slices.Concat([]string{"validate", "--advice"}, c.args, args)...)
		}
		before := parseFixReport(t, validate("--format", "json").stdout)
		shown := validate("--fix", "--diff")
		if got := nowIn(t, dir, c.files); !slices.Equal(got, texts(c.files)) {
			t.Errorf("%s: --diff changed a file", c.name)
		}
		r := validate("--fix", "--format", "json")
		after := parseFixReport(t, r.stdout)
		for key, n := range after.errors() {
			if n > before.errors()[key] {
				t.Errorf("%s: new errors: %s\n%s", c.name, key, r.stderr)
			}
		}
		fixed := false
		for name, text := range c.files {
			now := readFile(t, dir, name)
			if now == text {
				continue
			}
			fixed = true
			if !before.kept(name, text).MatchString(now) {
				t.Errorf("%s: %s has other changes than the fixes:\n%s", c.name, name, shown.stdout)
			}
			if !strings.Contains(shown.stdout, "--- a/"+name+"\n") {
				t.Errorf("%s: --diff does not show %s", c.name, name)
			}
		}
		if !fixed {
			if shown.stdout != "" {
				t.Errorf("%s: --diff shows what --fix does not do:\n%s", c.name, shown.stdout)
			}
			continue
		}
		changed = append(changed, c.name)
		if len(after.Diagnostics) >= len(before.Diagnostics) {
			t.Errorf("%s: %d diagnostics, and %d before", c.name, len(after.Diagnostics), len(before.Diagnostics))
		}
		once := nowIn(t, dir, c.files)
		validate("--fix")
		if !slices.Equal(nowIn(t, dir, c.files), once) {
			t.Errorf("%s: a second --fix changes more", c.name)
		}
	}
	if len(changed) < 30 {
		t.Errorf("only %d cases had something to fix: %s", len(changed), strings.Join(changed, ", "))
	}
}

// texts are those of some files, in the order of their names.
func texts(files map[string]string) []string {
	var all []string
	for _, name := range names(files) {
		all = append(all, files[name])
	}
	return all
}

// nowIn are the texts that some files have now.
func nowIn(t *testing.T, dir string, files map[string]string) []string {
	t.Helper()
	var all []string
	for _, name := range names(files) {
		all = append(all, readFile(t, dir, name))
	}
	return all
}

func names(files map[string]string) []string {
	var all []string
	for name := range files {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
