package narrow

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
)

// SameJSON says whether two JSON values are the same but for the order of keys and
// white space; numbers are compared by their digits.
func SameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || reflect.DeepEqual(decode(a), decode(b))
}

// decode is a JSON value; nil for none.
func decode(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// SameArguments says whether two tools take the same arguments, but for some that
// only the second has.
func SameArguments(before, after Listed, added []string) bool {
	if SameJSON(before.InputSchema, after.InputSchema) {
		return true
	}
	if len(added) == 0 {
		return false
	}
	only := slices.DeleteFunc(Tool(after, Declaration{}).Arguments, func(name string) bool { return slices.Contains(added, name) })
	d := Declaration{Only: only, Bounded: true}
	was, is := Tool(before, d), Tool(after, d)
	if !was.Offered() || !is.Offered() {
		// What is required newly is said of what was added.
		return was.Offered() && !slices.ContainsFunc(is.Required, func(name string) bool { return !slices.Contains(added, name) })
	}
	return reflect.DeepEqual(was.Schema, is.Schema)
}
