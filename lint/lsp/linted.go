package lsp

import (
	"context"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// linted is what a document belongs to, linted as it is now.
type linted struct {
	document *document
	options  lint.Options
	result   *lint.Result
}

// lint lints what a document belongs to. Where that cannot be done it finds nothing: the
// check says why, and an editor asks at every move of the cursor.
func (s *server) lint(ctx context.Context, d *document) linted {
	l := linted{document: d, result: &lint.Result{}}
	o, ok := s.options(d.path)
	if !ok {
		return l
	}
	if result, err := lint.Run(ctx, o); err == nil {
		l.options, l.result = o, result
	}
	return l
}

// between are the findings of the document that touch the text between two offsets.
func (l linted) between(start, end int) []rules.Diagnostic {
	var found []rules.Diagnostic
	for _, d := range l.result.Diagnostics {
		if l.options.Abs(d.File.Path) == l.document.path && d.Span.Start.Offset <= end && start <= d.Span.End.Offset {
			found = append(found, d)
		}
	}
	return found
}
