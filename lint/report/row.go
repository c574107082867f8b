package report

import "strings"

// A row is what stands on one line below a line of a file.
type row []piece

// A piece is an underline or a label.
type piece struct {
	column  int
	text    string
	primary bool
}

// rowsOf lays out marks, which are sorted, below a window. Marks share a row
// where nothing of them touches; a label that would run out of the columns
// beside its underline stands below it where it fits there.
func rowsOf(w window, marks []mark, columns int) []row {
	var rows []row
	free := -1 // the first column of the last row that may be written; -1 for none
	for _, m := range marks {
		start, end := w.underline(m)
		sign := "-"
		if m.primary {
			sign = "^"
		}
		underline := piece{start, strings.Repeat(sign, end-start), m.primary}
		if free < 0 || start < free {
			rows = append(rows, nil)
		}
		last := &rows[len(rows)-1]
		*last = append(*last, underline)
		free = end + 1
		if m.label == "" {
			continue
		}
		label := piece{end + 1, m.label, m.primary}
		width := displayWidth(m.label)
		if label.column+width > columns && start+width <= columns {
			label.column = start
			rows = append(rows, row{label})
			free = -1
			continue
		}
		*last = append(*last, label)
		free = label.column + width + 2
	}
	return rows
}

// render is the row as it is printed.
func (r row) render(s style) string {
	var b strings.Builder
	column := 0
	for _, p := range r {
		b.WriteString(strings.Repeat(" ", p.column-column))
		c := s.related
		if p.primary {
			c = s.severity
		}
		b.WriteString(c.Sprint(p.text))
		column = p.column + displayWidth(p.text)
	}
	return b.String()
}
