package openapi_test

import (
	"testing"

	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
)

// FuzzOpen reads arbitrary text: nothing may panic or hang, and it is the same
// lazily and parsed whole.
func FuzzOpen(f *testing.F) {
	for _, text := range oddities {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<14 {
			checkSame(t, text)
		}
	})
}

// FuzzPaths reads arbitrary text where the paths of a description stand, in YAML
// and in JSON, so that less of it is lost to what comes before.
func FuzzPaths(f *testing.F) {
	for _, text := range []string{
		"/a:\n    get:\n      operationId: a\n", "/a: &x\n    get: {}\n  /b: *x\n", "\"/a\": {\"get\": {\"operationId\": \"a\"}}",
		"/a:\n    $ref: '#/paths/~1b'\n  /b:\n    get:\n      operationId: |+\n       a\n\n",
		"/a:\n    post:\n      operationId: a\n      requestBody:\n        content:\n          application/json:\n            schema:\n              $ref: '#/components/schemas/A'\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		checkSame(t, "openapi: 3.0.3\npaths:\n  "+text+"\ncomponents:\n  schemas:\n    A:\n      type: object\n")
		checkSame(t, `{"openapi": "3.1.0", "paths": {`+text+`}, "components": {"schemas": {"A": {"type": "object"}}}}`)
	})
}

// FuzzRefuses asks arbitrary schemas to refuse arbitrary values.
func FuzzRefuses(f *testing.F) {
	f.Add("{type: integer, minimum: 1e9}", "0x10")
	f.Add("{anyOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}", "[1, a, ~]")
	f.Add("{pattern: '^[a-z]{2,}$', enum: [a, b], items: {$ref: '#/components/schemas/A'}}", "{a: [b]}")
	f.Add("{type: [string, 'null'], properties: {a: {const: 1.0, exclusiveMaximum: true, maximum: 2}}, maxLength: 3}", "{a: 1}")
	f.Fuzz(func(t *testing.T, schema, value string) {
		v := source.Parse("value.yaml", value, source.Declarations).Root
		if v == nil || len(schema) > 1<<12 || len(value) > 1<<12 {
			return
		}
		for _, version := range []string{"3.0.3", "3.1.0"} {
			d, err := openapi.Open("api.yaml", "openapi: "+version+"\npaths: {/a: {post: {operationId: a, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}\n"+
				"components:\n  schemas:\n    A: {allOf: [\n"+schema+"\n]}\n")
			if err != nil {
				return
			}
			operations, err := d.Operations("a")
			if err != nil {
				return
			}
			s := operations[0].Body.Schema
			s.Refuses(v)
			s.Required()
			s.Enumerable()
		}
	})
}
