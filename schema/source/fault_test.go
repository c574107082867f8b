package source_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gete-lint/gete/schema/source"
)

// TestFaultPositions holds each fault to the token that is wrong. The ^ in a
// text marks where, and is taken out before the text is read.
func TestFaultPositions(t *testing.T) {
	tests := []struct {
		name, text string
		message    string // a part of it
	}{
		{"unclosed double quote", "a: ^\"b\nc: d\n", "never closed"},
		{"unclosed single quote", "a: 1\nb: ^'it\n", "never closed"},
		{"unclosed quote before another", "a: ^\"b\nc: \"d\"\n", "never closed"},
		{"unclosed bracket at the end", "a: ^[b, c\n", "never closed"},
		{"unclosed bracket before the next key", "a:\n  b: ^[c, d\n  e: f\n", "never closed"},
		{"unclosed brace inside brackets", "a: [^{b: c]\n", "never closed"},
		{"unclosed inner bracket", "a: {b: {c: ^[d\n", "never closed"},
		{"second colon", "a: Use it when^: the user asks\n", "not quoted"},
		{"second colon on a further line", "a: b\n  c^: d\n", "not quoted"},
		{"second colon in a list item", "- a: b^: c\n", "not quoted"},
		{"tab as indentation", "a:\n^\tb: 1\n", "tab"},
		{"tab behind spaces", "a:\n  b: 1\n  ^\tc: 1\n", "tab"},
		{"tab before a list", "a:\n^\t- b\n", "tab"},
		{"tab behind a dash", "-^\ta: 1\n", "tab"},
		{"unknown alias", "a: ^*b\n", "no anchor"},
		{"alias before its anchor", "a: ^*b\nc: &b d\n", "no anchor"},
		{"alias inside its own anchor", "a: &b [1, ^*b]\n", "its own anchor"},
		{"lone star", "a: ^*\n", "name"},
		{"key without a colon", "a: 1\n^b\nc: 2\n", "key is expected"},
		{"wrong indentation", "a:\n    b: 1\n  ^c: 2\n", "indentation"},
		{"list item beside a key", "a: 1\n^- b\n", ""},
		{"list on the line of its key", "a: ^- b\n", "list item"},
		{"text behind a quote", "a: 'it'^s'\n", "ended already"},
		{"text behind a bracket", "a: [b] ^c\n", "ended already"},
		{"bracket that closes nothing", "a: ^}\n", "opened"},
		{"missing comma in a map", "{x: 1 y^: 2}\n", ""},
		{"dash inside brackets", "[^- 1]\n", "brackets"},
		{"reserved character", "a: ^@b\n", "@"},
		{"percent", "a: ^%b\n", "%"},
		{"bad escape", "a: \"x^\\q\"\n", "escape"},
		{"bad hexadecimal", "a: \"^\\xZZ\"\n", "hexadecimal"},
		{"half a surrogate pair", "a: \"^\\ud83d\"\n", "character"},
		{"NUL", "a: b^\x00\n", "U+0000"},
		{"control character", "a: \"^\x1b[0m\"\n", "U+001B"},
		{"content behind the end mark", "a: 1\n... ^b\n", "..."},
		{"tag that the value is not", "a: !!int ^foo\n", "tag"},
		{"unknown tag", "a: ^!include b.yaml\n", "tag"},
		{"merge of a scalar", "a:\n  <<: ^5\n", "merge"},
		{"block scalar in brackets", "a: [^| ]\n", "brackets"},
		{"comment without a space", "a: \"b\"^#c\n", "space"},
		{"directive without a document", "%YAML 1.2\n^a: 1\n", "---"},
		{"second document", "a: 1\n^---\nb: 2\n", "second document"},
		{"second document behind an end mark", "a: 1\n...\n^b: 2\n", "second document"},
		{"repeated key", "a: 1\n^a: 2\n", "twice"},
		{"repeated key in another style", "{a: 1, ^\"a\": 2}\n", "twice"},
		{"repeated merge key", "x: &x {a: 1}\ny:\n  <<: *x\n  ^<<: *x\n", "twice"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			mark := strings.Index(test.text, "^")
			text := test.text[:mark] + test.text[mark+1:]
			f := source.Parse("a.yaml", text, source.Declarations)
			if len(f.Faults) != 1 {
				t.Fatalf("%d faults: %+v", len(f.Faults), f.Faults)
			}
			fault := f.Faults[0]
			if fault.Start != mark || !strings.Contains(fault.Message, test.message) {
				t.Errorf("at %v instead of %v: %s", f.Position(fault.Start), f.Position(mark), fault.Message)
			}
			if fault.End < fault.Start || fault.End > len(text)+1 {
				t.Errorf("it ends at %d of %d", fault.End, len(text))
			}
		})
	}
}

// TestBounds reads what is made to exhaust a reader. Each must be refused, at a
// token, before it costs much.
func TestBounds(t *testing.T) {
	indented := func(levels int) string {
		var b strings.Builder
		for i := range levels {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	aliases := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	merges := "a0: &a0 {k0: x}\n"
	for i := 1; i < 30; i++ {
		refs := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", ")
		aliases += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, refs)
		merges += fmt.Sprintf("a%d: &a%d {<<: [%s], k%d: *a%d}\n", i, i, refs, i, i-1)
	}
	var keys, documents strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for range 20_000 {
		documents.WriteString("---\na: 1\n")
	}
	deep := "a: &a " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "\nb: " + strings.Repeat("[", 60) + "*a" + strings.Repeat("]", 60) + "\n"
	tests := map[string]struct {
		text string
		code source.Code
	}{
		"100,000 open brackets":    {strings.Repeat("[", 100_000), source.Syntax},
		"100,000 closed brackets":  {strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), source.Syntax},
		"100,000 open braces":      {strings.Repeat("{a: ", 100_000), source.Syntax},
		"100,000 dashes":           {strings.Repeat("- ", 100_000), source.Syntax},
		"100,000 question marks":   {strings.Repeat("? ", 100_000), source.Syntax},
		"3,000 levels of keys":     {indented(3000), source.Syntax},
		"100,000 keys":             {keys.String(), source.Syntax},
		"20,000 documents":         {documents.String(), source.Documents},
		"alias bomb":               {aliases, source.Syntax},
		"merge bomb":               {merges, source.Syntax},
		"aliases nested too deep":  {deep, source.Syntax},
		"a megabyte of anchors":    {strings.Repeat("&a ", 350_000), source.Syntax},
		"a megabyte of tags":       {strings.Repeat("!a ", 350_000), source.Syntax},
		"an unclosed quote":        {"\"" + strings.Repeat("a ", 1<<20), source.Syntax},
		"an unclosed quoted block": {"a: \"" + strings.Repeat("\n  b", 1<<19), source.Syntax},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			f := source.Parse("a.yaml", test.text, source.Declarations)
			if len(f.Faults) == 0 {
				t.Fatal("accepted")
			}
			fault := f.Faults[len(f.Faults)-1]
			if fault.Code != test.code {
				t.Errorf("fault %q", fault.Message)
			}
			t.Logf("%v: %s", time.Since(begin), fault.Message)
		})
	}
	// This one is right, and must not cost more than its size.
	text := "a: \"" + strings.Repeat("\t", 50_000) + "\"\nb: 1\n"
	f := source.Parse("a.yaml", text, source.Declarations)
	if len(f.Faults) != 0 || len(f.Root.Get("a").Value) != 50_000 {
		t.Errorf("50,000 tabs: %+v", f.Faults)
	}
}

func TestCheckText(t *testing.T) {
	for text, want := range map[string]string{
		"a: é":            "",
		"a: \xff":         "byte 4 is 0xff",
		"\xff\xfea\x00":   "UTF-16",
		"a: \xed\xa0\x80": "byte 4 is 0xed", // a surrogate half
	} {
		err := source.CheckText([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
