package report

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// defaultWidth is that of a report which no terminal shows.
	defaultWidth = 160
	// leastColumns is what the text of a line keeps on however narrow a
	// terminal.
	leastColumns = 20
	// gutterIndent sets frames off from the lines that head them.
	gutterIndent = "   "
)

// A gutter is the margin of line numbers that the frames of one diagnostic
// share.
type gutter struct {
	digits  int // of the longest line number
	columns int // that are left for the text of a line
}

// gutterFor is the gutter of frames on a terminal of a width.
func gutterFor(frames []frame, width int) gutter {
	last := 1
	for _, f := range frames {
		for _, m := range f.marks {
			last = max(last, m.line)
		}
	}
	if width <= 0 {
		width = defaultWidth
	}
	g := gutter{digits: len(strconv.Itoa(last))}
	g.columns = max(width-len(g.blank())-len(" "), leastColumns)
	return g
}

// number is the margin beside a line of a file.
func (g gutter) number(line int) string {
	return fmt.Sprintf("%s%*d |", gutterIndent, g.digits, line)
}

// blank is the margin beside what stands below a line of a file.
func (g gutter) blank() string { return g.under("|") }

// note is the margin beside what ends a diagnostic.
func (g gutter) note() string { return g.under("=") }

// arrow is the margin beside the path of a further file.
func (g gutter) arrow() string {
	return gutterIndent + strings.Repeat(" ", g.digits) + "-->"
}

// skip stands for lines that are not shown.
func (g gutter) skip() string { return gutterIndent + "..." }

func (g gutter) under(sign string) string {
	return gutterIndent + strings.Repeat(" ", g.digits) + " " + sign
}
