package pyregex

const (
	// maxLookBehind is the widest look-behind: its width must fit into one
	// 32-bit word of the compiled pattern (MAXCODE in Lib/re/_compiler.py).
	maxLookBehind = 1<<32 - 1
	// maxWidth stands for every greater width too. No such width is allowed
	// in a look-behind, so how great it is makes no difference. The product
	// of maxWidth and a repetition still fits into 64 bits.
	maxWidth = maxLookBehind + 1
)

// A width is how many code points a part of a pattern can match. A look-behind
// needs one whose bounds are equal.
type width struct {
	least, most uint64
}

// one returns the width of a single character.
func one() width { return width{1, 1} }

// plus returns the width of w followed by v.
func (w width) plus(v width) width {
	return width{min(w.least+v.least, maxWidth), min(w.most+v.most, maxWidth)}
}

// or returns the width of either w or v.
func (w width) or(v width) width {
	return width{min(w.least, v.least), max(w.most, v.most)}
}

// repeat returns the width of w repeated within the bounds.
func (w width) repeat(b bounds) width {
	repeated := width{min(w.least*b.least, maxWidth), min(w.most*b.most, maxWidth)}
	if b.most == unbounded && w.most > 0 {
		repeated.most = maxWidth
	}
	return repeated
}
