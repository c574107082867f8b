package narrow

import (
	"encoding/json"
	"fmt"
)

// maxValues bounds the values in the arguments of a call: each may be refused for a reason
// of its own.
const maxValues = 100_000

// Arguments reads the arguments of a call, a JSON object; none and null are no arguments.
// A number keeps its digits, and of a key that is there twice, the last value counts. Why
// says what cannot be worked with, as in "are no JSON object"; "" for nothing.
func Arguments(raw json.RawMessage) (arguments map[string]any, why string) {
	if len(raw) == 0 {
		return map[string]any{}, ""
	}
	if !json.Valid(raw) {
		return nil, "are no JSON object"
	}
	if !shallow(raw) {
		return nil, fmt.Sprintf("are nested more than %d levels deep", maxDepth)
	}
	switch v := decode(raw).(type) {
	case nil:
		return map[string]any{}, ""
	case map[string]any:
		if !countable(v) {
			return nil, "hold a number too large to be worked with"
		}
		if count(v) > maxValues {
			return nil, fmt.Sprintf("hold more than %d values", maxValues)
		}
		return v, ""
	}
	return nil, "are no JSON object"
}

// count counts the values in a value, without itself.
func count(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n += 1 + count(x)
		}
	case map[string]any:
		for _, x := range v {
			n += 1 + count(x)
		}
	}
	return n
}
