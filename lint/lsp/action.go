package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// fixAll is the kind of the action that makes all safe fixes of a document.
const fixAll protocol.CodeActionKind = "source.fixAll.gete"

// maxIgnored bounds the findings that one request is offered comments for: each is
// tried, which takes a run of the linter.
const maxIgnored = 8

// CodeAction implements protocol.Server.
func (s *server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	// The edits are of the text as it is now, which the last check may not know.
	l := s.lint(ctx, d)
	var actions []protocol.CommandOrCodeAction
	if asked(p.Context.Only, protocol.CodeActionKindQuickFix) {
		found := l.between(offsetOf(d.file(), p.Range.Start), offsetOf(d.file(), p.Range.End))
		var err error
		if actions, err = s.quickFixes(ctx, l, found); err != nil {
			return nil, err
		}
	}
	// It takes a while, so that it is not made for who does not ask for it.
	fixable := func(f rules.Diagnostic) bool { return f.Fix != nil && f.Fix.Safe }
	if len(p.Context.Only) > 0 && asked(p.Context.Only, fixAll) && slices.ContainsFunc(l.between(0, len(d.text)), fixable) {
		action, err := s.fixOf(ctx, l.options, d)
		if err != nil {
			return nil, err
		}
		if action != nil {
			actions = append(actions, action)
		}
	}
	return actions, nil
}

// asked says whether a client wants actions of a kind; kinds are a hierarchy by their
// dots.
func asked(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == kind || strings.HasPrefix(string(kind), string(o)+".")
	})
}

// quickFixes are the fixes of some findings of a result and, behind them, the comments
// that suppress them.
func (s *server) quickFixes(ctx context.Context, l linted, found []rules.Diagnostic) ([]protocol.CommandOrCodeAction, error) {
	kind := protocol.CodeActionKindQuickFix
	var actions []protocol.CommandOrCodeAction
	add := func(d rules.Diagnostic, title string, preferred bool, edits []source.Edit) {
		actions = append(actions, &protocol.CodeAction{
			Title: title, Kind: &kind, IsPreferred: &preferred,
			Diagnostics: []protocol.Diagnostic{s.diagnosticOf(l.options, d)}, Edit: s.workspaceEdit(l.options, edits),
		})
	}
	for _, d := range found {
		if d.Fix != nil {
			add(d, capitalized(d.Fix.Message), d.Fix.Safe, d.Fix.Edits)
		}
	}
	for i, d := range found {
		if i == maxIgnored {
			break
		}
		edit, ok, err := l.result.Ignore(ctx, l.options, d)
		if err != nil {
			return nil, err
		}
		if ok {
			add(d, "Ignore "+d.Rule+" here", false, []source.Edit{edit})
		}
	}
	return actions, nil
}

// fixOf is the action that makes the safe fixes of a document; nil where there are none.
func (s *server) fixOf(ctx context.Context, o lint.Options, d *document) (*protocol.CodeAction, error) {
	o.Paths = []string{d.path}
	fixed, err := lint.Fix(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, c := range fixed.Changes {
		if o.Abs(c.Before.Path) != d.path {
			continue
		}
		kind := fixAll
		whole := source.Edit{File: c.Before, Start: 0, End: len(c.Before.Text), Text: c.After.Text}
		return &protocol.CodeAction{Title: "Make all safe fixes", Kind: &kind, Edit: s.workspaceEdit(o, []source.Edit{whole.Trimmed()})}, nil
	}
	return nil, nil
}

func (s *server) workspaceEdit(o lint.Options, edits []source.Edit) *protocol.WorkspaceEdit {
	w := &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{}}
	for _, e := range edits {
		u := s.uriOf(o.Abs(e.File.Path))
		w.Changes[u] = append(w.Changes[u], protocol.TextEdit{Range: rangeOf(e.File, e.Start, e.End), NewText: e.Text})
	}
	return w
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
