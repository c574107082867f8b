package narrow

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Check judges the arguments of calls by a narrowed inputSchema.
type Check struct{ schema *jsonschema.Schema }

// NewCheck prepares a schema. One that is no JSON Schema lets everything through, as the
// server itself then does or does not.
func NewCheck(schema map[string]any) Check {
	if !countable(schema) {
		return Check{}
	}
	compiled, err := Compile(schema)
	if err != nil {
		return Check{}
	}
	return Check{compiled}
}

// maxValues bounds the values that are judged at a time: each may be a reason of its own.
const maxValues = 100_000

// count counts the values in a value, itself included.
func count(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n += count(x)
		}
	case map[string]any:
		for _, x := range v {
			n += count(x)
		}
	}
	return n
}

// Refuses says why the schema refuses arguments, as in "`limit`: got string, want
// integer"; "" where it takes them, or where that cannot be told. The reason may quote
// what was written.
func (c Check) Refuses(arguments map[string]json.RawMessage) (why string) {
	if c.schema == nil {
		return ""
	}
	defer func() {
		// The library panics on some numbers that JSON allows and it cannot hold.
		if recover() != nil {
			why = ""
		}
	}()
	value := make(map[string]any, len(arguments))
	left := maxValues
	for name, raw := range arguments {
		if !shallow(raw) {
			return fmt.Sprintf("`%s` is nested more than %d levels deep", name, maxDepth)
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return fmt.Sprintf("`%s` is not JSON: %v", name, err)
		}
		if !countable(v) {
			return fmt.Sprintf("`%s` holds a number too large to be worked with", name)
		}
		if left -= count(v); left < 0 {
			return fmt.Sprintf("the arguments hold more than %d values", maxValues)
		}
		value[name] = v
	}
	var refused *jsonschema.ValidationError
	if err := c.schema.Validate(value); errors.As(err, &refused) && !cyclic(refused) {
		at, why := reason(refused)
		if len(at) > 0 {
			return "`" + strings.Join(at, ".") + "`: " + why
		}
		return why
	}
	return ""
}
