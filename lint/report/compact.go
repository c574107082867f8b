package report

import (
	"fmt"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// writeCompact writes one line a diagnostic.
func writeCompact(r *report) error {
	for _, d := range r.shown {
		r.writeHeadline(d, styleOf(r.Options, d.Severity))
	}
	return nil
}

// writeHeadline writes the line that says all of a diagnostic that must be said.
func (r *report) writeHeadline(d rules.Diagnostic, s style) {
	fmt.Fprintf(r, "%s %s %s [%s]\n",
		s.path.Sprint(position(d.File.Path, d.Span.Start), ":"),
		s.severity.Sprint(d.Severity, ":"),
		oneLine(d.Message), s.rule(d.Rule))
}

// position is a place as editors and terminals make it a link.
func position(path string, at source.Position) string {
	p := fmt.Sprintf("%s:%d:%d", oneLine(path), at.Line, at.Column)
	// GitHub takes a line that begins so for a command.
	if strings.HasPrefix(strings.TrimSpace(p), "::") {
		return "./" + p
	}
	return p
}
