package rules

import (
	"fmt"

	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// A Finding is what a rule has to say about a node.
type Finding struct {
	At      *source.Node
	Message string
	Label   string
	Help    string
	Related *source.Node // the other place involved; may be nil
	Note    string       // what that other place is
	Fix     *Fix         // may be nil

	suggestion string // what follows the message
}

// A Fix is a change to a file that clears a finding.
type Fix struct {
	// Message says what it does, such as "write `search`".
	Message string
	Edits   []source.Edit
	// Safe says that it can be made without asking: that it is what the author
	// meant, gives nobody more than that, and takes no comment away.
	Safe bool
}

// Quoted is a name in a message, in quotation marks: a tool, an argument, an operation.
func Quoted(name string) string { return `"` + redact.Name(name) + `"` }

// Backquoted is a name in a message, in backquotes: what is written in a declaration.
func Backquoted(name string) string { return "`" + redact.Name(name) + "`" }

// Suggest adds the name that the one at fault is likely meant to be, spelt by Quoted or
// Backquoted, and where it can be no other, the fix that writes it.
func (f *Finding) Suggest(meant suggest.Match, spelled func(string) string) {
	if meant.Name == "" {
		return
	}
	f.suggestion = fmt.Sprintf("; did you mean %s?", spelled(meant.Name))
	if meant.Alone {
		f.Fix = Rename(f.At, meant.Name)
	}
}

// ask makes the fix one that somebody must look at, where the name at fault may be what
// the author had in mind.
func (f *Finding) ask() {
	if f.Fix != nil {
		f.Fix.Safe = false
	}
}

// Rename is the fix that writes another name in the place of a key, value or item;
// nil where that cannot be done, or the name is there already.
func Rename(at *source.Node, name string) *Fix {
	if at == nil || at.IsKey() && at.Parent.Get(name) != nil || at.Parent != nil && find(at.Parent.Items, name) != nil {
		return nil
	}
	edit, ok := at.Rewrite(name)
	if !ok {
		return nil
	}
	return &Fix{Message: "write " + Backquoted(name), Edits: []source.Edit{edit}, Safe: true}
}

// remove is the fix that takes an item out of its list; nil where that cannot be
// done simply.
func remove(item *source.Node) *Fix {
	edit, ok := item.Remove()
	if !ok {
		return nil
	}
	return &Fix{Message: "remove " + Backquoted(item.Value), Edits: []source.Edit{edit}, Safe: len(edit.Comments()) == 0}
}

// quote is the fix that puts a scalar in quotes; nil where that cannot be done.
func quote(n *source.Node) *Fix {
	edit, ok := n.Quote()
	if !ok {
		return nil
	}
	return &Fix{Message: "put it in quotes", Edits: []source.Edit{edit}, Safe: true}
}

// Report reports a finding.
func (p *Pass) Report(f Finding) {
	d := p.diagnostic(PlaceOf(f.At), f.Message, f.Label, f.Help)
	d.complete(f)
	if f.At.Origin != nil {
		anchor := Place{File: f.At.File, Span: f.At.File.Span(f.At.Anchor.Start, f.At.Anchor.End)}
		d.Related = append(d.Related, Related{Place: anchor, Message: "brought in from here"})
	}
	if f.Related != nil {
		d.Related = append(d.Related, Related{PlaceOf(f.Related), f.Note})
	}
	d.about, d.origin = subjects(f)
	p.report(d)
}

// ReportComment reports a finding about a comment of a file; it is At no node.
func (p *Pass) ReportComment(file *source.File, c source.Comment, f Finding) {
	d := p.diagnostic(Place{File: file, Span: file.Span(c.Start, c.End)}, f.Message, f.Label, f.Help)
	d.complete(f)
	p.report(d)
}

// complete adds what a finding has to a diagnostic beside its place and words.
func (d *Diagnostic) complete(f Finding) {
	d.fault, d.Message, d.Fix = f.Message, f.Message+f.suggestion, f.Fix
}

// ReportFile reports a finding about a file as a whole.
func (p *Pass) ReportFile(file *source.File, message, help string) {
	p.report(p.diagnostic(Place{File: file, Span: file.Span(0, 0)}, message, "", help))
}

func (p *Pass) diagnostic(at Place, message, label, help string) Diagnostic {
	return Diagnostic{
		Rule: p.rule.ID, Severity: p.rule.Severity, Place: at, Message: message, Label: label, Help: help,
		Consulted: p.consulted, Outage: p.rule.Outage, fault: message,
	}
}
