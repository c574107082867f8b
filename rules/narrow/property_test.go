package narrow_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gete-lint/gete/rules/narrow"
)

// The arguments that random schemas, declarations and calls are made of.
var arguments = []string{"a", "b", "c", "d", "x.y", "__proto__"}

// A maker makes random things, the same for the same seed.
type maker struct{ *rand.Rand }

func (m maker) some() []string {
	return slices.DeleteFunc(slices.Clone(arguments), func(string) bool { return m.IntN(2) == 0 })
}

func (m maker) leaf() any {
	switch m.IntN(6) {
	case 0:
		return map[string]any{"type": "string"}
	case 1:
		return map[string]any{"type": "integer"}
	case 2:
		return map[string]any{"enum": []any{"u", "v"}}
	case 3:
		return map[string]any{"const": "u"}
	case 4:
		return map[string]any{"$ref": "#/$defs/leaf"}
	}
	return true
}

// schema is a random schema of arguments, its parts at most depth deep.
func (m maker) schema(depth int) map[string]any {
	s := map[string]any{}
	if m.IntN(4) > 0 {
		properties := map[string]any{}
		for _, name := range m.some() {
			properties[name] = m.leaf()
		}
		s["properties"] = properties
	}
	if m.IntN(3) == 0 {
		s["required"] = anys(m.some()[:m.IntN(2)])
	}
	if m.IntN(6) == 0 {
		s["dependentRequired"] = map[string]any{arguments[m.IntN(4)]: anys([]string{arguments[m.IntN(4)]})}
	}
	if depth == 0 {
		return s
	}
	part := func() any { return m.schema(depth - 1) }
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		if m.IntN(4) == 0 {
			s[keyword] = []any{part(), part()}
		}
	}
	if m.IntN(5) == 0 {
		s["if"], s["then"], s["else"] = part(), part(), part()
	}
	if m.IntN(6) == 0 {
		s["dependentSchemas"] = map[string]any{arguments[m.IntN(4)]: part()}
	}
	if m.IntN(8) == 0 {
		s["patternProperties"] = map[string]any{"^[ab]$": m.leaf()}
	}
	if m.IntN(8) == 0 {
		s["not"] = part()
	}
	if m.IntN(6) == 0 {
		s["$ref"] = "#/$defs/part"
	}
	return s
}

func anys(names []string) []any {
	list := []any{}
	for _, name := range names {
		list = append(list, name)
	}
	return list
}

func (m maker) value() any { return []any{"u", "v", "w", json.Number("1"), true}[m.IntN(5)] }

func encode(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestNarrowLeavesNoRoadOpen holds the narrowed schema to what it is for, over
// random schemas, declarations and calls: a call that it takes has no argument but
// those that the model may write; and what the server takes of such a call, with the
// fixed values beside it, the narrowed schema takes, too.
func TestNarrowLeavesNoRoadOpen(t *testing.T) {
	t.Parallel()
	offered, taken := 0, 0
	for seed := range uint64(2_000) {
		m := maker{rand.New(rand.NewPCG(seed, 1))}
		root := m.schema(2)
		root["type"] = "object"
		if m.IntN(4) == 0 {
			root["allOf"] = []any{map[string]any{"$ref": "#/$defs/part"}, m.schema(1)}
		}
		root["$defs"] = map[string]any{
			"leaf": map[string]any{"enum": []any{"u", json.Number("1")}}, "part": m.schema(0),
		}
		d := narrow.Declaration{Fixed: map[string]any{}, Bounded: true, Only: m.some()}
		for _, name := range m.some() {
			if !slices.Contains(d.Only, name) && m.IntN(2) == 0 {
				d.Fixed[name] = m.value()
			}
		}
		raw := encode(t, root)
		n := narrow.Tool(narrow.Listed{Name: "t", InputSchema: raw}, d)
		if !bytes.Equal(raw, encode(t, root)) {
			t.Fatalf("seed %d: the server's schema was changed", seed)
		}
		if !n.Offered() {
			continue
		}
		offered++
		shown, err := narrow.NewJudge(n.Schema)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, encode(t, n.Schema))
		}
		server, err := narrow.NewJudge(root)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, raw)
		}
		for range 12 {
			written, sent := map[string]any{}, map[string]any{}
			for _, name := range arguments {
				if m.IntN(2) == 0 {
					written[name] = m.value()
				}
			}
			if shown.Validate(written) == nil {
				for name := range written {
					if !slices.Contains(d.Only, name) {
						t.Fatalf("seed %d: %q can be written\n%s\n%v\n%s", seed, name, raw, d, encode(t, n.Schema))
					}
				}
			}
			for name := range written {
				if !slices.Contains(d.Only, name) || !slices.Contains(n.Arguments, name) {
					delete(written, name) // what the schema does not declare stays closed
					continue
				}
				sent[name] = written[name]
			}
			for name, value := range d.Fixed {
				sent[name] = value
			}
			if server.Validate(sent) != nil {
				continue
			}
			taken++
			if err := shown.Validate(written); err != nil {
				t.Fatalf("seed %d: the server takes %v and it cannot be written: %v\n%s\n%v\n%s", seed, fmt.Sprint(sent), err, raw, d, encode(t, n.Schema))
			}
		}
	}
	if offered < 200 || taken < 500 {
		t.Errorf("only %d tools were offered and %d calls taken: the test tries nothing", offered, taken)
	}
}
