package narrow

import (
	"maps"
	"slices"
)

// A Declaration is what a block says of one tool.
type Declaration struct {
	// Fixed are the values that params fixes, by argument, as JSON values.
	Fixed map[string]any
	// Only are the arguments that the model may write, where Bounded.
	Only []string
	// Bounded says that the block has only for the tool.
	Bounded bool
}

// takesOut says whether an argument is taken from what the model is shown.
func (d Declaration) takesOut(name string) bool {
	return d.fixes(name) || d.Bounded && !slices.Contains(d.Only, name)
}

// Writable says whether the model may write an argument, where the tool has it.
func (d Declaration) Writable(name string) bool { return !d.takesOut(name) }

func (d Declaration) fixes(name string) bool {
	_, ok := d.Fixed[name]
	return ok
}

// sends says whether an argument can be part of a call.
func (d Declaration) sends(name string) bool { return d.fixes(name) || !d.takesOut(name) }

// A Narrowed tool is what becomes of a listed one.
type Narrowed struct {
	// Malformed says that the tool has no usable inputSchema. Then nothing else
	// is known of it, and it is withheld.
	Malformed bool
	// Schema is the inputSchema that the model is shown; nil where the tool is
	// withheld. It shares nothing with the server's own.
	Schema map[string]any
	// OnlyUnknown are the arguments in only that the schema does not declare.
	OnlyUnknown []string
	// FixedUnknown are the fixed arguments that it does not declare, and Required
	// those that it requires and that no call would have. Either withholds the
	// tool.
	FixedUnknown, Required []string
	// Arguments are all that the schema declares, sorted.
	Arguments []string
	// UndecidedDeclared and UndecidedRequired are those of which the schema does not
	// say whether it declares or requires them.
	UndecidedDeclared, UndecidedRequired []string
	// Lost says that a part of the schema could not be had, so that it may require
	// more than is known.
	Lost bool
	// Refused are the fixed values that the argument's schema refuses, by argument,
	// and why.
	Refused map[string]string
}

// Offered says whether the model is shown the tool.
func (n Narrowed) Offered() bool { return n.Schema != nil }

// Tool narrows a listed tool by what a block declares of it.
func Tool(t Listed, d Declaration) Narrowed {
	original, err := object(t.InputSchema)
	if err != nil {
		return Narrowed{Malformed: true}
	}
	in := &inliner{root: original, left: maxParts}
	whole := in.inline(original)
	r := rewriter{declaration: d, original: original, declared: declared(whole)}
	n := Narrowed{Lost: in.lost, Arguments: sorted(r.declared)}
	for _, name := range d.Only {
		switch {
		case r.declared[name]:
		case in.lost || matchesPattern(whole, name):
			n.UndecidedDeclared = append(n.UndecidedDeclared, name)
		default:
			n.OnlyUnknown = append(n.OnlyUnknown, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Fixed)) {
		switch {
		case r.declared[name]:
			if why := refuses(original, argument(whole, name), d.Fixed[name]); why != "" {
				if n.Refused == nil {
					n.Refused = map[string]string{}
				}
				n.Refused[name] = why
			}
		case in.lost || matchesPattern(whole, name):
			n.UndecidedDeclared = append(n.UndecidedDeclared, name)
		default:
			n.FixedUnknown = append(n.FixedUnknown, name)
		}
	}
	need := r.needs(whole)
	n.Required, n.UndecidedRequired = sorted(need.certain), sorted(need.perhaps)
	if len(n.FixedUnknown)+len(n.Required) == 0 {
		n.Schema = r.narrow(whole)
	}
	return n
}

func sorted(set map[string]bool) []string {
	if len(set) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}

// Reasons are why the tool is withheld; none where it is offered.
func (n Narrowed) Reasons() []string {
	if n.Malformed {
		return []string{"it has no usable inputSchema"}
	}
	var reasons []string
	for _, name := range n.FixedUnknown {
		reasons = append(reasons, "it declares no argument "+name+", which is fixed")
	}
	for _, name := range n.Required {
		reasons = append(reasons, "it requires "+name+", which is neither in only nor fixed")
	}
	return reasons
}
