package source_test

import (
	"testing"

	"github.com/gete-lint/gete/schema/source"
)

// FuzzParse reads arbitrary text: nothing may panic or hang, and every place
// must lie inside the text, in order.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: [c, {d: e}]\n", "- &x {a: b}\n- *x\n- <<: *x\n", "a: |+2\n   x\n\n b\n", "? a\n: >-\n  b\n",
		"\ufeff{\"a\":\"\\ud83d\\ude00\",'b':~}\r\n", "%YAML 1.2\n---\n!!str a: !!int 1\n...\n", "a:\n\t- b\n", "[? a : b, c: , \"d\":e]",
		"a: \"x\\\n  y\n\n  z\"\n", "--- |\n a\n---\nb", "a:\n- b\n- - c\n  - d: e\n    f: g\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if source.CheckText([]byte(text)) != nil {
			return
		}
		file := source.Parse("a.yaml", text, source.Declarations)
		inside := func(start, end int) {
			if start < 0 || end < start || end > len(text) {
				t.Fatalf("a place from %d to %d in a text of %d bytes", start, end, len(text))
			}
			s := file.Span(start, end)
			if s.Start.Line < 1 || s.Start.Column < 1 || s.End.Line > file.Lines() || s.End.Line < s.Start.Line {
				t.Fatalf("the span %+v", s)
			}
		}
		for _, fault := range file.Faults {
			inside(fault.Start, fault.End)
			if fault.Message == "" {
				t.Fatal("a fault without a message")
			}
		}
		for _, c := range file.Comments {
			inside(c.Start, c.End)
		}
		if file.Root == nil {
			if len(file.Faults) == 0 {
				t.Fatal("neither a document nor a fault")
			}
			return
		}
		var walk func(n *source.Node)
		walk = func(n *source.Node) {
			inside(n.Start, n.End)
			_ = n.Pointer()
			_ = n.Written()
			for _, item := range n.Items {
				if item.Parent != n {
					t.Fatal("an item of another parent")
				}
				walk(item)
			}
			for _, field := range n.Fields {
				if field.Key.Parent != n || field.Value.Key != field.Key {
					t.Fatal("a field that does not know its place")
				}
				walk(field.Key)
				walk(field.Value)
			}
		}
		walk(file.Root)
	})
}
