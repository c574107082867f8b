package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/source"
)

// Hover implements protocol.Server: what a key is for, what a server says of a tool, and
// the page of a rule that has found something.
func (s *server) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	around := s.surroundings(ctx, p.TextDocumentPositionParams)
	if around == nil {
		return nil, nil
	}
	d, offset := around.document, around.offset
	var parts []string
	f := source.Parse(d.path, d.text, source.Declarations)
	var at *protocol.Range
	if n := f.At(offset); n != nil {
		if about := around.describe(n); about != "" {
			parts = append(parts, about)
			at = new(spanOf(f, n.Span()))
		}
	}
	ids := []string{ruleAt(f, offset)}
	for _, found := range s.lint(ctx, d).between(offset, offset) {
		ids = append(ids, found.Rule)
	}
	shown := map[string]bool{}
	for _, id := range ids {
		r, known := ruleNamed(id)
		if !known || shown[id] {
			continue
		}
		shown[id] = true
		page, err := r.Page()
		if err != nil {
			return nil, err
		}
		parts = append(parts, strings.TrimSpace(page))
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: strings.Join(parts, "\n\n---\n\n")}, Range: at}, nil
}

// describe is what is known of a key, or of a name; empty for nothing.
func (s *surroundings) describe(n *source.Node) string {
	p := placeOf(n)
	switch {
	case p.is("tools", "*", "mcp", "allow", "*") && !n.IsKey(),
		n.IsKey() && (p.is("tools", "*", "mcp", "only", "*") || p.is("tools", "*", "mcp", "params", "*")):
		for _, t := range s.listing(n).Named(n.Value) {
			return describeTool(t.Name, t.Description, s.arguments(n, t.Name))
		}
		return ""
	case n.IsKey():
		if value := n.Parent.Get(n.Value); value != nil {
			if about := schema.Describe(s.kind, value); about != "" {
				return fmt.Sprintf("**%s**\n\n%s", inline(n.Value), about)
			}
		}
	}
	return ""
}

// describeTool is what a server says of a tool, as text: its words are nobody's Markdown.
func describeTool(name, description string, arguments []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**", inline(name))
	if description != "" {
		fmt.Fprintf(&b, "\n\n%s", fenced(description))
	}
	for i, a := range arguments {
		separator := ", "
		if i == 0 {
			separator = "\n\nArguments: "
		}
		b.WriteString(separator + inline(a))
	}
	return b.String()
}

// inline is a text as a Markdown code span, and fenced as a code block.
func inline(s string) string {
	return "`" + strings.ReplaceAll(source.Printable(s), "`", "'") + "`"
}

func fenced(s string) string {
	lines := strings.FieldsFunc(strings.ReplaceAll(s, "```", "'''"), func(r rune) bool { return r == '\n' || r == '\r' })
	const most = 20
	if len(lines) > most {
		lines = append(lines[:most], "…")
	}
	return "```text\n" + strings.Join(lines, "\n") + "\n```"
}

// ruleAt is the rule's id that a comment names around an offset.
func ruleAt(f *source.File, offset int) string {
	for _, c := range f.Comments {
		start, end := wordAround(f.Text, offset)
		if c.Start <= start && offset <= c.End && lint.NamesRules(f.Text[c.Start:start]) {
			return f.Text[start:end]
		}
	}
	return ""
}
