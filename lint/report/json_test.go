package report_test

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/schema/source"
)

var outputSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	f, err := os.Open("../../schema/output.json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	schema, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("output.json", schema); err != nil {
		return nil, err
	}
	return c.Compile("output.json")
})

// checkJSON checks what holds for every JSON report.
func checkJSON(t *testing.T, text string) {
	t.Helper()
	schema, err := outputSchema()
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v in:\n%s", err, text)
	}
	checkText(t, text)
}

func TestJSONSchema(t *testing.T) {
	for _, limit := range []int{0, 1} {
		checkJSON(t, write(t, "json", several(), report.Options{Version: "0.1.0", Max: limit}))
	}
	checkJSON(t, write(t, "json", result(), report.Options{}))
	checkJSON(t, write(t, "json", relatedFiles(), report.Options{}))
}

// A program gets the path and the pointer as they are, whatever they hold.
func TestJSONKeepsStrings(t *testing.T) {
	const odd = "/<a>&\"\\\n\x1b\x7f\u009b\u2028\u202e\U000e0041界\u00a0"
	f := &source.File{Path: odd, Text: "a: b"}
	d := finding(at(f, "b"), "", related(at(f, "a"), "here"))
	d.Pointer = odd
	text := write(t, "json", result(d), report.Options{Version: odd})
	checkJSON(t, text)
	var got struct {
		Gete        string
		Diagnostics []struct {
			Path, Pointer string
			Related       []struct{ Path string }
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	strs := []string{got.Gete, got.Diagnostics[0].Path, got.Diagnostics[0].Pointer, got.Diagnostics[0].Related[0].Path}
	if diff := cmp.Diff([]string{odd, odd, odd, odd}, strs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(text, `<a>&`) {
		t.Errorf("HTML is escaped:\n%s", text)
	}
}

func TestJSONIsUTF8(t *testing.T) {
	f := &source.File{Path: "\xff", Text: "a: \xff"}
	d := finding(at(f, "\xff"), "")
	d.Message, d.Pointer = "\xff", "/\xff"
	if text := write(t, "json", result(d), report.Options{}); !utf8.ValidString(text) {
		t.Errorf("%q", text)
	}
}
