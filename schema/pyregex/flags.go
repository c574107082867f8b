package pyregex

import "unicode"

// A flagSet is a set of the flags that a pattern can set in itself.
type flagSet uint8

const (
	flagASCII flagSet = 1 << iota
	flagIgnoreCase
	flagLocale
	flagMultiline
	flagDotAll
	flagTemplate // undocumented: forbids quantifiers
	flagUnicode
	flagVerbose
)

// typeFlags exclude one another and cannot be turned off.
const typeFlags = flagASCII | flagLocale | flagUnicode

// flag returns the flag that a token stands for, or 0.
func (t token) flag() flagSet {
	if t.escaped {
		return 0
	}
	switch t.char {
	case 'a':
		return flagASCII
	case 'i':
		return flagIgnoreCase
	case 'L':
		return flagLocale
	case 'm':
		return flagMultiline
	case 's':
		return flagDotAll
	case 't':
		return flagTemplate
	case 'u':
		return flagUnicode
	case 'x':
		return flagVerbose
	}
	return 0
}

// flagGroup reads (?flags), which holds for the whole pattern, or a group
// (?flags:...), (?flags-flags:...) or (?-flags:...). The token t is the one
// after the ?.
func (p *parser) flagGroup(open, t token, leading bool) (item, error) {
	var on, off flagSet
	for ; !t.is('-') && !t.is(':') && !t.is(')'); t = p.get() {
		f := t.flag()
		switch {
		case f == 0:
			return item{}, unknownFlag(t)
		case f == flagLocale:
			return item{}, errorAt(t.offset, "flag L is for bytes patterns only")
		}
		on |= f
	}
	if t.is(')') {
		return item{}, p.globalFlags(open, on, leading)
	}
	if t.is('-') {
		for t = p.get(); !t.is(':') || off == 0; t = p.get() {
			f := t.flag()
			switch {
			case f == 0:
				return item{}, unknownFlag(t)
			case f&typeFlags != 0:
				return item{}, errorAt(t.offset, "flag %s cannot be turned off", t)
			}
			off |= f
		}
	}
	switch {
	case incompatible(on):
		return item{}, errorAt(open.offset, "flags a and u exclude each other")
	case (on|off)&flagTemplate != 0:
		return item{}, errorAt(open.offset, "flag t cannot be limited to a group")
	case on&off != 0:
		return item{}, errorAt(open.offset, "a flag is both turned on and turned off")
	}
	return p.scoped(open, on, off)
}

// globalFlags sets flags for the whole pattern. Since Python 3.11 they must
// come first.
func (p *parser) globalFlags(open token, on flagSet, leading bool) error {
	if !leading {
		return errorAt(open.offset, "flags for the whole pattern must stand at its start")
	}
	p.flags |= on
	if incompatible(p.flags) {
		return errorAt(open.offset, "flags a and u exclude each other")
	}
	p.verbose = p.flags&flagVerbose != 0
	return nil
}

// scoped reads the body of a group with flags of its own.
func (p *parser) scoped(open token, on, off flagSet) (item, error) {
	around := p.verbose
	p.verbose = (around || on&flagVerbose != 0) && off&flagVerbose == 0
	w, err := p.body(open)
	p.verbose = around
	return item{atom, w}, err
}

// incompatible reports whether two flags exclude each other. The third of the
// typeFlags is refused on its own in a str pattern.
func incompatible(f flagSet) bool {
	return f&flagASCII != 0 && f&flagUnicode != 0
}

// unknownFlag returns the fault of a token that stands where a flag should.
func unknownFlag(t token) error {
	switch {
	case t.is(end):
		return errorAt(t.offset, "the pattern ends within the flags of a group")
	case unicode.IsLetter(t.char):
		return errorAt(t.offset, "unknown flag %s", quote(t.String()))
	}
	return errorAt(t.offset, "a flag is missing before %s", quote(t.String()))
}
