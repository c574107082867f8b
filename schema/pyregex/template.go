package pyregex

import "strconv"

// Template checks a replacement that re.sub is to use with the pattern. The
// error is a *GroupError if the replacement refers to a group that the pattern
// lacks, and an *Error if it has another fault. If the pattern is undecided,
// any group may exist.
func (p *Pattern) Template(replacement string) error {
	s, err := newScanner(replacement)
	if err != nil {
		return err
	}
	for t := s.get(); !t.is(end); t = s.get() {
		if !t.escaped {
			continue
		}
		if err := p.templateEscape(&s, t); err != nil {
			return err
		}
	}
	return nil
}

// templateEscape checks one escape of a replacement.
func (p *Pattern) templateEscape(s *scanner, t token) error {
	switch {
	case t.char == 'g':
		return p.templateGroup(s, t)
	case t.char == '0':
		return nil // what follows is an octal digit or a literal
	case '1' <= t.char && t.char <= '9':
		number, isChar, err := s.numberEscape(t)
		if err != nil || isChar {
			return err
		}
		return p.checkNumber(number, strconv.Itoa(number))
	}
	_, err := simpleEscape(t)
	return err
}

// templateGroup checks the rest of \g<name> or \g<number>.
func (p *Pattern) templateGroup(s *scanner, t token) error {
	if !s.accept('<') {
		return errorAt(t.offset, `\g needs a group name in angle brackets`)
	}
	at := s.peek().offset
	name, err := s.until('>', "group name")
	if err != nil {
		return err
	}
	if isIdentifier(name) {
		if _, ok := p.Names[name]; !ok && !p.Undecided {
			return &GroupError{Group: name}
		}
		return nil
	}
	number, ok := parseInt(name)
	if !ok {
		return errorAt(at, "%s is neither a group name nor a group number", quote(name))
	}
	return p.checkNumber(number, name)
}

// checkNumber refuses the number of a group that the pattern lacks. Group 0
// is the whole match.
func (p *Pattern) checkNumber(number int, text string) error {
	if number > p.Groups && !p.Undecided {
		return &GroupError{Group: text}
	}
	return nil
}
