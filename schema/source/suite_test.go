package source_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/source"
)

// suiteDeviations are the cases of the YAML test suite in which this reader
// differs from what the suite expects, and why.
var suiteDeviations = map[string]string{
	"JEF9-02": "a last line of white space without a line end adds no line end to a block scalar",
	"L24T-01": "a last line of white space without a line end adds no line end to a block scalar",
	"QLJ7":    "the fault is in a second document, which is refused before it is read",
}

// TestYAMLTestSuite holds the reader to the YAML test suite: what must be
// refused is refused, and the first document of all else has the value that
// the suite says.
func TestYAMLTestSuite(t *testing.T) {
	data, err := os.ReadFile("testdata/yaml-test-suite.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite []struct {
		ID, Name, YAML string
		JSON           *string
		Events         string
		Error          bool
	}
	if err := json.Unmarshal(data, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite) < 300 {
		t.Fatalf("only %d cases", len(suite))
	}
	for _, c := range suite {
		t.Run(c.ID, func(t *testing.T) {
			differs := suiteDifference(c.YAML, c.JSON, c.Error)
			why, expected := suiteDeviations[c.ID]
			if differs != "" && !expected {
				t.Errorf("%s: %s\n%s\n%s", c.Name, differs, c.YAML, c.Events)
			}
			if differs == "" && expected {
				t.Errorf("%s: no deviation any more (%s)", c.Name, why)
			}
		})
	}
}

func suiteDifference(text string, wantJSON *string, wantError bool) string {
	f := source.Parse("suite.yaml", text, source.Declarations)
	var syntax string
	for _, fault := range f.Faults {
		// The suite is full of tags of its own, which gete refuses on purpose.
		if fault.Code == source.Syntax && !strings.HasPrefix(fault.Message, "this tag ") {
			syntax = fault.Message
		}
	}
	if wantError {
		if syntax == "" {
			return "accepted"
		}
		return ""
	}
	if syntax != "" {
		return "refused: " + syntax
	}
	if wantJSON == nil || f.Root == nil {
		return ""
	}
	decoder := json.NewDecoder(strings.NewReader(*wantJSON))
	var want any
	if err := decoder.Decode(&want); err != nil && err != io.EOF {
		return err.Error()
	}
	got := plainValue(f.Root)
	if !reflect.DeepEqual(got, want) {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		return "got  " + string(g) + "\nwant " + string(bytes.TrimSpace(w))
	}
	return ""
}

// plainValue is what a JSON decoder would make of the node.
func plainValue(n *source.Node) any {
	switch n.Kind {
	case source.Null:
		return nil
	case source.Bool:
		return strings.EqualFold(n.Value, "true")
	case source.Int:
		i, err := strconv.ParseInt(n.Value, 0, 64)
		if err != nil {
			return n.Value
		}
		return float64(i)
	case source.Float:
		x, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return n.Value
		}
		return x
	case source.Sequence:
		items := []any{}
		for _, item := range n.Items {
			items = append(items, plainValue(item))
		}
		return items
	case source.Mapping:
		fields := map[string]any{}
		for _, f := range n.Fields {
			fields[f.Key.Value] = plainValue(f.Value)
		}
		return fields
	}
	return n.Value
}
