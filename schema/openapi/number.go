package openapi

import (
	"math/big"

	"github.com/gete-lint/gete/schema/source"
)

// number is the value of a number; not ok of no node, another node, infinities and
// what is no number, and of one that is written at a length that nobody means.
func number(n *source.Node) (x *big.Float, ok bool) {
	const longest, precision = 400, 512 // in bytes, and in bits
	if n == nil || n.Kind != source.Int && n.Kind != source.Float || len(n.Value) > longest {
		return nil, false
	}
	x, _, err := big.ParseFloat(n.Value, 0, precision, big.ToNearestEven)
	return x, err == nil && !x.IsInf()
}
