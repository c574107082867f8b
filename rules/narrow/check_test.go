package narrow_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gete-lint/gete/rules/narrow"
)

// TestCheck judges arguments by schemas, also by such as say nothing.
func TestCheck(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for _, test := range []struct{ name, schema, a, want string }{
		{"taken", `{"properties":{"a":{"type":"string"}}}`, `"x"`, ""},
		{"refused", `{"properties":{"a":{"type":"string"}}}`, `1`, "`a`: got number, want string"},
		{"refused within", `{"properties":{"a":{"items":{"type":"string"}}}}`, `["x",null]`, "`a.1`: got null, want string"},
		{"digits are kept", `{"properties":{"a":{"const":12345678901234567890}}}`, `12345678901234567891`, "`a`: value must be 12345678901234567890"},
		{"a schema that cannot be compiled", `{"properties":{"a":{"type":"strnig"}}}`, `1`, ""},
		{"a reference that leads to itself", `{"properties":{"a":{"$ref":"#/properties/a"}}}`, `1`, ""},
		{"a reference to elsewhere", `{"properties":{"a":{"$ref":"https://example.com/a.json"}}}`, `1`, ""},
		{"a number too large", `{"properties":{"a":{"type":"number"}}}`, `1e999999999`, "`a` holds a number too large to be worked with"},
		{"a number too long", `{"properties":{"a":{"multipleOf":3}}}`, strings.Repeat("3", 1000), "`a` holds a number too large to be worked with"},
		{"too many values", `{"properties":{"a":{"items":{"type":"string"}}}}`, "[0" + strings.Repeat(",0", 100_000) + "]", "the arguments hold more than 100000 values"},
		{"too deep", `{"type":"object"}`, deep, "`a` is nested more than 200 levels deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := narrow.Tool(narrow.Listed{Name: "t", InputSchema: json.RawMessage(test.schema)}, narrow.Declaration{})
			if got := narrow.NewCheck(n.Schema).Refuses(map[string]json.RawMessage{"a": json.RawMessage(test.a)}); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}
