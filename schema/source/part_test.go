package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/source"
)

// TestParsePart reads one field of a text where it stands, and holds all of it
// to what the whole text is read as. In a text, « and » are around the field and
// are taken out; a field inside braces names the one before it with ‹.
func TestParsePart(t *testing.T) {
	tests := []struct {
		name, text, pointer string
		depth               int
	}{
		{"a block mapping", "a: 1\n«b:\n  c: [d, e]\n»f: 2\n", "/b", 1},
		{"deeper, with a list indented as its key", "a:\n  «b:\n  - c: d\n\n  # e\n  - f\n»  g: h\n", "/a/b", 2},
		{"a block scalar that states its indentation", "a:\n  «b: |2+\n      c\n     d\n\n»  e: f\n", "/a/b", 2},
		{"no value", "a:\n  «b:\n»  c: d\n", "/a/b", 2},
		{"a value over lines, CRLF", "a:\r\n  «b: c\r\n    d\r\n\r\n    e # f\r\n»  g: \"h\"\r\n", "/a/b", 2},
		{"an anchor and its alias inside", "a: 1\n«b: [&x {c: d}, *x]\n»", "/b", 1},
		{"JSON", "‹{\"a\": 1, «\"b\" :\n {\"c\": [\"d\", 2.5, null]}\n», \"e\": {}}", "/b", 1},
		{"JSON of one line", "{\"a\":‹{«\"b\":{\"c\":{}}»}}", "/a/b", 2},
		{"a plain key with colons", "a: 1\n«b::c:: d\n»", "/b::c:", 1},
		{"a quoted key", "a: 1\n«'it''s\\u0041' : d\n»", "/it's\\u0041", 1},
		{"JSON, a scalar", "{\"a\":‹{«\"b\":12»,\"c\":\"d\"}}", "/a/b", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, part := cutMarks(tt.text)
			part.Depth = tt.depth
			whole := source.Parse("a.yaml", text, source.Descriptions)
			if len(whole.Faults) > 0 {
				t.Fatal(whole.Faults)
			}
			want := whole.Root
			for _, name := range strings.Split(tt.pointer, "/")[1:] {
				want = want.Get(name)
			}
			file := source.Unparsed("a.yaml", text)
			got, faults := file.ParsePart(part, source.Descriptions)
			if len(faults) > 0 || len(file.Faults) > 0 {
				t.Fatal(faults, file.Faults)
			}
			if a, b := flat(got.Key), flat(want.Key); !slices.Equal(a, b) {
				t.Errorf("the key is\n%v\nwant\n%v", a, b)
			}
			if a, b := flat(got.Value), flat(want); !slices.Equal(a, b) {
				t.Errorf("the value is\n%v\nwant\n%v", a, b)
			}
			key, faults := file.ParseKey(part.Start, got.Key.End+strings.Index(text[got.Key.End:], ":")+1, source.Descriptions)
			if len(faults) > 0 || !slices.Equal(flat(key), flat(want.Key)) || !key.IsKey() || key.File != file {
				t.Errorf("the key alone is %v with %v", flat(key), faults)
			}
			if got.Value.File != file || got.Value.Key != got.Key {
				t.Error("the value does not know its file and key")
			}
		})
	}
}

// cutMarks takes the marks out of a text, and is where they stood.
func cutMarks(marked string) (text string, part source.Part) {
	part.Open = -1
	for _, r := range marked {
		switch r {
		case '«':
			part.Start = len(text)
		case '»':
			part.End = len(text)
		case '‹':
			part.Open = len(text)
		default:
			text += string(r)
		}
	}
	return text, part
}

// flat lists a node and all in it, with what each is and where.
func flat(n *source.Node) []string {
	var lines []string
	var walk func(n *source.Node)
	walk = func(n *source.Node) {
		s := n.Span()
		lines = append(lines, strings.Join([]string{n.Kind.String(), n.Value, n.Written(), n.File.Text[n.Start:n.End]}, "|"),
			strings.Repeat(" ", s.Start.Offset)+"^")
		for _, item := range n.Items {
			walk(item)
		}
		for _, f := range n.Fields {
			walk(f.Key)
			walk(f.Value)
		}
	}
	walk(n)
	return lines
}

// TestParsePartFaults reads parts that cannot be read, or that are not one field.
func TestParsePartFaults(t *testing.T) {
	tests := []struct{ name, text, message string }{
		{"an unclosed quote", "a: 1\n«b: \"c\n»d: 1\"\n", "never closed"},
		{"an alias whose anchor is elsewhere", "a: &x 1\n«b: *x\n»", "no anchor"},
		{"two fields", "«a: 1\nb: 2\n»", "one key"},
		{"no field", "«- a\n»", "one key"},
		{"a second value", "‹{«\"a\": \"1\" \"b\"»}", "ended already"},
		{"too deep", "a:\n  «b: [[c]]\n»", "lie inside one another"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, part := cutMarks(tt.text)
			part.Depth = 1
			limits := source.Descriptions
			limits.Depth = 2
			got, faults := source.Unparsed("a.yaml", text).ParsePart(part, limits)
			if got.Value != nil || len(faults) == 0 || !strings.Contains(faults[0].Message, tt.message) {
				t.Fatalf("read as %+v with %+v, want a fault with %q", got, faults, tt.message)
			}
		})
	}
}

func TestParseKeyFault(t *testing.T) {
	text := "\"a\\q\": 1\n"
	key, faults := source.Unparsed("a.yaml", text).ParseKey(0, strings.Index(text, ":"), source.Descriptions)
	if key != nil || len(faults) != 1 || !strings.Contains(faults[0].Message, "no escape") {
		t.Fatalf("read as %v with %v", key, faults)
	}
}

func TestUnparsedCharacters(t *testing.T) {
	f := source.Unparsed("a.json", "{\"a\": \"\x01\"}")
	if len(f.Faults) != 1 || f.Faults[0].Start != 7 {
		t.Fatalf("faults %+v", f.Faults)
	}
}
