package narrow_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gete-lint/gete/rules/narrow"
)

func TestTool(t *testing.T) {
	t.Parallel()
	fixed := func(name string, value any, only ...string) narrow.Declaration {
		return narrow.Declaration{Fixed: map[string]any{name: value}, Only: only, Bounded: len(only) > 0}
	}
	bounded := func(only ...string) narrow.Declaration { return narrow.Declaration{Only: only, Bounded: true} }
	for _, test := range []struct {
		name, schema string
		declared     narrow.Declaration
		want         string // the narrowed schema, or "withheld: " and the arguments it is for
	}{
		{"nothing said", `{"properties": {"a": {"maximum": 12345678901234567890}}}`, narrow.Declaration{}, `{"properties": {"a": {"maximum": 12345678901234567890}}}`},
		{"null", `null`, bounded("a"), "malformed"},
		{"null properties", `{"type": "object", "properties": null}`, bounded("a"), `{"type": "object", "properties": {}, "additionalProperties": false}`},
		{"no type", `{"properties": {"a": {}, "b": {}}}`, bounded("a"), `{"type": "object", "properties": {"a": {}}, "additionalProperties": false}`},
		{"fixed alone", `{"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]}`, fixed("a", "x"), `{"type": "object", "properties": {"b": {}}, "required": ["b"]}`},
		{"fixed and unknown", `{"type": "object", "properties": {"b": {}}}`, fixed("a", "x"), "withheld: a"},
		{"required, not declared", `{"type": "object", "required": ["b"]}`, bounded("a"), "withheld: b"},
		{"required by every branch", `{"anyOf": [{"required": ["b", "c"]}, {"required": ["b"]}]}`, bounded("a"), "withheld: b"},
		{"required by one branch", `{"properties": {"a": {}}, "anyOf": [{"required": ["b"]}, {"required": ["a"]}]}`, bounded("a"), `{"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}], "additionalProperties": false}`},
		{"no branch left", `{"anyOf": [{"required": ["b", "c"]}, {"required": ["d"]}]}`, bounded("a"), "withheld: d"},
		{"fixed discriminator", `{"properties": {"kind": {}}, "oneOf": [{"properties": {"kind": {"const": "x"}, "a": {}}, "required": ["a"]}, {"properties": {"kind": {"const": "y"}, "b": {}}, "required": ["b"]}]}`, fixed("kind", "x", "a"), `{"type": "object", "properties": {"a": {}}, "allOf": [{"anyOf": [{"properties": {"a": {}}, "required": ["a"]}]}], "additionalProperties": false}`},
		{"behind a reference", `{"$ref": "#/$defs/all", "$defs": {"all": {"properties": {"a": {}, "b": {}}}}}`, bounded("a"), `{"type": "object", "allOf": [{"properties": {"a": {}}}], "properties": {"a": {}}, "additionalProperties": false}`},
		{"references in a circle", `{"$ref": "#/$defs/x", "$defs": {"x": {"allOf": [{"$ref": "#/$defs/x"}], "properties": {"a": {}}}}}`, bounded("a"), `{"type": "object", "allOf": [{"properties": {"a": {}}}], "properties": {"a": {}}, "additionalProperties": false}`},
		{"a value of the whole's shape", `{"type": "object", "properties": {"a": {"$ref": "#"}, "b": {}}}`, bounded("a"), `{"type": "object", "properties": {"a": {"$ref": "#/$defs/whole"}}, "additionalProperties": false, "$defs": {"whole": {"type": "object", "properties": {"a": {"$ref": "#/$defs/whole"}, "b": {}}}}}`},
		{"a definition named whole", `{"type": "object", "properties": {"a": {"$ref": "#"}, "c": {"$ref": "#/$defs/whole"}}, "$defs": {"whole": {"type": "string"}, "other": {}}}`, bounded("c", "a"), `{"type": "object", "properties": {"a": {"$ref": "#/$defs/whole_"}, "c": {"$ref": "#/$defs/whole"}}, "additionalProperties": false, "$defs": {"whole": {"type": "string"}, "whole_": {"type": "object", "properties": {"a": {"$ref": "#/$defs/whole_"}, "c": {"$ref": "#/$defs/whole"}}}}}`},
		{"escaped references", `{"type": "object", "properties": {"a": {"$ref": "#/$defs/x%20y~1z/items"}}, "$defs": {"x y/z": {"items": {"type": "string"}}}}`, bounded("a"), `{"type": "object", "properties": {"a": {"$ref": "#/$defs/x%20y~1z/items"}}, "additionalProperties": false, "$defs": {"x y/z": {"items": {"type": "string"}}}}`},
		{"arguments named like keywords", `{"type": "object", "properties": {"default": {"$ref": "#/definitions/x"}, "$ref": {"enum": [{"$ref": "#"}]}}, "definitions": {"x": {"type": "string"}}}`, bounded("default", "$ref"), `{"type": "object", "properties": {"default": {"$ref": "#/definitions/x"}, "$ref": {"enum": [{"$ref": "#"}]}}, "additionalProperties": false, "definitions": {"x": {"type": "string"}}}`},
		{"a not that is kept", `{"properties": {"a": {}}, "not": {"required": ["a"]}}`, bounded("a"), `{"type": "object", "properties": {"a": {}}, "not": {"required": ["a"]}, "additionalProperties": false}`},
		{"a pattern", `{"patternProperties": {"^a": {"type": "string"}}}`, bounded("a", "b"), `{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}`},
		{"a dependency of what is fixed", `{"properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}}`, fixed("a", true, "b"), `{"type": "object", "properties": {"b": {}}, "allOf": [{"required": ["b"]}], "additionalProperties": false}`},
		{"a condition that is settled", `{"properties": {"a": {}, "b": {}}, "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}`, fixed("a", 1, "b"), `{"type": "object", "properties": {"b": {}}, "allOf": [{"required": ["b"]}], "additionalProperties": false}`},
		{"names taken literally", `{"properties": {"x.y": {}, "__proto__": {}, "X.y": {}}}`, bounded("x.y", "__proto__"), `{"type": "object", "properties": {"x.y": {}, "__proto__": {}}, "additionalProperties": false}`},
		{"nested too deep", strings.Repeat(`{"not":`, 5000) + "{}" + strings.Repeat("}", 5000), bounded("a"), "malformed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := narrow.Tool(narrow.Listed{Name: "t", InputSchema: json.RawMessage(test.schema)}, test.declared)
			var got string
			switch {
			case n.Malformed:
				got = "malformed"
			case !n.Offered():
				got = "withheld: " + strings.Join(append(n.FixedUnknown, n.Required...), ", ")
			default:
				text, err := json.Marshal(n.Schema)
				if err != nil {
					t.Fatal(err)
				}
				got = string(text)
			}
			if !strings.HasPrefix(test.want, "{") {
				if got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
				return
			}
			if diff := cmp.Diff(decode(t, test.want), decode(t, got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}
