package report

import (
	"fmt"

	"github.com/gete-lint/gete/rules"
)

// writeText writes, for each diagnostic, its line, the frames that show the
// places involved, and the help.
func writeText(r *report) error {
	for _, d := range r.shown {
		s := styleOf(r.Options, d.Severity)
		r.writeHeadline(d, s)
		g := r.writeFrames(d, s)
		if d.Help != "" {
			fmt.Fprintf(r, "%s %s\n", s.quiet.Sprint(g.note()), "help: "+oneLine(d.Help))
		}
		fmt.Fprintln(r)
	}
	return nil
}

// writeFrames writes the frames that show the places involved, and returns their
// gutter.
func (r *report) writeFrames(d rules.Diagnostic, s style) gutter {
	frames := framesOf(d)
	g := gutterFor(frames, r.Width)
	for i, f := range frames {
		if i > 0 {
			fmt.Fprintf(r, "%s %s\n", s.quiet.Sprint(g.arrow()), s.path.Sprint(position(f.file.Path, f.at)))
		}
		f.write(r, g, s)
	}
	return g
}
