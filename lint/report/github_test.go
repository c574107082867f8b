package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/schema/source"
)

func TestGitHubEscapes(t *testing.T) {
	f := &source.File{Path: "a,b:c%\r\n\x1b::d.yaml", Text: "x: 1\ny: 2\n"}
	d := finding(at(f, "1\ny"), "")
	d.Message = "50%\n::error::x, y: z\x1b"
	want := "::error file=a%2Cb%3Ac%25%0D%0A\\x1b%3A%3Ad.yaml,line=1,endLine=2,title=schema-value" +
		"::a,b:c%25\\r\\n\\x1b::d.yaml:1:4: 50%25\\n::error::x, y: z\\x1b\n"
	if got := write(t, "github", result(d), report.Options{Dir: t.TempDir()}); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestGitHubPaths(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, "repo", "sub", "project")
	plain := filepath.Join(base, "plain")
	for _, d := range []string{dir, plain} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// As a linked work tree has it.
	if err := os.WriteFile(filepath.Join(base, "repo", ".git"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(filepath.Join(base, "repo"), link); err != nil {
		t.Skip(err)
	}
	slash := filepath.ToSlash
	tests := []struct {
		name, dir, workspace, path, want string
	}{
		{"workspace", dir, filepath.Join(base, "repo", "sub"), "agents/a.yaml", "project/agents/a.yaml"},
		{"workspace by a link", dir, link, "a.yaml", "sub/project/a.yaml"},
		{"workspace elsewhere", dir, plain, "a.yaml", slash(filepath.Join(dir, "a.yaml"))},
		{"no absolute workspace", dir, "repo", "a.yaml", "sub/project/a.yaml"},
		{"git", dir, "", "a.yaml", "sub/project/a.yaml"},
		{"above the working folder", dir, "", "../a.yaml", "sub/a.yaml"},
		{"absolute", dir, "", slash(filepath.Join(base, "repo", "a.yaml")), "a.yaml"},
		{"outside", dir, "", slash(filepath.Join(plain, "a.yaml")), slash(filepath.Join(plain, "a.yaml"))},
		{"neither", plain, "", "agents/a.yaml", "agents/a.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &source.File{Path: tt.path, Text: "x"}
			options := report.Options{Dir: tt.dir, Getenv: func(name string) string {
				return map[string]string{"GITHUB_WORKSPACE": tt.workspace}[name]
			}}
			want := "::error file=" + tt.want + ",line=1,endLine=1,col=1,endColumn=2,title=schema-value::" + tt.want + ":1:1: this value will not do\n"
			if got := write(t, "github", result(finding(span(f, 0, 1), "")), options); got != want {
				t.Errorf("got  %swant %s", got, want)
			}
		})
	}
}
