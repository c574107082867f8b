package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"golang.org/x/tools/txtar"

	"github.com/gete-lint/gete/schema/source"
)

// libraryKeys are the keys that goccy/go-yaml finds in a text, with its
// positions, which are right for plain keys in a text without tabs, carriage
// returns, byte order marks, explicit keys and aliases. ok is false where it refuses the text.
func libraryKeys(text string) (keys []string, ok bool) {
	f, err := parser.ParseBytes([]byte(text), 0)
	if err != nil || len(f.Docs) != 1 || f.Docs[0].Body == nil {
		return nil, false
	}
	ast.Walk(visitor(func(n ast.Node) {
		if v, isField := n.(*ast.MappingValueNode); isField {
			at := v.Key.GetToken().Position
			keys = append(keys, fmt.Sprintf("%d:%d %s", at.Line, at.Column, v.Key.GetToken().Value))
		}
	}), f.Docs[0].Body)
	return keys, true
}

type visitor func(ast.Node)

func (v visitor) Visit(n ast.Node) ast.Visitor {
	v(n)
	return v
}

// ownKeys are the keys that this package finds where they are written.
func ownKeys(n *source.Node) []string {
	var keys []string
	for _, item := range n.Items {
		keys = append(keys, ownKeys(item)...)
	}
	for _, f := range n.Fields {
		if f.Key.Origin == nil {
			at := f.Key.Span().Start
			keys = append(keys, fmt.Sprintf("%d:%d %s", at.Line, at.Column, f.Key.Value))
		}
		if f.Value.Origin == nil {
			keys = append(keys, ownKeys(f.Value)...)
		}
	}
	return keys
}

var colonInside = regexp.MustCompile(`[a-z]:[a-z]`)

// TestAgreesWithLibrary compares keys and their positions with goccy/go-yaml's
// over every gete.yaml and agent.yaml of the project's cases that the library can
// read.
func TestAgreesWithLibrary(t *testing.T) {
	cases, err := filepath.Glob("../../testdata/cases/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, path := range cases {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			text := string(file.Data)
			// In brackets the library takes chat:write for a key and its value.
			if !strings.HasSuffix(file.Name, "agent.yaml") && !strings.HasSuffix(file.Name, "gete.yaml") || colonInside.MatchString(text) || strings.ContainsAny(text, "\t\r\ufeff?*") || strings.Contains(text, "<<") {
				continue
			}
			theirs, ok := libraryKeys(text)
			f := source.Parse(file.Name, text, source.Declarations)
			if !ok || f.Root == nil || len(f.Faults) > 0 {
				continue
			}
			compared++
			ours := ownKeys(f.Root)
			slices.Sort(ours)
			slices.Sort(theirs)
			if !slices.Equal(ours, theirs) {
				t.Errorf("%s of %s: got\n\t%s\nthe library has\n\t%s", file.Name, filepath.Base(path), strings.Join(ours, "\n\t"), strings.Join(theirs, "\n\t"))
			}
		}
	}
	if compared < 40 {
		t.Errorf("only %d files were compared", compared)
	}
}

// BenchmarkParse and BenchmarkLibrary read the same text, so that their ratio
// says how this reader compares.
func BenchmarkParse(b *testing.B) {
	text := benchmarkText()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		source.Parse("agent.yaml", text, source.Limits{Bytes: 1 << 30, Depth: 100, Nodes: 1 << 30})
	}
}

func BenchmarkLibrary(b *testing.B) {
	text := benchmarkText()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := parser.ParseBytes([]byte(text), 0); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkText() string {
	var b strings.Builder
	b.WriteString("tools:\n")
	for i := range 200 {
		fmt.Fprintf(&b, "  - mcp:\n      url: https://mcp%d.example.com/mcp # a comment\n      allow: [search, \"get_page\", 'list']\n      does_not: |\n        Does not\n        write.\n      params:\n        search: {scope: {value: handbook}, limit: {value: 25}}\n", i)
	}
	return b.String()
}
