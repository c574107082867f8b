package report

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/gete-lint/gete/schema/source"
)

const (
	// tab is what a tab is shown as. Its width is fixed, so that a part of a
	// line can be laid out without the rest.
	tab = "    "
	// mask stands for each column of a secret.
	mask = "*"
	// carrier shows a combining mark that has nothing of its own to stand on.
	carrier = "\u25cc"
	// joiner makes one emoji of several.
	joiner = '\u200d'
	// cellBytes bounds how many bytes of a line are read for each column that
	// is shown; a line may be megabytes long, and all of it combining marks.
	cellBytes = 8
)

// A line is one line of a file.
type line struct {
	text    string
	offset  int           // of the text in its file
	secrets []source.Span // of the whole file, in order and apart
}

// A cell is what a terminal shows as one character.
type cell struct {
	start, end int // bytes of the line
	column     int // the first that it takes, counted from that of the strip
	text       string
	width      int
}

// A strip is a stretch of a line in cells.
type strip struct {
	cells             []cell
	cutLeft, cutRight bool // whether the line goes on there
}

// around is the stretch of a line about a byte that can be of interest where so
// many columns are shown.
func (l line) around(at, columns int) strip {
	reach := columns * cellBytes
	start, end := max(at-reach, 0), min(at+reach, len(l.text))
	for start < at && start > 0 && !utf8.RuneStart(l.text[start]) {
		start++
	}
	for end > at && end < len(l.text) && !utf8.RuneStart(l.text[end]) {
		end--
	}
	s := strip{cutLeft: start > 0, cutRight: end < len(l.text)}
	s.cells = l.cells(start, end)
	// The cut may have gone through the first cell.
	if s.cutLeft && len(s.cells) > 0 && s.cells[0].end <= at {
		s.cells = s.cells[1:]
	}
	column := 0
	for i := range s.cells {
		s.cells[i].column = column
		column += s.cells[i].width
	}
	return s
}

// cells are the cells of a stretch of the line, without their columns.
func (l line) cells(start, end int) []cell {
	cells := make([]cell, 0, end-start)
	add := func(size int, text string) {
		c := cell{start: start, end: start + size, text: text, width: displayWidth(text)}
		if l.secret(c.start, c.end) {
			c.text = strings.Repeat(mask, c.width)
		}
		cells = append(cells, c)
		start = c.end
	}
	for start < end {
		// Segmentation is only defined for characters.
		valid := l.text[start:validUntil(l.text, start, end)]
		for g := graphemes.FromString(valid); g.Next(); {
			add(len(g.Value()), showCluster(g.Value()))
		}
		if start < end {
			add(1, escapeByte(l.text[start]))
		}
	}
	return cells
}

// validUntil is where the first byte from start on is that is no part of a
// character, and end where there is none.
func validUntil(text string, start, end int) int {
	for start < end {
		r, size := utf8.DecodeRuneInString(text[start:end])
		if r == utf8.RuneError && size == 1 {
			break
		}
		start += size
	}
	return start
}

// showCluster is what a terminal is given for a grapheme cluster: at least one
// column wide, and nothing in it that is not printable.
func showCluster(cluster string) string {
	if cluster == "\t" {
		return tab
	}
	var b strings.Builder
	for i, r := range cluster {
		switch size := utf8.RuneLen(r); {
		case i == 0 && isPrintable(r) && displayWidth(cluster[:size]) == 0:
			b.WriteString(carrier)
			b.WriteRune(r)
		case isPrintable(r), r == joiner && i > 0 && i+size < len(cluster):
			b.WriteRune(r)
		default:
			b.WriteString(escapeRune(r))
		}
	}
	return b.String()
}

// secret says whether a stretch of the line has a part of a secret.
func (l line) secret(start, end int) bool {
	start, end = start+l.offset, end+l.offset
	i := sort.Search(len(l.secrets), func(i int) bool { return l.secrets[i].End.Offset > start })
	return i < len(l.secrets) && l.secrets[i].Start.Offset < end
}
