package pyregex

import "strconv"

// unbounded is the upper bound of a repetition without one (MAXREPEAT in
// CPython). A count in braces must be less.
const unbounded = 1<<32 - 1

// bounds say how often a quantifier repeats an item.
type bounds struct {
	least, most uint64
}

// quantifier reads the quantifier that a token opens, without the ? or + that
// may follow it. It returns false if the token opens none: a { without a
// proper count is a literal.
func (p *parser) quantifier(t token) (bounds, bool, error) {
	switch {
	case t.is('?'):
		return bounds{0, 1}, true, nil
	case t.is('*'):
		return bounds{0, unbounded}, true, nil
	case t.is('+'):
		return bounds{1, unbounded}, true, nil
	case t.is('{'):
		start := p.next
		b, ok, err := p.braces(t)
		if !ok {
			p.next = start
		}
		return b, ok, err
	}
	return bounds{}, false, nil
}

// braces reads the rest of {m}, {m,}, {,n}, {m,n} or {,}.
func (p *parser) braces(open token) (bounds, bool, error) {
	if p.peek().is('}') {
		return bounds{}, false, nil // {} is a literal, though {,} is not
	}
	least := p.digits(10, 0)
	most := least
	if p.accept(',') {
		most = p.digits(10, 0)
	}
	if !p.accept('}') {
		return bounds{}, false, nil
	}
	b := bounds{0, unbounded}
	var err error
	if least != "" {
		if b.least, err = count(open, least); err != nil {
			return bounds{}, false, err
		}
	}
	if most != "" {
		if b.most, err = count(open, most); err != nil {
			return bounds{}, false, err
		}
	}
	if b.most < b.least {
		return bounds{}, false, errorAt(open.offset, "the repetition has a minimum of %d above its maximum of %d", b.least, b.most)
	}
	return b, true, nil
}

// count returns the value of a count in the braces that a token opens.
func count(open token, digits string) (uint64, error) {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n >= unbounded || len(digits) > maxIntDigits {
		return 0, errorAt(open.offset, "the repetition count is too large")
	}
	return n, nil
}

// repeat applies the quantifier that a token opened to the item before it,
// and steps over the ? of a lazy quantifier or the + of a possessive one.
func (p *parser) repeat(t token, last item, b bounds) (item, error) {
	switch {
	case last.kind == nothing:
		return item{}, errorAt(t.offset, "there is nothing before %s to repeat", t)
	case last.kind == anchor:
		return item{}, errorAt(t.offset, "%s cannot repeat a position", t)
	case last.kind == repeated:
		return item{}, errorAt(t.offset, "%s follows another quantifier", t)
	case p.flags&flagTemplate != 0:
		return item{}, errorAt(t.offset, "flag t allows no quantifier")
	}
	if !p.accept('?') {
		p.accept('+')
	}
	return item{repeated, last.width.repeat(b)}, nil
}
