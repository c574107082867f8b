package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// JSON is a node as the validator takes it: nil, a boolean, a number, a string,
// a []any or a map[string]any. The reader has bounded how deep
// and how large the tree is.
func JSON(n *source.Node) any {
	switch n.Kind {
	case source.Null:
		return nil
	case source.Bool:
		return strings.EqualFold(n.Value, "true")
	case source.Int:
		return integer(n.Value)
	case source.Float:
		return float(n.Value)
	case source.Sequence:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = JSON(item)
		}
		return items
	case source.Mapping:
		fields := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			fields[f.Key.Value] = JSON(f.Value)
		}
		return fields
	}
	return n.Value
}

// maxDigits bounds the integers whose digits the validator is given: its
// arithmetic is exact, and costs what the digits do.
const maxDigits = 64

func integer(s string) any {
	base := 10
	digits := strings.TrimLeft(s, "+")
	if rest, ok := strings.CutPrefix(digits, "0x"); ok {
		base, digits = 16, rest
	} else if rest, ok := strings.CutPrefix(digits, "0o"); ok {
		base, digits = 8, rest
	}
	if n, err := strconv.ParseInt(digits, base, 64); err == nil {
		return n
	}
	if base == 10 && len(digits) <= maxDigits {
		negative := strings.HasPrefix(digits, "-")
		digits = strings.TrimLeft(strings.TrimPrefix(digits, "-"), "0")
		if negative {
			digits = "-" + digits
		}
		return json.Number(digits)
	}
	return math.MaxFloat64
}

// notFinite stands for .inf and .nan, which are numbers but none in JSON: the
// validator takes a value of a type of its own for wrong wherever it stands.
type notFinite struct{}

// float is a number within the range of a float64.
func float(s string) any {
	x, err := strconv.ParseFloat(strings.TrimLeft(s, "+"), 64)
	switch {
	case strings.Contains(s, "n") || strings.Contains(s, "N"):
		return notFinite{}
	case err != nil && x > 0:
		return math.MaxFloat64
	case err != nil && x < 0:
		return -math.MaxFloat64
	}
	return x
}
