package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
)

// schemaOf is the schema of the body of an operation, written in flow style.
func schemaOf(t *testing.T, version, schema string) *openapi.Schema {
	t.Helper()
	text := "openapi: " + version + `
paths:
  /a:
    post:
      operationId: a
      requestBody:
        content:
          application/json:
            schema: ` + schema + `
components:
  schemas:
    Pet: {type: object, required: [name, id], properties: {name: {type: string}, id: {type: integer, readOnly: true}}}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {name: {maxLength: 3}, bark: {type: boolean}}}]}
    Tree: {type: object, properties: {tree: {$ref: '#/components/schemas/Tree'}, trees: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
    Loop: {$ref: '#/components/schemas/Loop2'}
    Loop2: {$ref: '#/components/schemas/Loop'}
    Fold: {allOf: [{$ref: '#/components/schemas/Fold'}, {$ref: '#/components/schemas/Pet'}]}
    Any: {anyOf: [{$ref: '#/components/schemas/Any'}, {$ref: '#/components/schemas/Any'}]}
    ReadOnly: {type: string, readOnly: true}
    Integer: {type: integer}
`
	checkSame(t, text)
	return theOperation(t, text, "a").Body.Schema
}

func TestSchema(t *testing.T) {
	const pet = "{$ref: '#/components/schemas/Pet'}"
	tests := []struct{ name, version, schema, want string }{
		{"plain", "3.0.3", "{type: object, required: [a, b], properties: {a: {}, b: {readOnly: true}}}", "[a b] required [a] types [object] object enumerable"},
		{"a reference", "3.0.3", pet, "[name id] required [name] types [object] object enumerable"},
		{"allOf", "3.0.3", "{$ref: '#/components/schemas/Dog'}", "[name bark id] required [name] types [object] object enumerable"},
		{"allOf of itself", "3.0.3", "{$ref: '#/components/schemas/Fold'}", "[name id] required [name] types [object] object enumerable"},
		{"recursive", "3.0.3", "{$ref: '#/components/schemas/Tree'}", "[tree trees] required [] types [object] object enumerable"},
		{"a loop", "3.0.3", "{$ref: '#/components/schemas/Loop'}", "[] required [] types []"},
		{"a dead end", "3.0.3", "{$ref: '#/components/schemas/None'}", "[] required [] types []"},
		{"a dead end in a part", "3.0.3", "{allOf: [" + pet + ", {$ref: '#none'}]}", "[name id] required [name] types [object] object"},
		{"outside", "3.0.3", "{$ref: 'a.yaml'}", "[] required [] types [] external"},
		{"outside in a part", "3.0.3", "{allOf: [" + pet + ", {$ref: 'a.yaml'}]}", "[name id] required [name] types [object] object external"},
		{"required and outside", "3.0.3", "{type: object, required: [a, b], properties: {a: {$ref: 'a.yaml'}}}", "[a] required [b] types [object] object enumerable"},
		{"readOnly by reference", "3.0.3", "{required: [a], properties: {a: {$ref: '#/components/schemas/ReadOnly'}}}", "[a] required [] types [] object enumerable"},
		{"readOnly beside a reference", "3.0.3", "{required: [a], properties: {a: {$ref: '#/components/schemas/Integer', readOnly: true}}}", "[a] required [] types [] object enumerable"},
		{"siblings in 3.0", "3.0.3", "{$ref: '#/components/schemas/Pet', required: [x], properties: {x: {}}}", "[name id] required [name] types [object] object"},
		{"a description beside a reference in 3.0", "3.0.3", "{$ref: '#/components/schemas/Pet', description: d}", "[name id] required [name] types [object] object enumerable"},
		{"siblings in 3.1", "3.1.0", "{$ref: '#/components/schemas/Pet', required: [x], properties: {x: {}}}", "[x name id] required [x name] types [object] object enumerable"},
		{"3.2 is read as 3.1", "3.2.0", "{$ref: '#/components/schemas/Pet', required: [x]}", "[name id] required [x name] types [object] object enumerable"},
		{"free map", "3.0.3", "{type: object}", "[] required [] types [object] object"},
		{"closed map", "3.0.3", "{type: object, additionalProperties: false}", "[] required [] types [object] object enumerable"},
		{"open map", "3.0.3", "{type: object, properties: {a: {}}, additionalProperties: true}", "[a] required [] types [object] object"},
		{"map of schema", "3.0.3", "{type: object, properties: {a: {}}, additionalProperties: {type: string}}", "[a] required [] types [object] object"},
		{"patterns", "3.1.0", "{properties: {a: {}}, patternProperties: {'^x-': {}}}", "[a] required [] types [] object"},
		{"alternatives", "3.0.3", "{oneOf: [" + pet + "]}", "[] required [] types []"},
		{"alternatives beside properties", "3.0.3", "{type: object, properties: {a: {}}, anyOf: [{required: [a]}]}", "[a] required [] types [object] object"},
		{"alternatives in a part", "3.0.3", "{allOf: [" + pet + ", {oneOf: [{}]}]}", "[name id] required [name] types [object] object"},
		{"a condition", "3.1.0", "{properties: {a: {}}, if: {}, then: {properties: {b: {}}}}", "[a] required [] types [] object"},
		{"nullable", "3.0.3", "{type: object, nullable: true, properties: {a: {}}}", "[a] required [] types [object null] object enumerable"},
		{"type list", "3.1.0", "{type: [object, 'null'], properties: {a: {}}}", "[a] required [] types [object null] object enumerable"},
		{"type list with a bare null", "3.1.0", "{type: [string, null]}", "[] required [] types [string null] enumerable"},
		{"two types", "3.1.0", "{type: [object, string], properties: {a: {}}}", "[a] required [] types [object string] enumerable"},
		{"a list", "3.0.3", "{type: array, items: {}}", "[] required [] types [array] enumerable"},
		{"types that narrow", "3.1.0", "{type: [number, string], allOf: [{type: [integer, boolean]}]}", "[] required [] types [integer] enumerable"},
		{"types that exclude each other", "3.0.3", "{type: string, allOf: [{type: boolean}]}", "[] required [] types []"},
		{"an unknown type", "3.0.3", "{type: file}", "[] required [] types []"},
		{"anything", "3.1.0", "true", "[] required [] types []"},
		{"no schema", "3.0.3", "[a]", "[] required [] types []"},
		{"properties elsewhere", "3.0.3", "{type: object, properties: {$ref: '#/components/schemas'}}", "[$ref] required [] types [object] object"},
		{"strange names", "3.0.3", "{properties: {200: {}, =: {}, on: {}, a.b: {}, 'x[]': {}}}", "[200 = on a.b x[]] required [] types [] object enumerable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := schemaOf(t, tt.version, tt.schema)
			got := fmt.Sprintf("%v required %v types %v", s.PropertyNames(), s.Required(), s.Types())
			for _, is := range []struct {
				word string
				true bool
			}{{"object", s.IsObject()}, {"enumerable", s.Enumerable()}, {"external", s.External()}} {
				if is.true {
					got += " " + is.word
				}
			}
			if got != tt.want {
				t.Errorf("it is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestProperty(t *testing.T) {
	s := schemaOf(t, "3.0.3", "{$ref: '#/components/schemas/Dog'}")
	if _, found := s.Property("meow"); found {
		t.Error("a property is found that is not declared")
	}
	name, found := s.Property("name")
	if !found || name.Node().Get("maxLength") == nil {
		t.Fatalf("name is %v", name)
	}
	value := source.Parse("v.yaml", "[abcd, 1]", source.Declarations).Root
	if got := name.Refuses(value.Items[0]) + "; " + name.Refuses(value.Items[1]); got != "it must have at most 3 characters; it must be a string" {
		t.Errorf("what both parts say of name is %q", got)
	}
	s = schemaOf(t, "3.0.3", "{$ref: '#/components/schemas/Tree'}")
	for range 20 {
		if s, found = s.Property("tree"); !found {
			t.Fatal("the tree ends")
		}
	}
}

func TestRefuses(t *testing.T) {
	tests := []struct{ version, schema, value, want string }{
		{"3.0.3", "{type: integer}", "25", ""},
		{"3.0.3", "{type: integer}", "many", "it must be an integer"},
		{"3.0.3", "{type: integer}", "'25'", "it must be an integer"},
		{"3.0.3", "{type: integer}", "2.5", "it must be an integer"},
		{"3.0.3", "{type: integer}", "2.0", ""},
		{"3.0.3", "{type: integer}", "0x1F", ""},
		{"3.0.3", "{type: number}", "2.5e3", ""},
		{"3.0.3", "{type: number}", ".inf", ""},
		{"3.0.3", "{type: number}", "a", "it must be a number"},
		{"3.0.3", "{type: string}", "25", "it must be a string"},
		{"3.0.3", "{type: string}", "yes", ""},
		{"3.0.3", "{type: boolean}", "yes", "it must be a boolean"},
		{"3.0.3", "{type: boolean}", "True", ""},
		{"3.0.3", "{type: array}", "a", "it must be a list"},
		{"3.0.3", "{type: object}", "[a]", "it must be a map"},
		{"3.0.3", "{type: file}", "25", ""},
		{"3.1.0", "{type: [integer, 'null']}", "a", "it must be an integer or null"},
		{"3.0.3", "{type: string}", "null", "it must be a string"},
		{"3.0.3", "{type: string, nullable: true, enum: [a]}", "null", ""},
		{"3.0.3", "{nullable: true, allOf: [{$ref: '#/components/schemas/Pet'}]}", "null", ""},
		{"3.1.0", "{type: [string, 'null']}", "null", ""},
		{"3.0.3", "{enum: [a, b]}", "c", "it must be one of `a`, `b`"},
		{"3.0.3", "{enum: [a]}", "c", "it must be `a`"},
		{"3.0.3", "{enum: [a, b]}", "b", ""},
		{"3.0.3", "{enum: [a, b]}", "B", "it must be one of `a`, `b`"},
		{"3.0.3", "{enum: [1, 2]}", "1.0", ""},
		{"3.0.3", "{type: string, enum: [1, 2]}", "'1'", ""},
		{"3.0.3", "{type: string, enum: [on, off]}", "on", ""},
		{"3.0.3", "{enum: [on, off]}", "true", ""},
		{"3.0.3", "{enum: [true]}", "off", ""},
		{"3.0.3", "{enum: [{a: [1]}]}", "{a: [1.0]}", ""},
		{"3.0.3", "{enum: [{a: [1]}]}", "{a: [2]}", "it must be a map"},
		{"3.0.3", "{enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}", "0", "it must be one of `1`, `2`, `3`, `4`, `5`, `6`, `7`, `8` and 2 more"},
		{"3.0.3", "{enum: []}", "0", ""},
		{"3.1.0", "{const: a}", "b", "it must be `a`"},
		{"3.0.3", "{const: a}", "b", ""},
		{"3.0.3", "{minimum: 1, maximum: 100}", "0", "it must be at least 1"},
		{"3.0.3", "{minimum: 1, maximum: 100}", "100", ""},
		{"3.0.3", "{minimum: 1, maximum: 100}", "101", "it must be at most 100"},
		{"3.0.3", "{minimum: 1, exclusiveMinimum: true}", "1", "it must be more than 1"},
		{"3.0.3", "{minimum: 1, exclusiveMinimum: false}", "1", ""},
		{"3.1.0", "{exclusiveMaximum: 0.1}", "0.1", "it must be less than 0.1"},
		{"3.1.0", "{exclusiveMaximum: 0.1}", "0.09", ""},
		{"3.1.0", "{maximum: 9223372036854775807}", "9223372036854775808", "it must be at most 9223372036854775807"},
		{"3.1.0", "{maximum: 5}", "1e400", "it must be at most 5"},
		{"3.1.0", "{maximum: 5}", "1e999999999", ""},
		{"3.0.3", "{maximum: 5}", "a", ""},
		{"3.0.3", "{minimum: 0x10}", "15", "it must be at least 0x10"},
		{"3.0.3", "{minLength: 2, maxLength: 3}", "é", "it must have at least 2 characters"},
		{"3.0.3", "{minLength: 2, maxLength: 3}", "ééé", ""},
		{"3.0.3", "{maxLength: 1}", "ab", "it must have at most 1 character"},
		{"3.0.3", "{minItems: 1}", "[]", "it must have at least 1 item"},
		{"3.0.3", "{pattern: '^[a-z]+$'}", "abc", ""},
		{"3.0.3", "{pattern: '^[a-z]+$'}", "Abc", "it must match the pattern `^[a-z]+$`"},
		{"3.0.3", "{pattern: '^(?!a)'}", "abc", ""},
		{"3.0.3", "{pattern: '^\\d{4}-\\d\\d$'}", "2026-1", "it must match the pattern `^\\d{4}-\\d\\d$`"},
		{"3.0.3", "{pattern: '/^[0-9]+$/i'}", "abc", ""},
		{"3.0.3", "{pattern: '^\\pL$'}", "1", ""},
		{"3.0.3", "{pattern: '^[[:alpha:]]$'}", "1", ""},
		{"3.0.3", "{pattern: '^[]a]$'}", "1", ""},
		{"3.0.3", "{pattern: '^\\Aa'}", "1", ""},
		{"3.0.3", "{pattern: '^(?i)a'}", "1", ""},
		{"3.0.3", "{pattern: '^.$'}", "😀", ""},
		{"3.0.3", "{pattern: '^\\S$'}", "\"\\u00a0\"", ""},
		{"3.0.3", "{pattern: '^\\x41\\-[\\w.]$'}", "A-!", "it must match the pattern `^\\x41\\-[\\w.]$`"},
		{"3.0.3", "{pattern: '^é+$'}", "e", "it must match the pattern `^é+$`"},
		{"3.0.3", "{pattern: '^😀$'}", "a", ""},
		{"3.0.3", "{pattern: '^[\\b]$'}", "a", ""},
		{"3.0.3", "{pattern: '^\\u0041$'}", "B", ""},
		{"3.0.3", "{pattern: '^\\é$'}", "e", ""},
		{"3.0.3", "{pattern: '^(a'}", "b", ""},
		{"3.0.3", "{items: {type: integer}}", "[1, 2, a]", "`[2]` in it must be an integer"},
		{"3.1.0", "{prefixItems: [{}], items: {type: integer}}", "[a, b]", ""},
		{"3.0.3", "{$ref: '#/components/schemas/Tree'}", "{tree: {trees: [{}, {tree: 1}]}}", "`tree.trees[1].tree` in it must be a map"},
		{"3.0.3", "{$ref: '#/components/schemas/Dog'}", "{name: abcd, other: 1}", "`name` in it must have at most 3 characters"},
		{"3.1.0", "{anyOf: [{type: integer}, {type: 'null'}]}", "a", "it must be an integer"},
		{"3.1.0", "{anyOf: [{type: integer}, {type: 'null'}]}", "null", ""},
		{"3.0.3", "{oneOf: [{type: integer}, {type: boolean}]}", "a", "it must fit one of the alternatives that the description lists, and fits none"},
		{"3.0.3", "{oneOf: [{type: integer}, {$ref: 'a.yaml'}]}", "a", ""},
		{"3.0.3", "{$ref: '#/components/schemas/Any'}", "a", ""},
		{"3.0.3", "{allOf: [{$ref: 'a.yaml'}, {type: integer}]}", "a", "it must be an integer"},
		{"3.0.3", "{$ref: '#/components/schemas/Integer', type: string}", "1", ""},
		{"3.1.0", "{$ref: '#/components/schemas/Integer', maximum: 3}", "4", "it must be at most 3"},
		{"3.1.0", "{properties: {a: false}}", "{a: 1}", "`a` in it cannot be given"},
		{"3.0.3", "{$ref: '#/components/schemas/Loop'}", "a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.schema+" "+tt.value, func(t *testing.T) {
			value := source.Parse("v.yaml", tt.value, source.Declarations)
			if value.Root == nil {
				t.Fatal(value.Faults)
			}
			if got := schemaOf(t, tt.version, tt.schema).Refuses(value.Root); got != tt.want {
				t.Errorf("it says %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRefusesBounded judges with schemas that are made to have no end.
func TestRefusesBounded(t *testing.T) {
	var b strings.Builder
	const many = 300
	for i := range many {
		fmt.Fprintf(&b, "    S%d: {anyOf: [", i)
		for j := range many {
			fmt.Fprintf(&b, "{$ref: '#/components/schemas/S%d'}, ", j)
		}
		b.WriteString("{type: object}]}\n")
	}
	text := "openapi: 3.1.0\npaths: {/a: {get: {operationId: a, parameters: [{name: p, in: query, schema: {$ref: '#/components/schemas/S0'}}]}}}\ncomponents:\n  schemas:\n" + b.String()
	s := theOperation(t, text, "a").Parameters[0].Schema
	if got := s.Refuses(source.Parse("v.yaml", "a", source.Declarations).Root); got != "" {
		t.Errorf("it says %q", got)
	}
}
