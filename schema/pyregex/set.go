package pyregex

// A member is an element of a character set: a character, or one of the
// categories such as \d.
type member struct {
	char     rune // unless it is a category
	category bool
}

// set reads the rest of a character set. A ] that comes first is a literal.
func (p *parser) set(open token) error {
	p.accept('^')
	for first := true; ; first = false {
		t := p.get()
		if t.is(']') && !first {
			return nil
		}
		low, err := p.member(open, t)
		if err != nil {
			return err
		}
		if !p.accept('-') {
			continue
		}
		u := p.get()
		if u.is(']') {
			return nil // the hyphen before it is a literal
		}
		high, err := p.member(open, u)
		if err != nil {
			return err
		}
		if err := checkRange(t, low, high); err != nil {
			return err
		}
	}
}

// member reads the member of a set that a token opens.
func (p *parser) member(open, t token) (member, error) {
	switch {
	case t.is(end):
		return member{}, errorAt(open.offset, "no ] closes the set opened here")
	case !t.escaped:
		return member{char: t.char}, nil
	case isCategory(t.char):
		return member{category: true}, nil
	case '0' <= t.char && t.char <= '7':
		char, err := octal(t, string(t.char)+p.digits(8, 2))
		return member{char: char}, err
	case t.char == '8', t.char == '9':
		return member{}, errorAt(t.offset, "unknown escape %s", t)
	}
	char, err := p.charEscape(t)
	return member{char: char}, err
}

// checkRange refuses a range without two characters in order. The token is
// where the range starts.
func checkRange(t token, low, high member) error {
	switch {
	case low.category || high.category:
		return errorAt(t.offset, "a range cannot start or end with a set of characters")
	case low.char == unknownChar || high.char == unknownChar:
		return nil
	case high.char < low.char:
		return errorAt(t.offset, "the range ends with %q, which is before %q", high.char, low.char)
	}
	return nil
}
