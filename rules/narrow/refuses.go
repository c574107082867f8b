package narrow

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// refuses says why schemas refuse a value, as in "value must be one of 'a', 'b'"; ""
// where they take it, or where that cannot be told. The schemas are parts of the
// original, to which their references lead.
func refuses(original map[string]any, schemas []any, value any) string {
	if len(schemas) == 0 {
		return ""
	}
	schema := relocate(map[string]any{"allOf": clone(schemas)}, original)
	if !countable(value) {
		return ""
	}
	if draft, ok := original["$schema"].(string); ok {
		schema["$schema"] = draft
	}
	judge, err := NewJudge(schema)
	if err != nil {
		return ""
	}
	var refused *jsonschema.ValidationError
	if err := judge.Validate(value); errors.As(err, &refused) {
		return leaf(refused)
	}
	return ""
}

// cyclic says whether an error is, in part, that references lead back to themselves, of
// the same value: that is a fault of the schema, which says nothing of the value.
func cyclic(e *jsonschema.ValidationError) bool {
	_, is := e.ErrorKind.(*kind.RefCycle)
	return is || slices.ContainsFunc(e.Causes, cyclic)
}

// leaf is what an error of one value comes down to.
func leaf(e *jsonschema.ValidationError) string {
	at, why := reason(e)
	if len(at) > 0 {
		return "`" + strings.Join(at, ".") + "` in it: " + why
	}
	return why
}

// reason is what an error comes down to, and where in the value: of several reasons,
// whose order the library leaves to chance, the first by its place and text.
func reason(e *jsonschema.ValidationError) (at []string, why string) {
	return reasonIn(message.NewPrinter(language.English), e)
}

func reasonIn(english *message.Printer, e *jsonschema.ValidationError) (at []string, why string) {
	if len(e.Causes) == 0 {
		return e.InstanceLocation, e.ErrorKind.LocalizedString(english)
	}
	for i, cause := range e.Causes {
		place, text := reasonIn(english, cause)
		if i == 0 || slices.Compare(append(slices.Clip(place), text), append(slices.Clip(at), why)) < 0 {
			at, why = place, text
		}
	}
	return at, why
}

// maxExponent bounds the numbers whose value is worked out: that of 1e999999999
// has a thousand million digits.
const maxExponent = 400

// maxDigits bounds the length of such a number: what is worked out of it takes a time
// that grows with the square of that.
const maxDigits = 400

// countable says whether the numbers in a value can be worked with.
func countable(v any) bool {
	switch v := v.(type) {
	case json.Number:
		if len(v) > maxDigits {
			return false
		}
		_, exponent, ok := strings.Cut(strings.ToLower(v.String()), "e")
		n, err := strconv.Atoi(exponent)
		return !ok || err == nil && n <= maxExponent && n >= -maxExponent
	case map[string]any:
		for _, x := range v {
			if !countable(x) {
				return false
			}
		}
	case []any:
		for _, x := range v {
			if !countable(x) {
				return false
			}
		}
	}
	return true
}
