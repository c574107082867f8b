package pyregex

// group reads a group, or what else an opening parenthesis can start.
func (p *parser) group(open token, leading bool) (item, error) {
	if !p.accept('?') {
		return p.capture(open)
	}
	t := p.get()
	switch {
	case t.is(':'), t.is('>'):
		w, err := p.body(open)
		return item{atom, w}, err
	case t.is('='), t.is('!'):
		_, err := p.body(open)
		return item{kind: atom}, err
	case t.is('<'):
		return item{kind: atom}, p.behind(open)
	case t.is('P'):
		return p.named(open)
	case t.is('('):
		return p.conditional(open)
	case t.is('#'):
		return item{}, p.comment(open)
	case t.is('-'), t.flag() != 0:
		return p.flagGroup(open, t, leading)
	}
	return item{}, unknownGroup(open, "(?", t)
}

// unknownGroup returns the fault of a group in which an unknown token follows
// a known start.
func unknownGroup(open token, start string, t token) error {
	if t.is(end) {
		return errorAt(open.offset, "the pattern ends right after %s", start)
	}
	return errorAt(open.offset, "no group starts with %s", quote(start+t.String()))
}

// body reads the rest of a group up to the ) that closes it.
func (p *parser) body(open token) (width, error) {
	if err := p.enter(); err != nil {
		return width{}, err
	}
	w, err := p.alternation()
	if err != nil {
		return width{}, err
	}
	return w, p.leave(open)
}

// enter notes that the parser goes into a group.
func (p *parser) enter() error {
	if p.depth == maxDepth {
		return errTooDeep
	}
	p.depth++
	return nil
}

// leave steps over the ) of a group that enter went into.
func (p *parser) leave(open token) error {
	p.depth--
	if !p.accept(')') {
		return errorAt(open.offset, "no ) closes the group opened here")
	}
	return nil
}

// capture reads the body of a capturing group.
func (p *parser) capture(open token) (item, error) {
	number := len(p.groups)
	p.groups = append(p.groups, group{})
	w, err := p.body(open)
	p.groups[number] = group{closed: true, width: w}
	return item{atom, w}, err
}

// named reads the rest of (?P<name>...) or (?P=name).
func (p *parser) named(open token) (item, error) {
	switch t := p.get(); {
	case t.is('<'):
		at := p.peek().offset
		name, err := p.name('>')
		if err != nil {
			return item{}, err
		}
		if number, ok := p.names[name]; ok {
			return item{}, errorAt(at, "group name %s is already that of group %d", quote(name), number)
		}
		p.names[name] = len(p.groups)
		return p.capture(open)
	case t.is('='):
		at := p.peek().offset
		name, err := p.name(')')
		if err != nil {
			return item{}, err
		}
		number, ok := p.names[name]
		if !ok {
			return item{}, errorAt(at, "there is no group %s before this", quote(name))
		}
		return p.backReference(number, at)
	default:
		return item{}, unknownGroup(open, "(?P", t)
	}
}

// name reads a group name and its terminator.
func (p *parser) name(terminator rune) (string, error) {
	at := p.peek().offset
	name, err := p.until(terminator, "group name")
	if err != nil {
		return "", err
	}
	if !isIdentifier(name) {
		return "", errorAt(at, "group name %s is not an identifier", quote(name))
	}
	return name, nil
}

// backReference returns the item that matches what a group matched. The
// group must be closed, and so be before the reference.
func (p *parser) backReference(number, at int) (item, error) {
	switch {
	case number >= len(p.groups):
		return item{}, errorAt(at, "there is no group %d before this", number)
	case !p.groups[number].closed:
		return item{}, errorAt(at, "group %d refers to itself", number)
	}
	return item{atom, p.groups[number].width}, p.checkLookBehind(number, at)
}

// checkLookBehind refuses, within a look-behind, a reference to a group that
// is not closed or that is part of the look-behind.
func (p *parser) checkLookBehind(number, at int) error {
	switch {
	case p.lookBehind == 0:
		return nil
	case number >= p.lookBehind:
		return errorAt(at, "a look-behind cannot refer to group %d, which is not before it", number)
	case !p.groups[number].closed:
		return errorAt(at, "a look-behind cannot refer to group %d, which is around it", number)
	}
	return nil
}

// behind reads the rest of (?<=...) or (?<!...).
func (p *parser) behind(open token) error {
	switch t := p.get(); {
	case t.is('='), t.is('!'):
	case isXIDStart(t.char) && !t.escaped:
		return errorAt(open.offset, "a named group starts with (?P<, not with (?<")
	default:
		return unknownGroup(open, "(?<", t)
	}
	outer := p.lookBehind
	if outer == 0 {
		p.lookBehind = len(p.groups)
	}
	w, err := p.body(open)
	p.lookBehind = outer
	switch {
	case err != nil:
		return err
	case w.least > maxLookBehind:
		return errorAt(open.offset, "the look-behind is too wide")
	case w.least != w.most:
		return errorAt(open.offset, "the look-behind does not have a fixed width")
	}
	return nil
}

// conditional reads the rest of (?(group)yes) or (?(group)yes|no).
func (p *parser) conditional(open token) (item, error) {
	if err := p.condition(); err != nil {
		return item{}, err
	}
	if err := p.enter(); err != nil {
		return item{}, err
	}
	w, err := p.sequence(false)
	if err != nil {
		return item{}, err
	}
	var no width
	if p.accept('|') {
		if no, err = p.sequence(false); err != nil {
			return item{}, err
		}
		if t := p.peek(); t.is('|') {
			return item{}, errorAt(t.offset, "a conditional has no third branch")
		}
	}
	return item{atom, w.or(no)}, p.leave(open)
}

// condition reads the group that a conditional asks for, and the ) after it.
// A number may be that of a group to come; a name may not.
func (p *parser) condition() error {
	at := p.peek().offset
	name, err := p.until(')', "group name")
	if err != nil {
		return err
	}
	number, ok := p.names[name]
	if !ok {
		if isIdentifier(name) {
			return errorAt(at, "there is no group %s before this", quote(name))
		}
		number, ok = parseInt(name)
		if !ok || number == 0 {
			return errorAt(at, "%s is neither a group name nor a group number", quote(name))
		}
		if number >= len(p.groups) {
			p.pending = append(p.pending, reference{number, at})
		}
	}
	return p.checkLookBehind(number, at)
}

// comment steps over the rest of (?#...).
func (p *parser) comment(open token) error {
	for !p.accept(')') {
		if p.get().is(end) {
			return errorAt(open.offset, "no ) closes the comment opened here")
		}
	}
	return nil
}
