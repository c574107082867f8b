package narrow_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gete-lint/gete/rules/narrow"
)

// TestJudge judges arguments by schemas, also by such as say nothing.
func TestJudge(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for _, test := range []struct {
		name, schema, a, want string
		unsound               bool // the schema is none to judge with
	}{
		{"taken", `{"properties":{"a":{"type":"string"}}}`, `"x"`, "", false},
		{"refused", `{"properties":{"a":{"type":"string"}}}`, `1`, "`a`: got number, want string", false},
		{"refused within", `{"properties":{"a":{"items":{"type":"string"}}}}`, `["x",null]`, "`a.1`: got null, want string", false},
		{"digits are kept", `{"properties":{"a":{"const":12345678901234567890}}}`, `12345678901234567891`, "`a`: value must be 12345678901234567890", false},
		{"a schema that cannot be compiled", `{"properties":{"a":{"type":"strnig"}}}`, `1`, "", true},
		{"a reference that leads to itself", `{"properties":{"a":{"$ref":"#/properties/a"}}}`, `1`, "", false},
		{"a reference to elsewhere", `{"properties":{"a":{"$ref":"https://example.com/a.json"}}}`, `1`, "", true},
		{"a number too large", `{"properties":{"a":{"type":"number"}}}`, `1e999999999`, "hold a number too large to be worked with", false},
		{"a number too long", `{"properties":{"a":{"multipleOf":3}}}`, strings.Repeat("3", 1000), "hold a number too large to be worked with", false},
		{"too many values", `{"properties":{"a":{"items":{"type":"string"}}}}`, "[0" + strings.Repeat(",0", 100_000) + "]", "hold more than 100000 values", false},
		{"branches that double with each level", `{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[{"items":{"$ref":"#/$defs/x"}},{"items":{"$ref":"#/$defs/x"}}],"not":{"const":0}}}}`, strings.Repeat("[", 60) + "0" + strings.Repeat("]", 60), "whether they are right cannot be told within 1000000 steps", false},
		{"a key that is there twice", `{"properties":{"a":{"properties":{"b":{"const":1}}}}}`, `{"b":1,"b":2}`, "`a.b`: value must be 1", false},
		{"too deep", `{"type":"object"}`, deep, "are nested more than 200 levels deep", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := narrow.Tool(narrow.Listed{Name: "t", InputSchema: json.RawMessage(test.schema)}, narrow.Declaration{})
			args, got := narrow.Arguments(json.RawMessage(`{"a":` + test.a + `}`))
			if got == "" {
				judge, err := narrow.NewJudge(n.Schema)
				if (err != nil) != test.unsound {
					t.Error(err)
				}
				got = judge.Refuses(args)
			}
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}
