// Package openapi reads descriptions of APIs, OpenAPI 3.0 and 3.1 in YAML or
// JSON (spec.openapis.org/oas/v3.0.4 and v3.1.1), as far as it takes to judge
// what a declaration says of single operations: their parameters, and their body
// if it is JSON.
//
// A description may have ten megabytes and more, and a pre-commit hook reads it
// at every commit, so it is read lazily: one scan finds the operations, and of
// the text only what the operations asked for are made of is parsed. Where the
// scan is not certain of the layout, the text is parsed whole; the two give the
// same result.
package openapi

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gete-lint/gete/schema/source"
)

// A Description is an OpenAPI description. It may be used concurrently.
type Description struct {
	tree      *tree
	draft2020 bool // version 3.1 or later, whose schemas are JSON Schema 2020-12

	found         []found          // in the order of the text
	byID          map[string][]int // in found, by operationId
	externalPaths []*source.Node

	mu    sync.Mutex            // for the tree, and for read
	read  map[string]selection  // what was asked for, by operationId
	local map[*source.Node]bool // schemas that lead nowhere outside the file, at any depth
}

// Invalid says why a text is no description. It is an error whose text is Message.
type Invalid struct {
	Message string // what is wrong, without a final full stop
	Help    string // what would pass; may be empty
	// Start and End are byte offsets in File of where it is wrong.
	Start, End int
	File       *source.File
}

func (e *Invalid) Error() string { return e.Message }

// invalid is a text that is not YAML or JSON.
func (t *tree) invalid(fault *source.Fault) *Invalid {
	return &Invalid{
		Message: "it is not YAML or JSON: " + fault.Message, Help: fault.Help,
		Start: fault.Start, End: fault.End, File: t.file,
	}
}

// Open reads the text of a description; path names it in reports. The error, if
// there is one, is an *Invalid: the text is not YAML or JSON, or it is no map with
// an openapi key that says 3.x and a map of paths.
//
// A fault of JSON is found wherever it is, and a text that breaks off is found.
// Another fault of YAML may show only when Operations asks for what it is in.
func Open(path, text string) (*Description, error) {
	return open(path, text, true)
}

// open reads a description, and parses it whole at once if it is not to be lazy.
func open(path, text string, lazy bool) (*Description, error) {
	if e := unreadable(path, text); e != nil {
		return nil, e
	}
	t := newTree(path, text)
	if fault := fatal(t.file.Faults); fault != nil {
		return nil, t.invalid(fault)
	}
	if !lazy && t.whole() == nil {
		return nil, t.broken
	}
	d := &Description{tree: t, byID: map[string][]int{}, read: map[string]selection{}, local: map[*source.Node]bool{}}
	var e *Invalid
	broken := t.try(func() {
		t.parseLast()
		if e = d.checkTop(); e == nil {
			d.index()
		}
	})
	switch {
	case broken != nil: // what the check misses is perhaps there
		return nil, broken
	case e != nil:
		return nil, e
	}
	return d, nil
}

// unreadable says why a text cannot be parsed, or would only be refused for
// something that is beside the point.
func unreadable(path, text string) *Invalid {
	file := &source.File{Path: path}
	start := strings.TrimLeft(strings.TrimPrefix(text, "\uFEFF"), " \t\r\n")
	switch {
	case int64(len(text)) > source.Descriptions.Bytes:
		return &Invalid{File: file, Message: fmt.Sprintf("it is larger than %d MiB", source.Descriptions.Bytes>>20)}
	case !utf8.ValidString(text):
		return &Invalid{File: file, Message: "it is " + source.CheckText([]byte(text)).Error()}
	case start == "":
		return &Invalid{File: file, Message: "it is empty"}
	}
	for _, tag := range []string{"<!", "<?xml", "<html"} {
		if len(start) >= len(tag) && strings.EqualFold(start[:len(tag)], tag) {
			file.Text = text
			at := len(text) - len(start)
			return &Invalid{
				File: file, Start: at, End: at + len(tag), Message: "it is HTML or XML, not YAML or JSON",
				Help: "download the description itself, not the page that shows it",
			}
		}
	}
	return nil
}

// fatal is the first fault that leaves no doubt that the text is not what its
// author meant it to be, or that the agents' runtime refuses it. A key that is
// named twice is not: the runtime takes it.
func fatal(faults []source.Fault) *source.Fault {
	for i := range faults {
		if faults[i].Code != source.DuplicateKey {
			return &faults[i]
		}
	}
	return nil
}

// parseLast parses the last of what the scan finds in the upper mappings. A text
// that breaks off breaks there.
func (t *tree) parseLast() {
	p := t.top
	const levels = 3 // as in components, schemas, a name
	for range levels {
		fields := t.fields(p)
		if len(fields) == 0 || p.node != nil {
			break
		}
		p = fields[len(fields)-1].value
	}
	t.node(p)
}

// checkTop checks the top level of the document.
func (d *Description) checkTop() *Invalid {
	t := d.tree
	wrong := func(n *source.Node, message, help string) *Invalid {
		return &Invalid{Message: message, Help: help, Start: n.Start, End: n.End, File: t.file}
	}
	const convert = "convert it to OpenAPI 3, as most API tools can"
	switch kind := t.kind(t.top); kind {
	case source.Mapping:
	case source.Null:
		return wrong(&source.Node{}, "it is empty", "")
	default:
		return wrong(&source.Node{}, "it is "+kind.String()+", and a description is a map", "")
	}
	if swagger := t.topValue("swagger"); swagger != nil {
		return wrong(swagger, "it is Swagger "+source.Printable(swagger.Value)+", and only OpenAPI 3 is read", convert)
	}
	version := t.topValue("openapi")
	if version == nil {
		return wrong(&source.Node{}, "it has no openapi key, which says the version", "a description begins with openapi: 3.0.3, or another 3.x")
	}
	minor, ok := strings.CutPrefix(version.Value, "3.")
	if !ok || !version.IsScalar() || minor == "" || minor[0] < '0' || minor[0] > '9' {
		return wrong(version, "its openapi version is "+source.Printable(version.Written())+", and only 3.x is read", convert)
	}
	d.draft2020 = minor != "0" && !strings.HasPrefix(minor, "0.")

	paths, ok := t.get(t.top, "paths")
	if !ok {
		return wrong(version, "it has no paths, and so no operations", "")
	}
	if kind := t.kind(paths); kind != source.Mapping {
		return wrong(t.node(paths), "its paths are "+kind.String()+", not a map", "")
	}
	return nil
}

// kind is what is at a place; a map where the text is broken.
func (t *tree) kind(p place) source.Kind {
	if len(t.fields(p)) > 0 {
		return source.Mapping
	}
	if n := t.node(p); n != nil {
		return n.Kind
	}
	return source.Mapping
}

// topValue is the value of a key at the top of the document, or nil.
func (t *tree) topValue(name string) *source.Node {
	p, ok := t.get(t.top, name)
	if !ok {
		return nil
	}
	return t.node(p)
}

// File is the text of the description, for the places in it. It has neither a
// Root nor comments.
func (d *Description) File() *source.File { return d.tree.file }
