package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/catalog"
	"github.com/gete-lint/gete/schema/source"
)

// TestSchemasAreSchemas holds every schema to the metaschema of its draft, which
// the program itself does not take the time for.
func TestSchemasAreSchemas(t *testing.T) {
	for _, kind := range schema.Kinds() {
		text, err := schema.Text(kind)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("test:"+string(kind), document); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if _, err := c.Compile("test:" + string(kind)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		checkKeywords(t, string(kind), document)
	}
	if _, err := schema.Text("agents"); err == nil {
		t.Error("there is a schema of agents")
	}
}

// keywords are those that the schemas use, and that the code about unknown keys
// and near misses follows. A misspelt one would pass in silence.
var keywords = []string{
	"$schema", "$id", "$ref", "$defs", "title", "description", "type", "enum", "const", "format", "pattern",
	"minLength", "maxLength", "minimum", "exclusiveMinimum", "minItems", "uniqueItems", "items",
	"properties", "patternProperties", "additionalProperties", "required", "minProperties", "maxProperties",
	"allOf", "not", "if", "then", "else",
}

func checkKeywords(t *testing.T, path string, node any) {
	t.Helper()
	object, ok := node.(map[string]any)
	if !ok {
		return
	}
	for key, value := range object {
		if !slices.Contains(keywords, key) {
			t.Errorf("%s has the keyword %q", path, key)
		}
		switch key {
		case "properties", "patternProperties", "$defs":
			for name, sub := range value.(map[string]any) {
				checkKeywords(t, path+"/"+name, sub)
			}
		case "allOf":
			for _, sub := range value.([]any) {
				checkKeywords(t, path+"/allOf", sub)
			}
		case "items", "additionalProperties", "not", "if", "then", "else":
			checkKeywords(t, path+"/"+key, value)
		}
	}
}

// TestSchemasExplainThemselves holds every key to a description, which editors
// and messages show, and every pattern and format to a title, which messages
// put in its place.
func TestSchemasExplainThemselves(t *testing.T) {
	for _, kind := range schema.Kinds() {
		text, err := schema.Text(kind)
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		defs, _ := document["$defs"].(map[string]any)
		var walk func(path string, node any)
		walk = func(path string, node any) {
			switch node := node.(type) {
			case map[string]any:
				if (node["pattern"] != nil || node["format"] != nil) && node["title"] == nil && kind != schema.Output {
					t.Errorf("%s: %s has a pattern and no title", kind, path)
				}
				if properties, ok := node["properties"].(map[string]any); ok {
					for name, sub := range properties {
						if !described(sub, defs) {
							t.Errorf("%s: %s/%s has no description", kind, path, name)
						}
						walk(path+"/"+name, sub)
					}
				}
				for key, sub := range node {
					if key != "properties" {
						walk(path+"/"+key, sub)
					}
				}
			case []any:
				for _, sub := range node {
					walk(path, sub)
				}
			}
		}
		walk("", document)
	}
}

func described(node any, defs map[string]any) bool {
	object, ok := node.(map[string]any)
	if !ok {
		return false
	}
	if object["description"] != nil {
		return true
	}
	ref, _ := object["$ref"].(string)
	return ref != "" && described(defs[strings.TrimPrefix(ref, "#/$defs/")], defs)
}

// TestCatalogIsSound holds the connections that ship to the schema of a gete.yaml.
func TestCatalogIsSound(t *testing.T) {
	f := catalog.Connections().File
	text := "version: 1\nproject: example-project\nlocation: us-central1\nconnections:\n"
	for _, line := range strings.Split(f.Text, "\n") {
		text += "  " + line + "\n"
	}
	parsed := source.Parse("gete.yaml", text, source.Declarations)
	if len(parsed.Faults) > 0 {
		t.Fatalf("%+v", parsed.Faults)
	}
	for _, v := range schema.Validate(schema.Gete, parsed.Root).Violations {
		t.Errorf("%s: %s", v.Node.Pointer(), v.Message)
	}
}

// TestFormats holds the shapes that are checked in code to their edges, through
// a connection that has them.
func TestFormats(t *testing.T) {
	label63 := strings.Repeat("a", 63)
	long := strings.Repeat(label63+".", 3) + strings.Repeat("a", 57) + ".com" // 253
	tests := []struct {
		key          string
		right, wrong []string
	}{
		{"hosts: [\"%s\"]",
			[]string{"example.com", "a-b.example.co", "xn--bcher-kva.example", label63 + ".com", long, "example.com/a/", "example.com/a.b/~c/", "1.example.com"},
			[]string{"localhost", "Example.com", "example.com.", "-a.com", "a-.com", "a..com", "example.c", "example.c0m", "10.0.0.1", "https://example.com", "example.com:443",
				label63 + "a.com", "a" + long, "example.com/", "example.com/a", "example.com//", "example.com/a//", "example.com/./", "example.com/../", "example.com/A/", "example.com/%61/", "*.example.com"}},
		{"redirect_hosts: [\"%s\"]", []string{"example.com"}, []string{"example.com/a/"}},
		{"mcp: {url: \"%s\"}",
			[]string{"https://example.com", "https://example.com/mcp?x=1", "{base_url}", "{base_url}/mcp", "{base_url}?a", "{base_url}#a"},
			[]string{"http://example.com", "https://", "https:///x", "{base_url}mcp", "{base_url}.example.com", "https://example.com/{base_url}", "{base_url}/{base_url}", "x{base_url}", "{base_url}/a b", "{base_url}/a\u00a0b", "https://a.example.com/\u3000", "https://a\u2028.example.com"}},
		{"verified: {gemini_enterprise: %s}", []string{"2026-08-20", "2024-02-29"}, []string{"2026-02-29", "20-08-2026", "tomorrow"}},
	}
	for _, test := range tests {
		check := func(value string, wants int) {
			text := "version: 1\nproject: example-project\nlocation: us-central1\nconnections:\n  c:\n    " + fmt.Sprintf(test.key, value) + "\n"
			f := source.Parse("gete.yaml", text, source.Declarations)
			if got := len(schema.Validate(schema.Gete, f.Root).Violations); got != wants {
				t.Errorf("%s: %d violations, want %d", fmt.Sprintf(test.key, value), got, wants)
			}
		}
		for _, value := range test.right {
			check(value, 0)
		}
		for _, value := range test.wrong {
			check(value, 1)
		}
	}
}

// TestNumbers gives the validator numbers that it, or the machine, could fall over.
func TestNumbers(t *testing.T) {
	for value, wants := range map[string]int{
		"1": 0, "0.5": 0, "1e3": 0, "0x1F": 0, "0o17": 0, "+1": 0, "1e400": 0, "9" + strings.Repeat("0", 500): 0, "18446744073709551616": 0, "1e-400": 1,
		"0": 1, "-1": 1, "-1e999999999": 1, ".inf": 1, ".nan": 1, "-0": 1, "00": 1,
	} {
		text := "name: a\ndisplay_name: a\ndescription: a\nmodel: a\ninstruction: a\ntools: [{mcp: {url: https://a.example.com, timeout: " + value + "}}]\n"
		f := source.Parse("agent.yaml", text, source.Declarations)
		if got := schema.Validate(schema.Agent, f.Root).Violations; len(got) != wants {
			t.Errorf("timeout: %.40s: %+v", value, got)
		}
	}
}
