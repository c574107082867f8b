package report_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
)

// oddFolder has what a path may have that some format could take for something else.
const oddFolder = "my agents 100%41 #1: né"

// oddProject is the result of linting testdata/project.txtar in the folder oddFolder of
// a folder, edited first.
func oddProject(t *testing.T, dir string, edit func(name, text string) string) *lint.Result {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/project.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, oddFolder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text := edit(f.Name, string(f.Data))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	result, err := lint.Run(context.Background(), lint.Options{Dir: dir, Paths: []string{oddFolder}, Advice: true})
	if err != nil {
		t.Fatal(err)
	}
	result.Elapsed = 0
	return result
}

// unedited is the project as it is meant to be.
func unedited(name, text string) string {
	if strings.HasPrefix(name, "agents/two/") {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// TestProject holds every format to what it makes of a project with related places,
// fixes, several files, wide characters, CRLF, a secret and a suppressed finding.
func TestProject(t *testing.T) {
	dir := t.TempDir()
	r := oddProject(t, dir, unedited)
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			got := write(t, format, r, report.Options{Dir: dir, Version: "0.1.0"})
			golden(t, "project-"+format, got)
			if strings.Contains(got, "t0psecret") {
				t.Error("the report holds a secret")
			}
			if bytes.Contains([]byte(got), []byte(dir)) {
				t.Error("the report holds the path of the machine's folder")
			}
		})
	}
}
