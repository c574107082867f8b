package rules

import (
	"fmt"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

func reading() []Rule {
	return []Rule{
		{ID: "file-unreadable", Severity: Error, Summary: "A file cannot be read.", Document: fileUnreadable},
		{ID: "yaml-syntax", Severity: Error, Summary: "A file is not YAML.", Document: faults(source.Syntax)},
		{ID: "yaml-duplicate-key", Severity: Error, Summary: "A map names a key twice.", Document: faults(source.DuplicateKey)},
		{ID: "name-invisible", Severity: Warning, Summary: "A name has a character that cannot be seen.", Agent: nameInvisible},
		{ID: "yaml-documents", Severity: Error, Summary: "A file has a second document.", Document: faults(source.Documents)},
		{ID: "yaml-ambiguous", Severity: Warning, Summary: "A scalar means something else to a YAML 1.1 reader.", Document: yamlAmbiguous},
	}
}

func fileUnreadable(p *Pass, d *declaration.Document) {
	if d.Unreadable == nil {
		return
	}
	message := fmt.Sprintf("%s cannot be read: %v", d.File.Path, d.Unreadable)
	const help = "gete reads UTF-8 files that the user running it may open"
	if d.NamedBy != nil {
		found := p.diagnostic(PlaceOf(d.NamedBy), message, "", help)
		found.Related = []Related{{Place{File: d.File, Span: d.File.Span(0, 0)}, "this file"}}
		p.report(found)
		return
	}
	p.ReportFile(d.File, message, help)
}

// faults reports what the reader found of one kind.
func faults(code source.Code) func(*Pass, *declaration.Document) {
	return func(p *Pass, d *declaration.Document) {
		for _, f := range d.File.Faults {
			if f.Code != code {
				continue
			}
			at := Place{File: d.File, Span: d.File.Span(f.Start, f.End)}
			found := p.diagnostic(at, redact.Text(f.Message), "", f.Help)
			if f.Related != nil {
				found.Related = []Related{{PlaceOf(f.Related), f.Note}}
			}
			p.report(found)
		}
	}
}

func nameInvisible(p *Pass, a *declaration.Agent) {
	check := func(what string, names ...*source.Node) {
		for _, n := range names {
			if r, ok := invisible(n.Value); ok && n.Origin == nil {
				p.Report(Finding{
					At: n, Message: fmt.Sprintf("the name of this %s holds a character that cannot be seen: %U", what, r),
					Help: "type the name again, without it",
				})
			}
		}
	}
	for _, b := range a.Blocks {
		calls := b.Calls()
		if calls == nil {
			continue
		}
		what := "tool"
		var list declaration.Names
		entries := []declaration.Entries{calls.Params, calls.Only}
		if b.MCP != nil {
			list = b.MCP.Allow
		} else {
			what, list = "operation", b.OpenAPI.Operations
			entries = append(entries, b.OpenAPI.Describe)
		}
		check(what, list.Items...)
		for _, e := range entries {
			for _, entry := range e.Tools {
				// only-outside-allow and its like say so themselves.
				if list.Has(entry.Tool.Value) || !list.Known {
					check(what, entry.Tool)
				}
				check("argument", entry.Only...)
				for _, param := range entry.Params {
					check("argument", param.Key)
				}
			}
		}
	}
}

// invisible is the first character of a name that cannot be seen.
func invisible(name string) (rune, bool) {
	for _, r := range name {
		if suggest.Invisible(r) {
			return r, true
		}
	}
	return 0, false
}

func yamlAmbiguous(p *Pass, d *declaration.Document) {
	if d.Root() == nil {
		return
	}
	var walk func(n *source.Node)
	walk = func(n *source.Node) {
		if n.Origin != nil || d.Refused(n) {
			return
		}
		if other := n.YAML11(); other != "" {
			p.Report(Finding{
				At: n, Message: fmt.Sprintf("%s is a string here, but %s to the YAML 1.1 reader of the agents' runtime", redact.Node(n), other),
				Help: "put it in quotes", Fix: quote(n),
			})
		}
		for _, item := range n.Items {
			walk(item)
		}
		// While the shape of params is at fault, its names are likely to change.
		settled := !isArgumentMap(n) || !d.Faulty(n.Parent)
		for _, f := range n.Fields {
			if d.Unknown(f.Key) {
				continue
			}
			if settled {
				walk(f.Key)
			}
			walk(f.Value)
		}
	}
	walk(d.Root())
}

// isArgumentMap says whether a map's keys are arguments of a tool under params.
func isArgumentMap(n *source.Node) bool {
	return n.Key != nil && n.Parent.Key != nil && n.Parent.Key.Value == "params"
}
