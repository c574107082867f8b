// Package schema says what shape a declaration has. The shapes are JSON
// Schemas, which editors read too; Validate turns what they find into one
// violation for each fault, on the node where it is.
package schema

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Kind is a kind of document that has a schema.
type Kind string

// The kinds. Output is what `gete validate --format json` prints.
const (
	Gete       Kind = "gete"
	Agent      Kind = "agent"
	Policy     Kind = "policy"
	Connection Kind = "connection"
	Config     Kind = "config"
	Output     Kind = "output"
)

// Kinds are all kinds, in the order in which they are listed to users.
func Kinds() []Kind { return []Kind{Gete, Agent, Policy, Connection, Config, Output} }

//go:embed *.json
var files embed.FS

// connectionRef is how gete.json refers to the schema of a connection.
const connectionRef = `"$ref": "connection.json"`

// Text is the JSON Schema of a kind, draft 2020-12, complete in itself. The
// error says which kinds there are.
func Text(kind Kind) ([]byte, error) {
	text, err := files.ReadFile(string(kind) + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no kind %q: the kinds are %s", kind, names(Kinds()))
	}
	if !bytes.Contains(text, []byte(connectionRef)) {
		return text, nil
	}
	connection, err := files.ReadFile("connection.json")
	if err != nil {
		return nil, err
	}
	// Inside another schema the connection's must not be a document of its own.
	for _, keyword := range []string{"$schema", "$id"} {
		start := bytes.Index(connection, []byte(`  "`+keyword))
		end := start + bytes.IndexByte(connection[start:], '\n') + 1
		connection = append(bytes.Clone(connection[:start]), connection[end:]...)
	}
	bundled := strings.TrimSuffix(strings.TrimSpace(string(text)), "}")
	bundled = strings.TrimRight(bundled, "\n") + ",\n" + `  "$defs": {"connection": ` + strings.TrimSpace(string(connection)) + "}\n}"
	bundled = strings.Replace(bundled, connectionRef, `"$ref": "#/$defs/connection"`, 1)
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(bundled), "", "  "); err != nil {
		return nil, err
	}
	return append(indented.Bytes(), '\n'), nil
}

func names(kinds []Kind) string {
	var b strings.Builder
	for i, k := range kinds {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(k))
	}
	return b.String()
}

// compiled holds the schema of each kind, compiled when it is first asked for.
var compiled = map[Kind]func() *jsonschema.Schema{
	Gete:   sync.OnceValue(func() *jsonschema.Schema { return compile(Gete) }),
	Agent:  sync.OnceValue(func() *jsonschema.Schema { return compile(Agent) }),
	Policy: sync.OnceValue(func() *jsonschema.Schema { return compile(Policy) }),
	Config: sync.OnceValue(func() *jsonschema.Schema { return compile(Config) }),
}

// refuseLoader keeps the library from reading schemas from anywhere.
type refuseLoader struct{}

func (refuseLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not embedded", url)
}

// embedded is the URL that schemas are compiled under. The library holds every
// schema against the metaschema of its draft, which takes it half of the time,
// but for those under json-schema.org; a test does that instead.
const embedded = "https://json-schema.org/gete"

// compile compiles an embedded schema; one that does not compile is a fault of
// the program, and a test compiles them all.
func compile(kind Kind) *jsonschema.Schema {
	text, err := Text(kind)
	if err != nil {
		panic(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuseLoader{})
	c.AssertFormat()
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return compilePattern(pattern) })
	for _, format := range formats() {
		c.RegisterFormat(format)
	}
	if err := c.AddResource(embedded, document); err != nil {
		panic(err)
	}
	return c.MustCompile(embedded)
}

// Prepare compiles the schema of a kind, so that a later Validate need not.
func Prepare(kind Kind) { compiled[kind]() }
