package openapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
)

// TestInvalid opens what is no description. A text that breaks off has its place
// marked with ^, which is taken out.
func TestInvalid(t *testing.T) {
	tests := []struct{ name, text, message string }{
		{"empty", "", "it is empty"},
		{"only white space", "\ufeff \n\n", "it is empty"},
		{"only comments", "# nothing yet\n", "it is empty"},
		{"a list", "- openapi: 3.0.3\n- paths: {}\n", "it is a list"},
		{"a JSON list", `[{"openapi": "3.0.3"}]`, "it is a list"},
		{"a word", "openapi\n", "it is a string"},
		{"HTML", "\n^<!DOCTYPE html>\n<html><body>openapi: 3.0.3</body></html>\n", "it is HTML"},
		{"HTML without a doctype", "^<HTML lang=en>\n", "it is HTML"},
		{"XML", "^<?xml version='1.0'?><a/>", "it is HTML or XML"},
		{"not UTF-8", "openapi: 3.0.3\n# \xe9\n", "it is not UTF-8 text: byte 18"},
		{"UTF-16", "\xff\xfeo\x00", "but UTF-16"},
		{"binary", "openapi: 3.0.3\npaths: \"^\x00\"\n", "control character U+0000"},
		{"binary in JSON", "{\"openapi\": \"3.0.3\", \"paths\": {}, \"x\": \"^\x01\"}", "control character U+0001"},
		{"Swagger", "swagger: ^'2.0'\ninfo: {title: t, version: '1'}\npaths: {}\n", "it is Swagger 2.0, and only OpenAPI 3 is read"},
		{"Swagger in JSON", `{"swagger": ^"2.0", "paths": {}}`, "it is Swagger 2.0"},
		{"no version", "info: {}\npaths: {}\n", "no openapi key"},
		{"version 2", "openapi: ^2.0\npaths: {}\n", "version is 2.0"},
		{"version 4", "openapi: ^\"4.0.0\"\npaths: {}\n", "version is"},
		{"a version that is none", "openapi: ^3\npaths: {}\n", "version is 3,"},
		{"a version that is a map", "openapi: ^{a: b}\npaths: {}\n", "version is a map"},
		{"no paths", "openapi: ^3.1.0\nwebhooks: {}\n", "no paths"},
		{"paths without a value", "openapi: 3.0.3\npaths:^\ncomponents: {}\n", "its paths are null"},
		{"a list of paths", "openapi: 3.0.3\npaths:\n^- /a: {}\n", "its paths are a list"},
		{"JSON that breaks off", `^{"openapi": "3.0.3", "paths": {"/a": {}}`, "never closed"},
		{"JSON that breaks off in a string", `{"openapi": "3.0.3", "paths": {"/a": ^"b`, "never closed"},
		{"JSON with a comma too many", `{"openapi": "3.0.3", "paths": {"/a": {},^, }}`, "comma"},
		{"JSON with something behind it", `{"openapi": "3.0.3", "paths": {}} ^{}`, "ended already"},
		{"YAML in braces that breaks off", "openapi: 3.0.3\npaths:\n  /a: {get: ^{operationId: a\n", "never closed"},
		{"YAML that breaks off in quotes", "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      summary: ^\"one\n", "never closed"},
		{"YAML that breaks off in brackets", "openapi: 3.0.3\npaths: {}\ncomponents:\n  schemas:\n    A:\n      type: object\n      required: ^[a,\n", "never closed"},
		{"YAML that breaks off in a key", "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      summary: one\n      ^operationI\n", "a key is expected"},
		{"a second document", "openapi: 3.0.3\npaths: {}\n^---\nopenapi: 3.0.3\n", "second document"},
		{"a merge conflict", "openapi: 3.0.3\n^<<<<<<< HEAD\npaths: {}\n=======\npaths: {a: b}\n>>>>>>> b\n", ""},
		{"a tab", "openapi: 3.0.3\npaths:\n^\t/a: {}\n", "a tab cannot indent"},
		{"a tag that the runtime refuses", "openapi: 3.0.3\npaths: ^!include paths.yaml\n", "no meaning"},
		{"an unknown alias", "openapi: 3.0.3\npaths: ^*paths\n", "no anchor"},
		{"too deep", `{"openapi": "3.0.3", "paths": {}, "x": ` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}", "lie inside one another"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(tt.text, "^", "", 1)
			at := max(strings.Index(tt.text, "^"), 0)
			checkSame(t, text)
			_, err := openapi.Open("api.yaml", text)
			var invalid *openapi.Invalid
			if !errors.As(err, &invalid) {
				t.Fatalf("the error is %v", err)
			}
			if !strings.Contains(invalid.Message, tt.message) || invalid.Error() != invalid.Message {
				t.Errorf("the message is %q, want %q in it", invalid.Message, tt.message)
			}
			if strings.Contains(tt.text, "^") && invalid.Start != at {
				t.Errorf("it is wrong at %d, want %d", invalid.Start, at)
			}
			if invalid.File.Path != "api.yaml" {
				t.Errorf("the file is %q", invalid.File.Path)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	text := strings.Repeat("#", int(source.Descriptions.Bytes)+1)
	if _, err := openapi.Open("api.yaml", text); err == nil || err.Error() != "it is larger than 64 MiB" {
		t.Fatalf("the error is %v", err)
	}
}

// TestBrokenPart breaks what one operation reaches, which is no matter for the
// others, in whatever order they are asked for.
func TestBrokenPart(t *testing.T) {
	const text = `openapi: 3.0.3
paths:
  /a: {get: {operationId: a}}
  /b:
    post:
      operationId: b
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/B'}
  /c:
    post:
      operationId: c
      requestBody: {$ref: '#/components/schemas/Broken'}
components:
  schemas:
    B:
      properties:
        deep: {type: array, items: {$ref: '#/components/schemas/Broken'}}
    Broken:
      description: "never closed
    C: {type: object}
`
	for range 2 {
		d, err := openapi.Open("api.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"a", "b", "a", "c", "b", "a"} {
			operations, err := d.Operations(id)
			if broken := err != nil; broken != (id != "a") || !broken && len(operations) != 1 {
				t.Errorf("%s: %d operations, error %v", id, len(operations), err)
			}
			checkInvalid(t, err)
			if err != nil && !strings.Contains(err.Error(), "never closed") {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}
