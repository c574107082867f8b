package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// A frame shows the places in one file that a diagnostic involves.
type frame struct {
	file  *source.File
	at    source.Position // of the first place that was added
	marks []mark
}

// A mark is a place as a frame shows it: the part that lies on its first line.
type mark struct {
	line       int
	start, end int // bytes of the line; equal for an empty place
	label      string
	primary    bool
}

// framesOf are the frames of a diagnostic, that of its own file first.
func framesOf(d rules.Diagnostic) []frame {
	var frames []frame
	add := func(p rules.Place, label string, primary bool) {
		i := slices.IndexFunc(frames, func(f frame) bool { return f.file == p.File })
		if i < 0 {
			i = len(frames)
			frames = append(frames, frame{file: p.File, at: p.Span.Start})
		}
		// A file without text could not be read, or has nothing to show.
		if p.File.Text != "" || label != "" {
			frames[i].marks = append(frames[i].marks, markOf(p, label, primary))
		}
	}
	add(d.Place, d.Label, true)
	for _, related := range d.Related {
		add(related.Place, related.Message, false)
	}
	for _, f := range frames {
		slices.SortStableFunc(f.marks, func(a, b mark) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.start, b.start))
		})
	}
	return frames
}

func markOf(p rules.Place, label string, primary bool) mark {
	m := mark{line: p.Span.Start.Line, label: oneLine(label), primary: primary}
	text, offset := p.File.Line(m.line)
	// The place of a line end is just past the text.
	m.start = min(p.Span.Start.Offset-offset, len(text))
	end := min(p.Span.End.Offset-offset, len(text))
	if p.Span.End.Line > m.line {
		end = len(strings.TrimRight(text, " \t"))
	}
	m.end = max(end, m.start)
	return m
}

// write writes the lines of the frame that have marks.
func (f frame) write(r *report, g gutter, s style) {
	previous := 0
	for marks := f.marks; len(marks) > 0; {
		line := marks[0].line
		if previous > 0 && line > previous+1 {
			fmt.Fprintln(r, s.quiet.Sprint(g.skip()))
		}
		previous = line
		n := slices.IndexFunc(marks, func(m mark) bool { return m.line != line })
		if n < 0 {
			n = len(marks)
		}
		f.writeLine(r, g, s, marks[:n])
		marks = marks[n:]
	}
}

// writeLine writes a line and, below it, its marks. A line that is too long for
// all of them is written once for each window that shows some.
func (f frame) writeLine(r *report, g gutter, s style, marks []mark) {
	number := marks[0].line
	text, offset := f.file.Line(number)
	l := line{text: text, offset: offset, secrets: r.result.Secrets[f.file]}
	for len(marks) > 0 {
		strip := l.around(marks[0].start, g.columns)
		w, n := strip.window(marks, g.columns)
		writeRow(r, s.quiet.Sprint(g.number(number)), strings.TrimRight(w.text, " "))
		for _, row := range rowsOf(w, marks[:n], g.columns) {
			writeRow(r, s.quiet.Sprint(g.blank()), row.render(s))
		}
		marks = marks[n:]
	}
}

func writeRow(r *report, margin, text string) {
	if text != "" {
		margin += " "
	}
	fmt.Fprintln(r, margin+text)
}
