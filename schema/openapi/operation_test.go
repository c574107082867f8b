package openapi_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
)

func mustOpen(t *testing.T, text string) *openapi.Description {
	t.Helper()
	d, err := openapi.Open("api.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// theOperation is the only one with an id.
func theOperation(t *testing.T, text, id string) *openapi.Operation {
	t.Helper()
	operations, err := mustOpen(t, text).Operations(id)
	if err != nil || len(operations) != 1 {
		t.Fatalf("%s: %d operations, error %v", id, len(operations), err)
	}
	return operations[0]
}

// said puts what some nodes are into words.
func said(nodes []*source.Node) string {
	var words []string
	for _, n := range nodes {
		words = append(words, fmt.Sprintf("%d: %s", n.Span().Start.Line, n.Value))
	}
	return strings.Join(words, "; ")
}

func TestOperations(t *testing.T) {
	d := mustOpen(t, oddities["block"])
	if got, want := fmt.Sprintf("%q", d.OperationIDs()), `["quoted" "it's" "block" "on the next line" "two lines" "item"]`; got != want {
		t.Errorf("the ids are\n%s\nwant\n%s", got, want)
	}
	if got, want := said(d.ExternalPaths()), "53: other.yaml#/a"; got != want {
		t.Errorf("paths lie outside at %q, want %q", got, want)
	}
	tests := []struct{ id, path, method, parameters string }{
		{"quoted", `"/quoted/{a}"`, "get", "path a*"},
		{"it's", "'/it''s'", "get", "header x-a"},
		{"block", "'/it''s'", "put", "header X-A*"},
		{"on the next line", "/plain", "post", ""},
		{"two lines", "/plain", "delete", ""},
		{"item", "/ref", "get", "header X-A*"},
	}
	for _, tt := range tests {
		operations, err := d.Operations(tt.id)
		if err != nil || len(operations) != 1 {
			t.Fatalf("%s: %d operations, error %v", tt.id, len(operations), err)
		}
		o := operations[0]
		if o.ID.Value != tt.id || o.Path.Written() != tt.path || o.Method != tt.method || !o.Path.IsKey() {
			t.Errorf("%s: %s %s with the id %s", tt.id, o.Method, o.Path.Written(), o.ID.Written())
		}
		if got := parameters(o); got != tt.parameters {
			t.Errorf("%s: the parameters are %q, want %q", tt.id, got, tt.parameters)
		}
	}
	if operations, err := d.Operations("no"); len(operations) > 0 || err != nil {
		t.Error("there is an operation that nothing has")
	}
	if d.File().Text != oddities["block"] || d.File().Path != "api.yaml" {
		t.Error("the file is another")
	}
}

// parameters lists an operation's parameters, with a * behind those required.
func parameters(o *openapi.Operation) string {
	var list []string
	for _, p := range o.Parameters {
		text := p.In + " " + p.Name
		if p.Required {
			text += "*"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func TestParameters(t *testing.T) {
	const text = `openapi: 3.0.3
paths:
  /a/{id}:
    parameters:
    - {name: id, in: path}
    - {name: id, in: query, required: true}
    - {name: X-Tenant, in: header, required: true}
    - {name: 'ids[]', in: query, schema: {type: array}}
    - $ref: '#/components/parameters/Loop'
    - $ref: '#/components/parameters/Nothing'
    - {name: broken}
    - [no]
    post:
      operationId: a
      parameters:
      - {name: x-tenant, in: header}
      - $ref: '#/components/parameters/Filter'
      - {name: id, in: query, schema: {type: integer}}
      - {name: a.b, in: cookie, content: {application/json: {schema: {type: object}}}}
      - {name: ID, in: query}
  /b:
    get:
      operationId: b
      parameters:
      - $ref: 'common.yaml#/Tenant'
      - {name: c, in: query, schema: {type: array, items: {$ref: 'https://example.com/c.json'}}}
      - {name: d, in: query, schema: {$ref: 'common.yaml#/Tenant'}}
components:
  parameters:
    Filter: {$ref: '#/components/parameters/Real'}
    Real: {name: 'filter[name]', in: query}
    Loop: {$ref: '#/components/parameters/Loop2'}
    Loop2: {$ref: '#/components/parameters/Loop'}
`
	a := theOperation(t, text, "a")
	if got, want := parameters(a), "path id*, query ids[], header x-tenant, query filter[name], query id, cookie a.b, query ID"; got != want {
		t.Errorf("the parameters are\n%s\nwant\n%s", got, want)
	}
	if a.Partial || len(a.External) > 0 || a.Body != nil {
		t.Errorf("a is %+v", a)
	}
	if types := a.Parameters[4].Schema.Types(); !slices.Equal(types, []string{"integer"}) {
		t.Errorf("the own id has types %v", types)
	}
	if !a.Parameters[5].Schema.IsObject() {
		t.Error("the schema in the content is not read")
	}
	if s := a.Parameters[6].Schema; len(s.Types()) > 0 || s.Node() != a.Parameters[6].Node {
		t.Error("a schema that is not there says something")
	}
	b := theOperation(t, text, "b")
	if got, want := said(b.External), "25: common.yaml#/Tenant; 26: https://example.com/c.json; 27: common.yaml#/Tenant"; got != want || !b.Partial {
		t.Errorf("outside are %s, want %s", got, want)
	}
}

func TestBodies(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"JSON", "{content: {application/json: {schema: {type: object, properties: {a: {}}}}}}", "JSON [a]"},
		{"required", "{required: true, content: {application/json: {}}}", "required JSON []"},
		{"letter case and parameters", "{content: {'Application/JSON ; charset=utf-8': {schema: {properties: {a: {}}}}}}", "JSON [a]"},
		{"a suffix", "{content: {application/vnd.a.v1+json: {schema: {properties: {a: {}}}}}}", "JSON [a]"},
		{"JSON beside a suffix", "{content: {application/a+json: {}, application/json: {schema: {properties: {a: {}}}}}}", "JSON [a]"},
		{"JSON beside a form", "{content: {multipart/form-data: {schema: {properties: {f: {}}}}, application/json: {schema: {properties: {a: {}}}}}}", "JSON [a]"},
		{"a form only", "{content: {application/x-www-form-urlencoded: {schema: {properties: {a: {}}}}}}", "[]"},
		{"anything", "{content: {'*/*': {schema: {properties: {a: {}}}}}}", "[]"},
		{"lines of JSON", "{content: {application/jsonl: {schema: {properties: {a: {}}}}}}", "[]"},
		{"no content", "{}", "[]"},
		{"a reference", "{$ref: '#/components/requestBodies/B'}", "JSON [b]"},
		{"a dead reference", "{$ref: '#/components/requestBodies/C'}", "none"},
		{"a reference outside", "{$ref: 'b.yaml'}", "[] external b.yaml"},
		{"a schema outside", "{content: {application/json: {schema: {$ref: 'b.yaml'}}}}", "JSON [] external b.yaml"},
		{"a schema outside in a part", "{content: {application/json: {schema: {allOf: [{$ref: 'b.yaml'}, {properties: {a: {}}}]}}}}", "JSON [a] external b.yaml"},
		{"a schema outside deep within", "{content: {application/json: {schema: {properties: {a: {items: {anyOf: [{$ref: 'b.yaml'}]}}}}}}}", "JSON [a] reaches b.yaml"},
		{"what only looks like a reference", "{content: {application/json: {schema: {properties: {$ref: {type: string}}, example: {$ref: 'b.yaml'}}}}}", "JSON [$ref]"},
		{"in another media type", "{content: {application/xml: {schema: {$ref: 'b.yaml'}}}}", "[]"},
		{"not a map", "[a]", "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "openapi: 3.0.3\npaths:\n  /a:\n    post:\n      operationId: a\n      requestBody: " + tt.body +
				"\ncomponents:\n  requestBodies:\n    B:\n      content:\n        application/json:\n          schema:\n            properties:\n              b: {}\n"
			checkSame(t, text)
			o := theOperation(t, text, "a")
			got := "none"
			if b := o.Body; b != nil {
				words := []string{fmt.Sprint(b.Schema.PropertyNames())}
				if b.JSON {
					words = append([]string{"JSON"}, words...)
				}
				if b.Required {
					words = append([]string{"required"}, words...)
				}
				for _, ref := range o.External {
					how := "reaches"
					if b.Schema.External() {
						how = "external"
					}
					words = append(words, how, ref.Value)
				}
				got = strings.Join(words, " ")
			}
			if got != tt.want {
				t.Errorf("the body is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAmbiguous(t *testing.T) {
	const text = "openapi: 3.0.3\npaths:\n  /a:\n    get: {operationId: x}\n  /b:\n    put: {operationId: x}\n  /c:\n    $ref: '#/paths/~1a'\n"
	operations, err := mustOpen(t, text).Operations("x")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range operations {
		got = append(got, o.Method+" "+o.Path.Value)
	}
	if want := []string{"get /a", "put /b", "get /c"}; !slices.Equal(got, want) {
		t.Errorf("the operations are %q, want %q", got, want)
	}
}

// TestAnchors reads operations that anchors and merge keys put together.
func TestAnchors(t *testing.T) {
	d := mustOpen(t, oddities["anchors"])
	if got := d.OperationIDs(); !slices.Equal(got, []string{"merged", "b", "merged"}) {
		t.Fatalf("the ids are %q", got)
	}
	if got := parameters(theOperation(t, oddities["anchors"], "b")); got != "query id, query other" {
		t.Errorf("the parameters are %q", got)
	}
}

func TestJSONEscapes(t *testing.T) {
	d := mustOpen(t, oddities["JSON"])
	if got := d.OperationIDs(); !slices.Equal(got, []string{"a/b #1", "😀"}) {
		t.Fatalf("the ids are %q", got)
	}
	if got, want := parameters(theOperation(t, oddities["JSON"], "a/b #1")), "query filter[name], query a.b, path id*"; got != want {
		t.Errorf("the parameters are %q, want %q", got, want)
	}
}

// TestConcurrent asks for operations from several goroutines, while their schemas
// are in use.
func TestConcurrent(t *testing.T) {
	for _, text := range []string{oddities["block"], oddities["references"], oddities["anchors"]} {
		want := dump(mustOpen(t, text), mustOpen(t, text).OperationIDs())
		d := mustOpen(t, text)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if got := dump(d, d.OperationIDs()); got != want {
					t.Errorf("it is\n%s\nwant\n%s", firstDifference(got, want), firstDifference(want, got))
				}
			})
		}
		group.Wait()
	}
}
