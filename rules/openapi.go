package rules

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

func openapiBlock() []Rule {
	return []Rule{
		{ID: "spec-invalid", Severity: Error, Summary: "A description is not OpenAPI 3.", Agent: specInvalid},
		{ID: "operation-unknown", Severity: Error, Summary: "A description has no operation of that id.", Agent: eachBlock(operationUnknown)},
		{ID: "operation-ambiguous", Severity: Error, Summary: "A description has several operations of one id.", Agent: eachBlock(operationAmbiguous)},
		{ID: "operation-name", Severity: Error, Summary: "An operation's id cannot name a tool.", Agent: eachOperation(operationName)},
		{ID: "operation-method", Severity: Error, Summary: "An operation has a method that agents cannot use.", Agent: eachOperation(operationMethod)},
		{ID: "operation-writes", Severity: Error, Summary: "A block that only reads has an operation that writes.", Agent: eachOperation(operationWrites)},
		{ID: "operation-header", Severity: Error, Summary: "An operation requires a header or a cookie.", Agent: eachOperation(operationHeader)},
		{ID: "operation-body", Severity: Error, Summary: "An operation's body cannot be written.", Agent: eachOperation(operationBody)},
		{ID: "spec-external", Severity: Warning, Summary: "An operation is partly described in another file.", Agent: eachBlock(specExternal)},
		{ID: "operation-path", Severity: Error, Summary: "An operation's path has a placeholder that no parameter fills.", Agent: eachOperation(operationPath)},
		{ID: "params-outside-operations", Severity: Error, Summary: "An operation under params is not in operations.", Agent: eachOpenAPI(paramsOutsideOperations)},
		{ID: "only-outside-operations", Severity: Error, Summary: "An operation under only is not in operations.", Agent: eachOpenAPI(onlyOutsideOperations)},
		{ID: "describe-outside-operations", Severity: Error, Summary: "An operation under describe is not in operations.", Agent: eachOpenAPI(describeOutsideOperations)},
		{ID: "argument-unknown", Severity: Error, Summary: "An operation has no argument of that name.", Agent: eachArgument(argumentUnknown)},
		{ID: "argument-header", Severity: Error, Summary: "An argument is a header or a cookie.", Agent: eachArgument(argumentHeader)},
		{ID: "argument-ambiguous", Severity: Error, Summary: "An argument's name has two meanings.", Agent: eachArgument(argumentAmbiguous)},
		{ID: "argument-not-exposed", Severity: Error, Summary: "An argument is wrapped or fixed where nothing is sent.", Agent: eachOperation(argumentNotExposed)},
		{ID: "argument-not-string", Severity: Error, Summary: "An argument is wrapped that is no string.", Agent: eachArgument(argumentNotString)},
		{ID: "argument-name", Severity: Warning, Summary: "An argument has a name that model APIs refuse.", Agent: eachOperation(argumentName)},
		{ID: "argument-required", Severity: Error, Summary: "A required argument is neither the model's to write nor fixed.", Agent: eachOperation(argumentRequired)},
		{ID: "value-mismatch", Severity: Warning, Summary: "A fixed value is not one that the operation takes.", Agent: eachArgument(valueMismatch)},
		{ID: "base-url-query", Severity: Error, Summary: "A base_url has a query or a fragment.", Agent: eachOpenAPI(baseURLQuery)},
		{ID: "root-missing", Severity: Error, Summary: "Requests have no root.", Agent: eachOpenAPI(rootMissing)},
	}
}

// eachOpenAPI asks a check of every openapi block.
func eachOpenAPI(check func(*Pass, *declaration.OpenAPI)) func(*Pass, *declaration.Agent) {
	return func(p *Pass, a *declaration.Agent) {
		for _, b := range a.Blocks {
			if b.OpenAPI != nil {
				check(p, b.OpenAPI)
			}
		}
	}
}

// eachBlock asks a check of every openapi block whose description can be read.
func eachBlock(check func(*Pass, *declaration.OpenAPI, *openapi.Description)) func(*Pass, *declaration.Agent) {
	return func(p *Pass, a *declaration.Agent) {
		eachOpenAPI(func(p *Pass, b *declaration.OpenAPI) {
			if d, err := p.description(a, b); err == nil && d != nil {
				p.consulted = d.File()
				check(p, b, d)
			}
		})(p, a)
	}
}

// eachOperation asks a check of every operation that a block selects and the
// description has once.
func eachOperation(check func(*Pass, *declaration.OpenAPI, *source.Node, *openapi.Operation)) func(*Pass, *declaration.Agent) {
	return eachBlock(func(p *Pass, b *declaration.OpenAPI, d *openapi.Description) {
		for _, item := range b.Operations.Items {
			if found, err := d.Operations(item.Value); err == nil && len(found) == 1 {
				check(p, b, item, found[0])
			}
		}
	})
}

// description is the description that a block selects from; nil where the block
// names none that is there. The error says what is wrong with it, as far as the
// operations of the block are concerned.
func (p *Pass) description(a *declaration.Agent, b *declaration.OpenAPI) (*openapi.Description, error) {
	if b.Spec == nil {
		return nil, nil
	}
	path := Resolve(a.Dir, b.Spec.Value)
	if p.Files.Kind(path) != RegularFile {
		return nil, nil // file-missing says so
	}
	d, err := p.Files.Description(path)
	for i := 0; err == nil && i < len(b.Operations.Items); i++ {
		_, err = d.Operations(b.Operations.Items[i].Value)
	}
	return d, err
}

func specInvalid(p *Pass, a *declaration.Agent) {
	reported := map[string]bool{}
	eachOpenAPI(func(p *Pass, b *declaration.OpenAPI) {
		_, err := p.description(a, b)
		if err == nil || reported[Resolve(a.Dir, b.Spec.Value)] {
			return
		}
		reported[Resolve(a.Dir, b.Spec.Value)] = true
		d := p.diagnostic(PlaceOf(b.Spec), redact.Node(b.Spec)+" is not an OpenAPI 3 description: "+err.Error(), "", "")
		var invalid *openapi.Invalid
		if errors.As(err, &invalid) {
			d.Help = invalid.Help
			place := Place{File: invalid.File, Span: invalid.File.Span(invalid.Start, invalid.End)}
			d.Related = append(d.Related, Related{Place: place, Message: "it breaks here"})
		}
		p.report(d)
	})(p, a)
}

func operationUnknown(p *Pass, b *declaration.OpenAPI, d *openapi.Description) {
	for _, item := range b.Operations.Items {
		// One that lies in another file may be there: spec-external says so.
		if found, err := d.Operations(item.Value); err != nil || len(found) > 0 || len(d.ExternalPaths()) > 0 {
			continue
		}
		f := Finding{
			At: item, Message: fmt.Sprintf("%s has no operation %s", redact.Node(b.Spec), Quoted(item.Value)),
			Help: "name an operationId of the description",
		}
		f.Suggest(p.like(item.Value, d.OperationIDs()), Quoted)
		p.Report(f)
	}
}

func operationAmbiguous(p *Pass, b *declaration.OpenAPI, d *openapi.Description) {
	for _, item := range b.Operations.Items {
		found, err := d.Operations(item.Value)
		if err != nil || len(found) < 2 {
			continue
		}
		diagnostic := p.diagnostic(PlaceOf(item), fmt.Sprintf("%d operations of %s are named %s", len(found), redact.Node(b.Spec), Quoted(item.Value)), "", "give each an operationId of its own in the description")
		for _, op := range found {
			diagnostic.Related = append(diagnostic.Related, Related{PlaceOf(op.ID), strings.ToUpper(op.Method) + " " + source.Printable(op.Path.Value)})
		}
		p.report(diagnostic)
	}
}

// toolName is what a model API takes for the name of a tool.
var toolName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

func operationName(p *Pass, _ *declaration.OpenAPI, item *source.Node, _ *openapi.Operation) {
	if !toolName.MatchString(item.Value) {
		p.Report(Finding{
			At: item, Message: Quoted(item.Value) + " cannot name a tool: at most 64 letters, digits, underscores and dashes do, the first of them no digit or dash",
			Help: "give the operation another operationId in the description",
		})
	}
}

func operationMethod(p *Pass, _ *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	if slices.Contains([]string{"get", "post", "put", "patch", "delete"}, op.Method) {
		return
	}
	p.Report(Finding{
		At: item, Message: fmt.Sprintf("%s is a %s request, and agents send only GET, POST, PUT, PATCH and DELETE", Quoted(item.Value), strings.ToUpper(op.Method)),
		Help: "remove it", Related: op.ID, Note: "described here",
	})
}

func operationWrites(p *Pass, b *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	if b.Writes || !b.EffectKnown || !slices.Contains([]string{"put", "patch", "delete"}, op.Method) {
		return
	}
	p.Report(Finding{
		At: item, Message: fmt.Sprintf("%s is a %s request, and the block says `effect: read`", Quoted(item.Value), strings.ToUpper(op.Method)),
		Help: "move it to a block with `effect: write`", Related: op.ID, Note: "described here",
	})
}

func operationHeader(p *Pass, _ *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	for _, parameter := range op.Parameters {
		if parameter.Required && isHeader(parameter) && !isIgnored(parameter) {
			p.Report(Finding{
				At: item, Message: fmt.Sprintf("%s requires the %s `%s`, which agents cannot send", Quoted(item.Value), parameter.In, source.Printable(parameter.Name)),
				Help: "remove the operation, or make the parameter optional in the description", Related: parameter.Node, Note: "required here",
			})
			return
		}
	}
}

// isHeader tells header and cookie parameters from those that agents can send.
func isHeader(parameter openapi.Parameter) bool {
	return parameter.In == "cookie" || parameter.In == "header"
}

// isIgnored says whether a parameter is a header that OpenAPI itself says to
// ignore (3.0.3 and 3.1.0, Parameter Object, name).
func isIgnored(parameter openapi.Parameter) bool {
	names := []string{"accept", "content-type", "authorization"}
	return parameter.In == "header" && slices.Contains(names, strings.ToLower(parameter.Name))
}

func operationBody(p *Pass, _ *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	if why := bodyFault(op); why != "" {
		p.Report(Finding{
			At: item, Message: fmt.Sprintf("%s has a body that agents cannot write: %s", Quoted(item.Value), why),
			Help: "remove the operation, or describe the body as a JSON object with properties", Related: op.Body.Node, Note: "the body",
		})
	}
}

// bodyFault says why the body of an operation cannot be written, or "".
func bodyFault(op *openapi.Operation) string {
	switch {
	case op.Body == nil:
		return ""
	case slices.Contains([]string{"get", "delete"}, op.Method):
		return "a " + strings.ToUpper(op.Method) + " request has none"
	case op.Body.Schema.External() && len(op.Body.Schema.PropertyNames()) == 0:
		return "" // spec-external speaks of what is not known
	case !op.Body.JSON:
		return "it is not JSON"
	case len(op.Body.Schema.Types()) > 0 && !slices.Contains(op.Body.Schema.Types(), "object"):
		return "it is not an object"
	case len(op.Body.Schema.PropertyNames()) == 0:
		return "it declares no properties"
	}
	return ""
}

func specExternal(p *Pass, b *declaration.OpenAPI, d *openapi.Description) {
	for _, item := range b.Operations.Items {
		found, err := d.Operations(item.Value)
		var refs []*source.Node
		what := "is partly described"
		switch {
		case err != nil || len(found) > 1:
		case len(found) == 1:
			refs = found[0].External
		default:
			refs, what = d.ExternalPaths(), "may be described"
		}
		if len(refs) == 0 {
			continue
		}
		message := fmt.Sprintf("%s %s in another file, which does not travel with the agent", Quoted(item.Value), what)
		diagnostic := p.diagnostic(PlaceOf(item), message, "", "bring what is referred to into the description")
		for _, ref := range refs {
			diagnostic.Related = append(diagnostic.Related, Related{PlaceOf(ref), "refers to elsewhere"})
		}
		p.report(diagnostic)
	}
}

var placeholder = regexp.MustCompile(`\{([^{}]+)\}`)

func operationPath(p *Pass, _ *declaration.OpenAPI, item *source.Node, op *openapi.Operation) {
	if op.Partial {
		return
	}
	for _, found := range placeholder.FindAllStringSubmatch(op.Path.Value, -1) {
		declared := slices.ContainsFunc(op.Parameters, func(parameter openapi.Parameter) bool {
			return parameter.In == "path" && parameter.Name == found[1]
		})
		if !declared {
			p.Report(Finding{
				At: item, Message: fmt.Sprintf("no path parameter of %s fills {%s}", Quoted(item.Value), source.Printable(found[1])),
				Help: "declare the parameter in the description, with `in: path`", Related: op.Path, Note: "the path",
			})
			return
		}
	}
}

func paramsOutsideOperations(p *Pass, b *declaration.OpenAPI)   { outsideOperations(p, b, b.Params) }
func onlyOutsideOperations(p *Pass, b *declaration.OpenAPI)     { outsideOperations(p, b, b.Only) }
func describeOutsideOperations(p *Pass, b *declaration.OpenAPI) { outsideOperations(p, b, b.Describe) }

func outsideOperations(p *Pass, b *declaration.OpenAPI, e declaration.Entries) {
	outside(p, e, b.Operations, "an operation that this block selects", "what operations lists", "operations")
}

func baseURLQuery(p *Pass, b *declaration.OpenAPI) {
	if b.BaseURL != nil && strings.ContainsAny(b.BaseURL.Value, "?#") {
		p.Report(Finding{
			At: b.BaseURL, Message: "a base_url takes no query and no fragment: the paths of the operations come behind it",
			Help: "end it before the ? or #",
		})
	}
}

func rootMissing(p *Pass, b *declaration.OpenAPI) {
	if b.BaseURL != nil || b.BaseURLStated || b.Connection == nil {
		return
	}
	c := p.Project.Registry[b.Connection.Value]
	// One that still needs its root is said so by connection-rootless.
	if c == nil || !c.Sound || c.NeedsRoot() || c.Text("base_url") != "" {
		return
	}
	p.Report(Finding{
		At: b.Connection, Message: fmt.Sprintf("requests have no root: neither this block nor the connection `%s` has a base_url", c.ID),
		Help: "add `base_url` to the block or to the connection",
	})
}
