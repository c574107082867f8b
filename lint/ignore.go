package lint

import (
	"context"
	"maps"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// Ignore is the edit that puts a comment about its line into a file which suppresses a
// finding: of those that a comment can be, the first with which there are fewer findings
// and no error has come. It is false where no comment does that. The options are those
// that the result is of.
func (r *Result) Ignore(ctx context.Context, o Options, d rules.Diagnostic) (source.Edit, bool, error) {
	for _, edit := range ignoring(d) {
		next := o
		next.Overlay = maps.Clone(o.Overlay)
		if next.Overlay == nil {
			next.Overlay = map[string][]byte{}
		}
		next.Overlay[o.Abs(d.File.Path)] = []byte(source.Apply(d.File.Text, []source.Edit{edit}))
		result, err := Run(ctx, next)
		if err != nil {
			return source.Edit{}, false, err
		}
		if r.improvedBy(result) {
			return edit, true, nil
		}
	}
	return source.Edit{}, false, nil
}

// ignoring are the comments that may suppress a finding: one that is there already with
// the rule added, one behind the line, and one above it.
func ignoring(d rules.Diagnostic) []source.Edit {
	f, line := d.File, d.Span.Start.Line
	if f.Text == "" {
		return nil
	}
	var edits []source.Edit
	put := func(at int, text string) {
		edits = append(edits, source.Edit{File: f, Start: at, End: at, Text: text})
	}
	for _, s := range suppressionsOf(f).line[line] {
		if len(s.rules) > 0 {
			put(s.rules[len(s.rules)-1].end, ", "+d.Rule)
		}
	}
	text, start := f.Line(line)
	comment := "# gete:ignore " + d.Rule
	if trimmed := strings.TrimRight(text, " \t"); trimmed != "" {
		put(start+len(trimmed), " "+comment)
	}
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	put(start, indent+comment+f.LineEnd())
	return edits
}
