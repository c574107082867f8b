package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// An argument is a name under params or only of an openapi block, and what it
// means to the operation.
type argument struct {
	at   *source.Node // the key or item
	with *source.Node // what params says of it: a map of value, prefix, suffix; nil under only

	parameters []openapi.Parameter // of that name
	property   *openapi.Schema     // of the body, by that name literally
	nested     *openapi.Schema     // inside the body, by the name as a dotted path
	missing    *miss               // where a dotted path leads to nothing
	uncertain  bool                // it may name what cannot be seen
	inside     bool                // as a dotted path it leads into the body, and is no name itself
}

// A miss is the step of a dotted path at which the body has no such property.
type miss struct {
	prefix, name string
	among        []string
}

// eachArgument asks a check of every argument under params and only of the
// operations that a block selects and the description has once.
func eachArgument(check func(*Pass, *openapi.Operation, argument)) func(*Pass, *declaration.Agent) {
	return eachOperation(func(p *Pass, b *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
		if entry, ok := b.Params.Entry(item.Value); ok {
			for _, f := range entry.Params {
				check(p, op, lookUp(op, f.Key, f.Value))
			}
		}
		if entry, ok := b.Only.Entry(item.Value); ok {
			for _, n := range entry.Only {
				check(p, op, lookUp(op, n, nil))
			}
		}
	})
}

// lookUp finds what an argument names: a parameter or a property of the body by
// the name as it is, else a property inside the body by a dotted path.
func lookUp(op *openapi.Operation, at, with *source.Node) argument {
	a := argument{at: at, with: with, uncertain: op.Partial}
	name := at.Value
	for _, parameter := range op.Parameters {
		isNamed := parameter.Name == name || parameter.In == "header" && strings.EqualFold(parameter.Name, name)
		if isNamed && !isIgnored(parameter) {
			a.parameters = append(a.parameters, parameter)
		}
	}
	if op.Body == nil {
		return a
	}
	if bodyFault(op) != "" {
		a.uncertain = true // said of the body itself
		return a
	}
	body := op.Body.Schema
	if property, ok := body.Property(name); ok {
		a.property = property
	}
	steps := strings.Split(name, ".")
	a.inside = len(steps) > 1 && len(a.parameters) == 0 && a.property == nil && !op.Partial && body.Enumerable()
	within := body
	for i, step := range steps {
		next, ok := within.Property(step)
		if !ok {
			a.uncertain = a.uncertain || !within.Enumerable()
			a.missing = &miss{strings.Join(steps[:i], "."), step, within.PropertyNames()}
			return a
		}
		within = next
	}
	if len(steps) > 1 {
		a.nested = within
	}
	return a
}

// sent are the parameters of an argument that agents can send.
func (a argument) sent() []openapi.Parameter {
	return slices.DeleteFunc(slices.Clone(a.parameters), isHeader)
}

// schema is the one thing that the argument names, or nil.
func (a argument) schema() *openapi.Schema {
	sent := a.sent()
	switch {
	case len(sent) == 1 && a.property == nil && a.nested == nil:
		return sent[0].Schema
	case len(sent) == 0 && a.property != nil && a.nested == nil:
		return a.property
	case len(sent) == 0 && a.property == nil:
		return a.nested
	}
	return nil
}

// unknown says whether the argument certainly names nothing.
func (a argument) unknown() bool {
	return len(a.parameters) == 0 && a.property == nil && a.nested == nil && !a.uncertain
}

func argumentUnknown(p *Pass, op *openapi.Operation, a argument) {
	if !a.unknown() {
		return
	}
	f := Finding{
		At: a.at, Message: fmt.Sprintf("%s has no argument %s", Quoted(op.ID.Value), Quoted(a.at.Value)),
		Help: "name a parameter, or a property of the body; a dot leads into it",
	}
	var names []string
	for _, parameter := range op.Parameters {
		if !isHeader(parameter) {
			names = append(names, parameter.Name)
		}
	}
	var near suggest.Match
	if a.missing != nil && a.missing.prefix != "" {
		if near = p.like(a.missing.name, a.missing.among); near.Name != "" {
			near.Name = a.missing.prefix + "." + near.Name
		}
	} else {
		if a.missing != nil {
			names = append(names, a.missing.among...)
		}
		near = p.like(a.at.Value, names)
	}
	f.Suggest(near, Quoted)
	p.Report(f)
}

func argumentHeader(p *Pass, op *openapi.Operation, a argument) {
	if len(a.parameters) == 0 || len(a.sent()) > 0 || a.property != nil || a.nested != nil {
		return
	}
	p.Report(Finding{
		At: a.at, Message: fmt.Sprintf("%s is a %s of %s, and agents send none", Quoted(a.at.Value), a.parameters[0].In, Quoted(op.ID.Value)),
		Help: "remove it", Related: a.parameters[0].Node, Note: "declared here",
	})
}

func argumentAmbiguous(p *Pass, op *openapi.Operation, a argument) {
	var meanings []string
	var related *source.Node
	for _, parameter := range a.sent() {
		meanings = append(meanings, "a "+parameter.In+" parameter")
		related = parameter.Node
	}
	if a.property != nil {
		meanings = append(meanings, "a property of the body")
		related = a.property.Node()
	}
	if a.nested != nil && len(meanings) > 0 {
		meanings = append(meanings, "a path into the body")
		related = a.nested.Node()
	}
	if len(meanings) < 2 {
		return
	}
	p.Report(Finding{
		At: a.at, Message: fmt.Sprintf("%s of %s is %s, and which is meant cannot be said", Quoted(a.at.Value), Quoted(op.ID.Value), strings.Join(meanings, " and ")),
		Help: "rename one of them in the description", Related: related, Note: "one of them",
	})
}

// wraps says whether params puts a prefix or a suffix around an argument.
func wraps(with *source.Node) bool {
	return with != nil && with.Get("value") == nil && (with.Get("prefix") != nil || with.Get("suffix") != nil)
}

func argumentNotString(p *Pass, op *openapi.Operation, a argument) {
	s := a.schema()
	if !wraps(a.with) || s == nil {
		return
	}
	if types := s.Types(); len(types) > 0 && !slices.Contains(types, "string") {
		p.Report(Finding{
			At: a.at, Message: fmt.Sprintf("%s of %s is %s, and only a string takes a prefix or a suffix", Quoted(a.at.Value), Quoted(op.ID.Value), strings.Join(types, " or ")),
			Help: "fix it with `value`, or leave it to the model", Related: s.Node(), Note: "declared here",
		})
	}
}

func valueMismatch(p *Pass, op *openapi.Operation, a argument) {
	if a.with == nil || a.with.Get("value") == nil {
		return
	}
	s, fixed := a.schema(), a.with.Get("value")
	if s == nil {
		return
	}
	if why := s.Refuses(fixed); why != "" {
		p.Report(Finding{
			At: fixed, Message: fmt.Sprintf("%s refuses %s for %s: %s", Quoted(op.ID.Value), redact.Node(fixed), Quoted(a.at.Value), why),
			Help: "fix a value that the description takes", Related: s.Node(), Note: "declared here",
		})
	}
}

func argumentNotExposed(p *Pass, b *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	only, bounded := b.Only.Entry(item.Value)
	params, ok := b.Params.Entry(item.Value)
	if !bounded || !ok || !only.Known {
		return
	}
	exposed := func(covered func(name string) bool) bool {
		return slices.ContainsFunc(only.Only, func(n *source.Node) bool { return covered(n.Value) })
	}
	for _, f := range params.Params {
		a := lookUp(op, f.Key, f.Value)
		name := f.Key.Value
		parent := name[:max(strings.LastIndexByte(name, '.'), 0)]
		switch {
		case a.unknown() || len(a.parameters) > 0 && len(a.sent()) == 0:
			// said of the argument itself
		case wraps(f.Value) && !exposed(func(n string) bool { return covers(n, name) }):
			p.Report(Finding{
				At: f.Key, Message: fmt.Sprintf("%s is wrapped, and `only` leaves the model nothing to write there", Quoted(name)),
				Help: "add it to `only`, or fix it with `value`", Related: only.Tool, Note: "what the model may write",
			})
		case !wraps(f.Value) && (a.inside || a.nested != nil && a.property == nil && len(a.parameters) == 0) && !exposed(func(n string) bool { return covers(n, parent) || covers(parent, n) }):
			p.Report(Finding{
				At: f.Key, Message: fmt.Sprintf("%s is fixed inside %s, of which `only` sends nothing", Quoted(name), Quoted(parent)),
				Help: fmt.Sprintf("add %s, or something in it, to `only`", Quoted(parent)), Related: only.Tool, Note: "what is sent",
			})
		}
	}
}

// covers says whether a dotted path is another, or leads to what that is in.
func covers(path, other string) bool {
	return path == other || strings.HasPrefix(other, path+".")
}

// argumentForm is what a model API takes for the name of a property.
var argumentForm = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

func argumentName(p *Pass, b *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	const help = "fix the argument with `value`, or rename it in the description"
	if only, bounded := b.Only.Entry(item.Value); bounded || b.Only.Stated && !b.Only.Known {
		for _, n := range only.Only {
			if a := lookUp(op, n, nil); !argumentForm.MatchString(n.Value) && a.schema() != nil {
				p.Report(Finding{At: n, Message: Quoted(n.Value) + " is a name that model APIs refuse for an argument", Help: help})
			}
		}
		return
	}
	var refused []string
	for _, name := range argumentNames(op) {
		if _, fixed := fixedValue(b, item.Value, name); !argumentForm.MatchString(name) && !fixed {
			refused = append(refused, Quoted(name))
		}
	}
	if len(refused) > 0 {
		p.Report(Finding{
			At: item, Message: fmt.Sprintf("%s has arguments with names that model APIs refuse: %s", Quoted(item.Value), strings.Join(refused[:min(len(refused), 5)], ", ")),
			Help: "leave them out with `only`, or " + help,
		})
	}
}

// argumentNames are the arguments of an operation that reach the model unless
// they are bounded: its parameters, and the properties of its body.
func argumentNames(op *openapi.Operation) []string {
	var names []string
	for _, parameter := range op.Parameters {
		if !isHeader(parameter) {
			names = append(names, parameter.Name)
		}
	}
	if op.Body != nil && bodyFault(op) == "" {
		names = append(names, op.Body.Schema.PropertyNames()...)
	}
	return names
}

// fixedValue is the value that a block fixes an argument of an operation to.
func fixedValue(b *declaration.OpenAPI, operation, name string) (*source.Node, bool) {
	params, _ := b.Params.Entry(operation)
	for _, f := range params.Params {
		if value := f.Value.Get("value"); f.Key.Value == name && value != nil {
			return value, true
		}
	}
	return nil, false
}

// fixes says whether a block fixes an argument of an operation, or something in it.
func fixes(b *declaration.OpenAPI, operation, name string) bool {
	params, _ := b.Params.Entry(operation)
	return slices.ContainsFunc(params.Params, func(f source.Field) bool {
		return f.Value.Get("value") != nil && covers(name, f.Key.Value)
	})
}

// unknownArguments are the names that a block gives an operation and that it does
// not have: slips, of what may be missing otherwise.
func unknownArguments(b *declaration.OpenAPI, item *source.Node, op *openapi.Operation) []string {
	var names []string
	note := func(n *source.Node) {
		if lookUp(op, n, nil).unknown() {
			names = append(names, n.Value)
		}
	}
	only, _ := b.Only.Entry(item.Value)
	for _, n := range only.Only {
		note(n)
	}
	params, _ := b.Params.Entry(item.Value)
	for _, f := range params.Params {
		note(f.Key)
	}
	return names
}

func argumentRequired(p *Pass, b *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	only, bounded := b.Only.Entry(item.Value)
	params, some := b.Params.Entry(item.Value)
	if !bounded || !only.Known || b.Params.Stated && !b.Params.Known || some && !params.Known {
		return
	}
	listed := func(name string) bool {
		return slices.ContainsFunc(slices.Concat(only.Only, params.Broken), func(n *source.Node) bool { return covers(name, n.Value) })
	}
	slips := unknownArguments(b, item, op)
	report := func(name string, declared *source.Node) {
		if listed(name) || fixes(b, item.Value, name) || p.like(name, slips).Name != "" {
			return
		}
		p.Report(Finding{
			At: only.Tool, Message: fmt.Sprintf("%s requires %s, which is neither listed here nor fixed", Quoted(item.Value), Quoted(name)),
			Help: "list it here, or fix it under `params`", Related: declared, Note: "required here",
		})
	}
	for _, parameter := range op.Parameters {
		if parameter.Required && !isHeader(parameter) {
			report(parameter.Name, parameter.Node)
		}
	}
	if op.Body == nil || bodyFault(op) != "" {
		return
	}
	names := op.Body.Schema.PropertyNames()
	sent := op.Body.Required || slices.ContainsFunc(names, func(name string) bool { return listed(name) || fixes(b, item.Value, name) })
	if !sent {
		return
	}
	for _, name := range op.Body.Schema.Required() {
		report(name, op.Body.Node)
	}
}
