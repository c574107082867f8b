package openapi_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
)

// checkSame holds what a text is read as lazily to what it is read as when it is
// parsed whole, operation by operation and schema by schema. Only in YAML may the
// lazy reader not see a fault, in what nobody asks for.
func checkSame(t *testing.T, text string) {
	t.Helper()
	whole, wholeErr := openapi.OpenWhole("api.yaml", text)
	lazy, lazyErr := openapi.Open("api.yaml", text)
	for _, err := range []error{wholeErr, lazyErr} {
		checkInvalid(t, err)
	}
	switch {
	case wholeErr == nil && lazyErr != nil:
		t.Fatalf("lazily it is invalid: %v\n%s", lazyErr, excerpt(text))
	case wholeErr != nil && lazyErr == nil:
		if strings.HasPrefix(strings.TrimLeft(text, "\uFEFF \t\r\n"), "{") {
			t.Fatalf("lazily it is valid, and not whole: %v\n%s", wholeErr, excerpt(text))
		}
		dump(lazy, lazy.OperationIDs())
		return
	case wholeErr != nil:
		return
	}
	if a, b := dump(lazy, lazy.OperationIDs()), dump(whole, whole.OperationIDs()); a != b {
		t.Fatalf("lazily it is\n%s\nwhole\n%s\n%s", firstDifference(a, b), firstDifference(b, a), excerpt(text))
	}
}

func checkInvalid(t *testing.T, err error) {
	t.Helper()
	var invalid *openapi.Invalid
	switch {
	case err == nil:
	case !errors.As(err, &invalid):
		t.Fatalf("the error is a %T", err)
	case invalid.Message == "" || invalid.File == nil || invalid.Start < 0 || invalid.End < invalid.Start || invalid.End > len(invalid.File.Text):
		t.Fatalf("the error is %+v", invalid)
	}
}

func excerpt(text string) string { return text[:min(len(text), 4000)] }

// firstDifference is the line in which a first differs from b, and some before it.
func firstDifference(a, b string) string {
	lines, others := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i, line := range lines {
		if i == len(others) || line != others[i] {
			return strings.Join(lines[max(0, i-3):i+1], "\n")
		}
	}
	return "the same, and less"
}

// dump writes down all that the API says of some operations.
func dump(d *openapi.Description, ids []string) string {
	w := &dumper{}
	w.line("ids %q", d.OperationIDs())
	w.nodes("external paths", d.ExternalPaths()...)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		operations, err := d.Operations(id)
		if err != nil {
			w.line("operation %q is invalid: %v", id, err)
		}
		for _, o := range operations {
			w.line("operation %q %s partial %v", id, o.Method, o.Partial)
			w.nodes("at", o.ID, o.Path)
			w.nodes("external", o.External...)
			for _, p := range o.Parameters {
				w.line("parameter %q in %s required %v", p.Name, p.In, p.Required)
				w.nodes("at", p.Node)
				w.schema(p.Schema, 2)
			}
			if o.Body != nil {
				w.line("body required %v JSON %v", o.Body.Required, o.Body.JSON)
				w.nodes("at", o.Body.Node)
				w.schema(o.Body.Schema, 4)
			}
		}
	}
	return w.String()
}

type dumper struct{ strings.Builder }

func (w *dumper) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *dumper) nodes(what string, nodes ...*source.Node) {
	for _, n := range nodes {
		w.line("%s %d-%d %v %q", what, n.Start, n.End, n.Kind, n.Value)
		if n.Key != nil {
			w.line("  key %d %q", n.Key.Start, n.Key.Value)
		}
	}
}

// probes are the values that schemas are asked to refuse.
var probes = source.Parse("probes.yaml", `
- null
- true
- 25
- -3
- 2.5
- ""
- a
- some text 12
- [1, a]
- {name: 1, id: a}
- []
`, source.Declarations).Root.Items

func (w *dumper) schema(s *openapi.Schema, depth int) {
	w.nodes("schema", s.Node())
	w.line("types %v object %v enumerable %v external %v required %q", s.Types(), s.IsObject(), s.Enumerable(), s.External(), s.Required())
	for _, probe := range probes {
		w.line("refuses %s: %s", probe.Written(), s.Refuses(probe))
	}
	for _, name := range s.PropertyNames() {
		p, found := s.Property(name)
		w.line("property %q %v", name, found)
		if depth > 0 {
			w.schema(p, depth-1)
		}
	}
}
