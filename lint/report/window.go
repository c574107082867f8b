package report

import (
	"sort"
	"strings"
)

// ellipsis stands where a line goes on beyond what is shown of it.
const ellipsis = "…"

// A window is as much of a strip as the columns of a frame hold.
type window struct {
	text   string
	strip  strip
	first  int // the column of the strip that is shown first
	indent int // the columns of the window before it
	width  int // of the text
}

// window chooses what to show of a strip: the whole of it where that fits,
// otherwise a part about the first marks, as many as it can hold together. It
// says how many those are, at least one.
func (s strip) window(marks []mark, columns int) (window, int) {
	room := columns - 2*displayWidth(ellipsis)
	whole := !s.cutLeft && !s.cutRight
	lo, hi := s.extent(marks[0])
	shown := 1
	for ; shown < len(marks) && s.holds(marks[shown]); shown++ {
		_, next := s.extent(marks[shown])
		next = max(hi, next)
		if next-lo > room && (!whole || max(s.width(), next) > columns) {
			break
		}
		hi = next
	}

	need := max(s.width(), hi)
	left := 0
	if !whole || need > columns {
		slack := room - (hi - lo)
		if slack >= 0 {
			left = lo - slack/2
		} else {
			// Not all of it fits: what comes before it, such as its key, tells
			// more than its end.
			label := displayWidth(marks[0].label)
			left = lo - min(columns/4, max(room-label, 0))
		}
		left = min(left, need-columns+1)
	}
	if left <= 1 {
		left = 0 // an ellipsis would take the column it saves
	}
	return s.crop(left, columns), shown
}

// crop is the window that begins at a column.
func (s strip) crop(left, columns int) window {
	w := window{strip: s}
	from := sort.Search(len(s.cells), func(i int) bool { return s.cells[i].column >= left })
	w.first = s.width()
	if from < len(s.cells) {
		w.first = s.cells[from].column
	}
	var b strings.Builder
	if s.cutLeft || from > 0 {
		b.WriteString(ellipsis)
		w.indent = displayWidth(ellipsis)
	}
	w.width = w.indent
	cut := s.cutRight || w.indent+s.width()-w.first > columns
	for _, c := range s.cells[from:] {
		if cut && w.width+c.width+displayWidth(ellipsis) > columns {
			break
		}
		b.WriteString(c.text)
		w.width += c.width
	}
	if cut {
		b.WriteString(ellipsis)
		w.width += displayWidth(ellipsis)
	}
	w.text = b.String()
	return w
}

// underline is the columns of the window that a mark underlines: at least one,
// and where the mark goes on beyond the window, all to its edge.
func (w window) underline(m mark) (start, end int) {
	start = w.column(w.strip.column(m.start))
	end = w.column(w.strip.columnAfter(m))
	return start, max(end, start+1)
}

func (w window) column(c int) int {
	return min(max(c-w.first, 0)+w.indent, w.width)
}

// extent is the columns of the strip that a mark would have: those of its
// underline and of a label below it.
func (s strip) extent(m mark) (lo, hi int) {
	lo = s.column(m.start)
	return lo, max(s.columnAfter(m), lo+1, lo+displayWidth(m.label))
}

// holds says whether a mark begins within the strip.
func (s strip) holds(m mark) bool {
	return !s.cutRight || len(s.cells) > 0 && m.start < s.cells[len(s.cells)-1].end
}

// width is how many columns the strip has.
func (s strip) width() int {
	if len(s.cells) == 0 {
		return 0
	}
	last := s.cells[len(s.cells)-1]
	return last.column + last.width
}

// column is where the cell of a byte begins.
func (s strip) column(offset int) int {
	i := sort.Search(len(s.cells), func(i int) bool { return s.cells[i].end > offset })
	if i == len(s.cells) {
		return s.width()
	}
	return s.cells[i].column
}

// columnAfter is where the last cell of a mark ends. An empty mark has none.
func (s strip) columnAfter(m mark) int {
	if m.start == m.end {
		return s.column(m.start)
	}
	i := sort.Search(len(s.cells), func(i int) bool { return s.cells[i].end >= m.end })
	if i == len(s.cells) {
		return s.width()
	}
	return s.cells[i].column + s.cells[i].width
}
