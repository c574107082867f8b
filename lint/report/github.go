package report

import (
	"fmt"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// writeGitHub writes one workflow command a diagnostic, which GitHub Actions
// turns into annotations.
func writeGitHub(r *report) error {
	root := rootOf(r.Options)
	// What the runner would decode is escaped first, so that of a path nothing
	// is lost; what else is not printable it shows as it is.
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, d := range r.shown {
		path := fromRoot(root, r.Dir, d.File.Path)
		fmt.Fprintf(r, "::%s file=%s,%s,title=%s::%s\n",
			command(d.Severity), oneLine(property.Replace(path)), lines(d.Span), oneLine(property.Replace(d.Rule)),
			data.Replace(position(path, d.Span.Start)+": "+oneLine(d.Message)))
	}
	return nil
}

// command is the workflow command for a severity.
func command(s rules.Severity) string {
	if s == rules.Advice {
		return "notice"
	}
	return s.String()
}

// lines are the properties that say where a span is. The runner refuses
// columns for one of several lines.
func lines(s source.Span) string {
	if s.Start.Line != s.End.Line {
		return fmt.Sprintf("line=%d,endLine=%d", s.Start.Line, s.End.Line)
	}
	return fmt.Sprintf("line=%d,endLine=%d,col=%d,endColumn=%d", s.Start.Line, s.End.Line, s.Start.Column, s.End.Column)
}
