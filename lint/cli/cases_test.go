package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gete-lint/gete/lint/cli"
	"github.com/gete-lint/gete/rules"
)

const casesDir = "../../testdata/cases"

// A result is what a command line printed, and its exit code.
type result struct {
	code           int
	stdout, stderr string
}

// gete runs a command line in a folder, without any of the environment.
func gete(dir string, args ...string) result {
	var stdout, stderr bytes.Buffer
	c := cli.Command{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Dir: dir, Version: "test",
	}
	code := c.Main(args)
	return result{code, stdout.String(), stderr.String()}
}

// A testCase is one archive of testdata/cases.
type testCase struct {
	name  string
	files map[string]string
	args  []string
	want  []string
}

// credentials are put together here, so that no file of the project holds
// anything that looks like one.
var credentials = strings.NewReplacer(
	"%GHP%", "gh"+"p_"+strings.Repeat("0123456789abcdef", 2)+"0123",
	"%XOXB%", "xo"+"xb-"+"1234-5678-abcdef",
	"%PASSWORD%", "correct"+"horse",
)

// unauthorized is the address of a server that wants a token.
var unauthorized = sync.OnceValue(func() string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="notes"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	return s.URL + "/mcp" // it ends with the tests
})

func readCase(t *testing.T, path string) testCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := testCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), files: map[string]string{}}
	var crlf []string
	for _, f := range archive.Files {
		text := string(f.Data)
		switch f.Name {
		case "args":
			text = strings.ReplaceAll(text, "%UNAUTHORIZED%", unauthorized())
			c.args = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		case "crlf":
			crlf = strings.Fields(text)
		case "want":
			c.want = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		default:
			c.files[f.Name] = credentials.Replace(text)
		}
	}
	for _, name := range crlf {
		c.files[name] = strings.ReplaceAll(c.files[name], "\n", "\r\n")
	}
	return c
}

// write puts files into a new folder.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found are the diagnostics of a JSON report, as cases write them.
func found(t *testing.T, report string) []string {
	t.Helper()
	var parsed struct {
		Diagnostics []struct {
			Path, Severity, Rule string
			Start                struct{ Line, Column int }
		}
	}
	if err := json.Unmarshal([]byte(report), &parsed); err != nil {
		t.Fatalf("%v in %q", err, report)
	}
	var lines []string
	for _, d := range parsed.Diagnostics {
		lines = append(lines, fmt.Sprintf("%s:%d:%d %s %s", d.Path, d.Start.Line, d.Start.Column, d.Severity, d.Rule))
	}
	return lines
}

func TestCases(t *testing.T) {
	paths, err := filepath.Glob(casesDir + "/*.txtar")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d cases, %v", len(paths), err)
	}
	for _, path := range paths {
		c := readCase(t, path)
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := gete(write(t, c.files), append([]string{"validate", "--format", "json"}, c.args...)...)
			got := found(t, r.stdout)
			slices.Sort(got)
			want := slices.Sorted(slices.Values(c.want))
			if !slices.Equal(got, want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
			code := cli.ExitSound
			for _, line := range want {
				_, rule, isError := strings.Cut(line, " error ")
				switch outage := rule == "drift-unreachable" || rule == "drift-unauthorized"; {
				case isError && !outage:
					code = cli.ExitFound
				case isError && code == cli.ExitSound:
					code = cli.ExitUnchecked
				}
			}
			if r.code != code {
				t.Errorf("exit code %d, want %d\n%s", r.code, code, r.stderr)
			}
		})
	}
}

// TestEveryRuleHasCases holds every rule to one case in which it fires, RULE,
// and one near miss in which it is silent, RULE-near.
func TestEveryRuleHasCases(t *testing.T) {
	for _, rule := range rules.All() {
		fires := func(name string) bool {
			c := readCase(t, filepath.Join(casesDir, name+".txtar"))
			return slices.ContainsFunc(c.want, func(line string) bool { return strings.HasSuffix(line, " "+rule.ID) })
		}
		if !fires(rule.ID) {
			t.Errorf("%s does not fire in its own case", rule.ID)
		}
		if fires(rule.ID + "-near") {
			t.Errorf("%s fires in its near miss", rule.ID)
		}
	}
}
