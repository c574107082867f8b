package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/source"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// elapsed is the part of a summary that differs from run to run.
var elapsed = regexp.MustCompile(`, \d+ ms\)`)

// TestReadmeOutput holds the diagnostics on the first screen to what gete
// prints for the project that they come from.
func TestReadmeOutput(t *testing.T) {
	_, rest, _ := strings.Cut(readme(t), "```console\n$ gete validate\n")
	want, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("there is no console block")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r := gete(dir+"/../../testdata/projects/slips", "validate")
	got := r.stdout + r.stderr
	if elapsed.ReplaceAllString(got, ")") != elapsed.ReplaceAllString(want, ")") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReadmeCommands runs what the README says of the project that ships.
func TestReadmeCommands(t *testing.T) {
	text := readme(t)
	for _, command := range []string{"go run . validate testdata/projects/handbook", "go test ./...", "go install ."} {
		if !strings.Contains(text, "```sh\n"+command+"\n```") {
			t.Errorf("the README does not say %q", command)
		}
	}
	if r := gete("../..", "validate", "testdata/projects/handbook"); r.code != 0 || r.stdout != "" {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// TestReadmeExamples runs every YAML example that is a file of a project: each
// is sound, its suppressions included.
func TestReadmeExamples(t *testing.T) {
	ran := 0
	for _, block := range fence.FindAllStringSubmatch(readme(t), -1) {
		if block[1] != "yaml" {
			continue
		}
		if f := source.Parse("README.md", block[2], source.Declarations); len(f.Faults) > 0 {
			t.Errorf("%s\n%+v", block[2], f.Faults)
		}
		if !strings.HasPrefix(block[2], "# "+exampleAgent) && !strings.HasPrefix(block[2], "# .gete-lint.yaml") {
			continue
		}
		ran++
		r := gete(write(t, example(block[0])), "validate", "--format", "json")
		if r.code != 0 || len(found(t, r.stdout)) > 0 {
			t.Errorf("%s\n%s%s", block[2], r.stdout, r.stderr)
		}
	}
	if ran < 3 {
		t.Errorf("only %d examples ran", ran)
	}
}

// TestReadmeFlags holds the README to the flags, formats, kinds and exit codes
// that there are.
func TestReadmeFlags(t *testing.T) {
	text := readme(t)
	help := gete(t.TempDir(), "validate", "--help").stdout
	flag := regexp.MustCompile(`--[a-z][a-z-]+`)
	_, rest, _ := strings.Cut(text, "### Flags of `gete validate`\n")
	table, _, _ := strings.Cut(rest, "\n### ")
	_, helpFlags, ok := strings.Cut(help, "\nFlags:\n")
	if !ok {
		t.Fatalf("no flags in the help:\n%s", help)
	}
	set := func(text string) map[string]bool {
		found := map[string]bool{}
		for _, line := range strings.Split(text, "\n") {
			if f := flag.FindString(line); f != "" {
				found[f] = true
			}
		}
		return found
	}
	inReadme, inHelp := set(table), set(helpFlags)
	for f := range inHelp {
		if !inReadme[f] {
			t.Errorf("the README does not explain %s", f)
		}
	}
	for f := range inReadme {
		if !inHelp[f] {
			t.Errorf("there is no flag %s", f)
		}
	}
	for _, k := range schema.Kinds() {
		if !strings.Contains(text, "`"+string(k)+"`") {
			t.Errorf("the README does not name the schema %s", k)
		}
	}
}
