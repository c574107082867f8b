package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/source"
)

// places lists every key, value and item of a tree with its pointer and span:
// "k" for a key, "v" for a value or item.
func places(n *source.Node) []string {
	var lines []string
	var walk func(n *source.Node)
	add := func(mark string, n *source.Node) {
		s := n.Span()
		lines = append(lines, fmt.Sprintf("%s %s %d:%d-%d:%d", mark, n.Pointer(), s.Start.Line, s.Start.Column, s.End.Line, s.End.Column))
	}
	walk = func(n *source.Node) {
		add("v", n)
		for _, item := range n.Items {
			walk(item)
		}
		for _, f := range n.Fields {
			add("k", f.Key)
			walk(f.Value)
		}
	}
	walk(n)
	return lines
}

// TestPositions holds start and end of keys and values to what a reader counts,
// in every style. The rows named after a fault of goccy/go-yaml 1.19.2 are ones
// that library gets wrong.
func TestPositions(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"goccy: a block mapping begins at its colon", "a:\n  b: 1\n", `
			v  1:1-2:7 | k /a 1:1-1:2 | v /a 2:3-2:7 | k /a/b 2:3-2:4 | v /a/b 2:6-2:7`},
		{"goccy: CRLF after a comment counts twice", "# c\r\n# d\r\na: 1\r\n", `
			v  3:1-3:5 | k /a 3:1-3:2 | v /a 3:4-3:5`},
		{"goccy: CRLF in a quoted scalar counts twice", "a: \"x\r\n  y\"\r\nb: 2\r\n", `
			v  1:1-3:5 | k /a 1:1-1:2 | v /a 1:4-2:5 | k /b 3:1-3:2 | v /b 3:4-3:5`},
		{"lone CR", "a: 1\rb: 2\r", `
			v  1:1-2:5 | k /a 1:1-1:2 | v /a 1:4-1:5 | k /b 2:1-2:2 | v /b 2:4-2:5`},
		{"goccy: a byte order mark is part of the first key", "\ufeffa: 1\n", `
			v  1:1-1:5 | k /a 1:1-1:2 | v /a 1:4-1:5`},
		{"goccy: a byte order mark before a comment is refused", "\ufeff# c\na: 1\n", `
			v  2:1-2:5 | k /a 2:1-2:2 | v /a 2:4-2:5`},
		{"goccy: a byte order mark makes a list a string", "\ufeff- a\n", `
			v  1:1-1:4 | v /0 1:3-1:4`},
		{"goccy: a tab behind the colon is no column", "a:\t1\n", `
			v  1:1-1:5 | k /a 1:1-1:2 | v /a 1:4-1:5`},
		{"goccy: blanks behind a scalar push it right", "a: b   \nc: 'd'  # e\n", `
			v  1:1-2:7 | k /a 1:1-1:2 | v /a 1:4-1:5 | k /c 2:1-2:2 | v /c 2:4-2:7`},
		{"goccy: flow content behind a tag is one less", "a: !!seq [b]\n", `
			v  1:1-1:13 | k /a 1:1-1:2 | v /a 1:10-1:13 | v /a/0 1:11-1:12`},
		{"goccy: a tab in double quotes eats what follows", "a: \"x\ty\"\nb: 2\n", `
			v  1:1-2:5 | k /a 1:1-1:2 | v /a 1:4-1:9 | k /b 2:1-2:2 | v /b 2:4-2:5`},
		{"goccy: a missing value is behind the colon", "a:\nb:  \n", `
			v  1:1-2:3 | k /a 1:1-1:2 | v /a 1:3-1:3 | k /b 2:1-2:2 | v /b 2:3-2:3`},
		{"goccy: the body of a block scalar has no reliable place", "a: |\n  x\n  y\nb: >-\n\n  z\n\n", `
			v  1:1-6:4 | k /a 1:1-1:2 | v /a 1:4-3:4 | k /b 4:1-4:2 | v /b 4:4-6:4`},
		{"goccy: an explicit key is its question mark", "? a\n: 1\n", `
			v  1:1-2:4 | k /a 1:3-1:4 | v /a 2:3-2:4`},
		{"wide characters are one column each", "検索: 問い\n🔎: [é, e\u0301]\n", `
			v  1:1-2:11 | k /検索 1:1-1:3 | v /検索 1:5-1:7 | k /🔎 2:1-2:2 | v /🔎 2:4-2:11 | v /🔎/0 2:5-2:6 | v /🔎/1 2:8-2:10`},
		{"NEL, LS and PS end no line", "a: x\u0085y\u2028z\u2029\nb: 1\n", `
			v  1:1-2:5 | k /a 1:1-1:2 | v /a 1:4-1:10 | k /b 2:1-2:2 | v /b 2:4-2:5`},
		{"flow, nested and over lines", "{a: [1,\n 'b' , {c: }], \"d\":2}", `
			v  1:1-2:22 | k /a 1:2-1:3 | v /a 1:5-2:14 | v /a/0 1:6-1:7 | v /a/1 2:2-2:5 | v /a/2 2:8-2:13 |
			k /a/2/c 2:9-2:10 | v /a/2/c 2:11-2:11 | k /d 2:16-2:19 | v /d 2:20-2:21`},
		{"a list indented as its key", "a:\n- b\n-\n- - c\n", `
			v  1:1-4:6 | k /a 1:1-1:2 | v /a 2:1-4:6 | v /a/0 2:3-2:4 | v /a/1 3:1-3:2 | v /a/2 4:3-4:6 | v /a/2/0 4:5-4:6`},
		{"a plain scalar over lines", "a: b\n  c\n\n  d # e\n", `
			v  1:1-4:4 | k /a 1:1-1:2 | v /a 1:4-4:4`},
		{"an alias is where it is written", "a: &x [1]\nb: *x\n", `
			v  1:1-2:6 | k /a 1:1-1:2 | v /a 1:7-1:10 | v /a/0 1:8-1:9 | k /b 2:1-2:2 | v /b 2:4-2:6 | v /b/0 2:4-2:6`},
		{"what a merge key brings in is where its alias is", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  p: 3\n", `
			v  1:1-4:7 | k /a 1:1-1:2 | v /a 1:7-1:19 | k /a/p 1:8-1:9 | v /a/p 1:11-1:12 | k /a/q 1:14-1:15 | v /a/q 1:17-1:18 |
			k /b 2:1-2:2 | v /b 3:3-4:7 | k /b/p 4:3-4:4 | v /b/p 4:6-4:7 | k /b/q 3:7-3:9 | v /b/q 3:7-3:9`},
		{"JSON", "{\n\t\"a\": {\"b/~\":[true,null]}\n}\n", `
			v  1:1-3:2 | k /a 2:2-2:5 | v /a 2:7-2:26 | k /a/b~1~0 2:8-2:13 | v /a/b~1~0 2:14-2:25 | v /a/b~1~0/0 2:15-2:19 | v /a/b~1~0/1 2:20-2:24`},
		{"an empty text", "", `v  1:1-1:1`},
		{"only comments", "# a\n# b\n", `v  1:1-1:1`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := source.Parse("a.yaml", test.text, source.Declarations)
			if len(f.Faults) > 0 {
				t.Fatalf("%+v", f.Faults)
			}
			want := strings.Split(strings.Join(strings.Fields(strings.ReplaceAll(test.want, "v  ", "v - ")), " "), " | ")
			got := places(f.Root)
			for i := range got {
				got[i] = strings.Replace(got[i], "v  ", "v - ", 1)
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
		})
	}
}

// TestOffsets holds the byte offsets to the text they are offsets in.
func TestOffsets(t *testing.T) {
	text := "\ufeffa: 日本\r\n# c 🔎\r\nb: [\"x\", y]\r\n"
	f := source.Parse("a.yaml", text, source.Declarations)
	for pointer, want := range map[string]string{"a": "日本", "b": `["x", y]`} {
		n := f.Root.Get(pointer)
		span := n.Span()
		if got := text[span.Start.Offset:span.End.Offset]; got != want {
			t.Errorf("%s is %q", pointer, got)
		}
	}
	if len(f.Comments) != 1 || f.CommentText(f.Comments[0]) != "# c 🔎" || !f.Comments[0].Alone {
		t.Errorf("comments %+v", f.Comments)
	}
}

// TestComments tells comments from text that looks like one.
func TestComments(t *testing.T) {
	text := "# one\na: b # two\nc: 'd # no' # three\ne: |\n  # no\n  x\nf: [ # four\n  g#no, \"# no\"] # five\nh: > # six\n  # no\n"
	f := source.Parse("a.yaml", text, source.Declarations)
	var got []string
	for _, c := range f.Comments {
		got = append(got, fmt.Sprintf("%s %v", f.CommentText(c), c.Alone))
	}
	want := "# one true|# two false|# three false|# four false|# five false|# six false"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s with faults %+v", strings.Join(got, "|"), f.Faults)
	}
}

// TestColumnsOfLongLines counts columns far into a line that the index of code
// points has several blocks of.
func TestColumnsOfLongLines(t *testing.T) {
	text := "a: 1\n" + strings.Repeat("日x", 5000) + ": 2\n"
	f := source.Parse("a.yaml", text, source.Declarations)
	for i, offset := range []int{5, 5 + 4*1000, 5 + 4*5000} {
		want := source.Position{Line: 2, Column: []int{1, 2001, 10001}[i], Offset: offset}
		if got := f.Position(offset); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}
