package openapi_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/openapi"
)

// oddities are descriptions as vendors write them. A lazy reader must take each
// for what it is when it is parsed whole.
var oddities = map[string]string{
	"block": `# A comment
openapi: 3.0.3   # with one behind
info:
  title: t
  description: |
    Text, with what looks like keys:

    # no comment
    paths:
      /x:
        get:
          operationId: not-one
tags:
- name: a
- name: b
  description: >-
    folded
paths:
  "/quoted/{a}":
    get: # a comment
      operationId: quoted   # and one more

      parameters:
      - {name: a, in: path, required: true, schema: {type: string}}
  '/it''s':
    parameters:
    - name: X-A
      in: header
      required: true
    get:
      "operationId": 'it''s'
      parameters:
        - name: x-a
          in: header
    put:
      operationId: |-
        block
  /plain:
    post:
      tags: [a,
        b]
      operationId:
        on the next line
      requestBody:
        content:
          application/json; charset=utf-8:
            schema:
              $ref: '#/components/schemas/A'
    delete:
      operationId: two
        lines
  /ref: {$ref: '#/components/pathItems/Item'}
  /away: {$ref: 'other.yaml#/a'}
  /empty:
  x-extension:
    get: {operationId: no}
components:
  pathItems:
    Item:
      get: {operationId: item, parameters: [{$ref: '#/paths/~1it''s/parameters/0'}]}
  schemas:
    A:
      allOf:
      - $ref: '#/components/schemas/B'
      - {required: [x], properties: {x: {type: integer, readOnly: true}}}
    B:
      type: object
      required:
      - a
      properties:
        a: {$ref: '#/components/schemas/A'}
        200: {type: boolean}
        =: {type: string}
        on: {enum: [yes, no]}
`,
	"JSON": `{
 "openapi" : "3.1.0",
 "paths": {
	"\/a\/{id}": {"get": {"operationId": "a\u002fb #1", "parameters": [{"$ref":"#/components/parameters/%49d"}]},
  "parameters": [{"name": "filter[name]", "in": "query"}, {"name": "a.b", "in": "query"}]},
	"/emoji": {"post": {"operationId": "\ud83d\ude00", "operationId": "twice", "requestBody": {"$ref": "#/components/requestBodies/0"}}}
 },
 "components": {"parameters": {"Id": {"name":"id","in":"path","schema":{"type":["integer","null"],"minimum":-1.5e1, "maximum": 2E+3, "x": [true, false, null, 0, []]}}},
  "requestBodies": {"0": {"content": {"text/plain": {}, "application/vnd.a+JSON": {"schema": {"anyOf": [{"type":"null"},{"type":"object"}], "const": null}}}}}},
 "paths": {"/lost": {"get": {"operationId": "lost"}}}
}
`,
	"compact JSON": `{"components":{"schemas":{"A":{"$ref":"#/components/schemas/B","type":"object"},"B":{"$ref":"#/components/schemas/A"}}},"paths":{"/a":{"post":{"operationId":"a","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}},"openapi":"3.1.1"}`,
	"flow":         "{openapi: 3.0.3, paths: {/a: {get: {operationId: a}, put: {operationId: [b]}}}}\n",
	"anchors": `openapi: 3.0.3
x-a: &name {name: id, in: query, schema: &schema {type: integer}}
x-get: &get
  get: {operationId: merged, parameters: [*name]}
paths:
  /a:
    <<: *get
  /b:
    put:
      operationId: b
      parameters:
      - *name
      - {name: other, in: query, schema: *schema}
  /c: *get
`,
	"anchors inside a part": `openapi: 3.0.3
paths:
  /a:
    put:
      operationId: a
      parameters:
      - &x {name: a, in: query}
      - *x
      - {<<: *x, name: b}
`,
	"indentation": `openapi: 3.0.3
paths:
      /a:
       get:
                operationId: deep
                description: |4
                        indented
                    less
       put:
          operationId: less
components:
 schemas:
   A: {}
`,
	"document start": "# c\n---\nopenapi: '3.0.3'\npaths:\n  /a:\n    get:\n      operationId: a\n",
	"CRLF":           "openapi: 3.0.3\r\npaths:\r\n  /a:\r\n    get:\r\n      operationId: a\r\n      summary: >\r\n        x\r\n\r\n        y\r\n\r\n  /b:\r\n    get:\r\n      operationId: \"b\"\r\n",
	"CR":             "openapi: 3.0.3\rpaths:\r  /a:\r    get:\r      operationId: a\r",
	"BOM":            "\ufeffopenapi: 3.0.3\npaths:\n  /a:\n    get:\n      operationId: a\n",
	"BOM and JSON":   "\ufeff{\"openapi\":\"3.0.3\",\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\"}}}}",
	"keys twice":     "openapi: 3.0.3\npaths:\n  /a:\n    get: {operationId: a}\n    get: {operationId: b}\n  /b:\n    put: {operationId: c}\n  /b:\n    get: {operationId: d}\npaths:\n  /c:\n    get: {operationId: e}\n",
	"brackets that close at the margin": `openapi: 3.0.3
info: {
  title: t
}
paths:
  /a:
    get: {
      operationId: a,
    }
`,
	"explicit keys":   "openapi: 3.0.3\npaths:\n  ? /a\n  : get:\n      operationId: a\n  ? /b\n  : {put: {operationId: b}}\n",
	"keys at a colon": "openapi: 3.0.3\npaths:\n  /a:b: \n    get:\n      operationId: a:b\n  \"/c\" :\n    get:\n      operationId : c\n  /d :\n    get: {operationId: d}\n",
	"strange keys":    "openapi: 3.0.3\npaths:\n  -a:\n    get: {operationId: a}\n  ?b:\n    get: {operationId: b}\n  :c:\n    get: {operationId: c}\n  .d:\n    get: {operationId: d}\n  e#f:\n    get: {operationId: e}\n  ~:\n    get: {operationId: n}\n",
	"quotes over lines": `openapi: 3.0.3
info: {description: "one
    paths:
  two"}
paths:
  /a:
    summary: 'one

      get:
        operationId: no
      '
    get:
      operationId: "on
        two lines"
`,
	"a sequence for a mapping": "openapi: 3.0.3\npaths:\n  /a:\n  - get: {operationId: no}\n  /b:\n    get:\n    - operationId: no\n  /c:\n    get:\n      operationId: c\n      parameters:\n        name: no\n      requestBody: []\n",
	"ids of other kinds":       "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      operationId: 12\n    put:\n      operationId: null\n    post:\n      operationId: ~\n    patch:\n      operationId: true\n    delete:\n      operationId: &x anchored\n    head:\n      operationId:\n    trace:\n      operationId: !!str 5\n    options:\n      operationId: Null\n",
	"white space":              "openapi: 3.0.3\n\npaths:   \n\t\n  # c\n \n  /a:   # c\n\n# c\n    get:\t# c\n   # c\n      operationId: \ta\t\n\t# c\n    put:\n      operationId: b\n   \t\n",
	"references": `openapi: 3.1.0
paths:
  /a:
    $ref: '#/paths/~1b'
    get: {operationId: own}
  /b:
    $ref: '#/paths/~1a'
    put:
      operationId: both
      parameters:
      - $ref: '#/paths/~1c~0d/post/parameters/1'
      - $ref: '#/paths/~1c~0d/post/parameters/2'
      - $ref: '#/paths/~1c~0d/post/parameters/01'
      - $ref: '#/tags/0'
      - $ref: '#/x-parameters/a%20b'
      - $ref: 'https://example.com/a.yaml#/x'
      - $ref: '#/components'
      - $ref: '#/components/parameters'
      - $ref: '#'
      - $ref: '#name'
      - $ref: '#/'
      - $ref:
  /c~d:
    post:
      operationId: c
      parameters:
      - {name: zero, in: query}
      - {name: one, in: query, content: {application/json: {schema: {type: [string, 'null'], pattern: '^a'}}}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/A'
              required: [z]
              properties:
                z: {$ref: 'other.yaml'}
                y: {$ref: '#/definitions/Y'}
tags:
- {name: tag, in: query}
x-parameters:
  a b: {name: spaced, in: query}
definitions:
  Y: {type: array, items: {$ref: '#/definitions/Y'}, minItems: 1}
components:
  parameters: {}
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B:
      allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/C/properties/c'}, true]
    C:
      properties:
        c: {type: object, maxProperties: 2, additionalProperties: false, properties: {d: {$ref: '#/components/schemas/C'}}}
`,
}

func TestOddities(t *testing.T) {
	for name, text := range oddities {
		t.Run(name, func(t *testing.T) {
			if _, err := openapi.OpenWhole("api.yaml", text); err != nil {
				t.Fatal(err)
			}
			checkSame(t, text)
		})
	}
}

// TestSliced holds the lazy reader to read as parts what vendors' programs write.
func TestSliced(t *testing.T) {
	for _, name := range []string{"block", "JSON", "compact JSON", "anchors inside a part", "indentation", "document start", "CRLF", "BOM", "BOM and JSON", "keys at a colon", "quotes over lines", "references"} {
		d, err := openapi.Open("api.yaml", oddities[name])
		if err != nil {
			t.Fatal(err)
		}
		dump(d, d.OperationIDs())
		if !d.Sliced() {
			t.Errorf("%s: the text was parsed whole", name)
		}
	}
}

// TestMutations reads descriptions into which a slip, or a few, found their way.
func TestMutations(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	random := rand.New(rand.NewPCG(1, 2))
	for name, text := range oddities {
		t.Run(name, func(t *testing.T) {
			for range rounds {
				mutated := text
				for range 1 + random.IntN(3) {
					mutated = mutate(random, mutated)
				}

				checkSame(t, mutated)
			}
		})
	}
}

// mutate makes one change to a text, in its lines or in its characters.
func mutate(random *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	i, j := random.IntN(len(lines)), random.IntN(len(lines))
	at := random.IntN(len(text) + 1)
	pieces := []string{
		" ", "  ", "\n", "\t", "\r", ":", ": ", "- ", "#", " #", "'", "\"", "{", "}", "[", "]", ",", "&a ", "*a", "!!str ", "<<: ",
		"|\n", ">-\n", "? ", "---\n", "...\n", "\\", "\\u0061", "\\ud800", "$ref", "operationId", "get", "paths:", "~1", "%41", "é", "\u0085", "\u2028", "1", "null",
	}
	piece := pieces[random.IntN(len(pieces))]
	switch random.IntN(9) {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] += lines[i]
	case 2:
		lines[i], lines[j] = lines[j], lines[i]
	case 3:
		lines[i] = " " + lines[i]
	case 4:
		lines[i] = strings.TrimPrefix(lines[i], " ")
	case 5:
		lines[i] = strings.TrimRight(lines[i], "\r\n") + piece + "\n"
	case 6:
		lines[i] = piece + lines[i]
	case 7:
		return text[:at]
	default:
		return text[:at] + piece + text[at:]
	}
	return strings.Join(lines, "")
}
