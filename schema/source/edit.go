package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Edit puts a text in the place of a stretch of a file.
type Edit struct {
	File *File
	// Start and End are byte offsets in the file's text; they are equal where
	// something is only put in.
	Start, End int
	Text       string
}

func inOrder(edits []Edit) []Edit {
	return slices.SortedFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
}

// Apply is a text with edits made that do not overlap.
func Apply(text string, edits []Edit) string {
	var b strings.Builder
	done := 0
	for _, e := range inOrder(edits) {
		b.WriteString(text[done:e.Start])
		b.WriteString(e.Text)
		done = e.End
	}
	b.WriteString(text[done:])
	return b.String()
}

// Before is where a byte offset of a text with edits made was before they were. What
// is in a new text was at the start of the old one.
func Before(edits []Edit, offset int) int {
	grown := 0
	for _, e := range inOrder(edits) {
		if offset < e.Start+grown {
			break
		}
		if offset < e.Start+grown+len(e.Text) {
			return e.Start
		}
		grown += len(e.Text) - (e.End - e.Start)
	}
	return offset - grown
}

// Comments are those of the file that lie in what the edit takes out.
func (e Edit) Comments() []Comment {
	var in []Comment
	for _, c := range e.File.Comments {
		if c.Start < e.End && c.End > e.Start {
			in = append(in, c)
		}
	}
	return in
}

// Overlaps says whether two edits of a file touch the same text.
func (e Edit) Overlaps(other Edit) bool {
	return e.File == other.File && e.Start < other.End && other.Start < e.End || e == other
}

// isEditable says whether a node is written on one line where it stands. What an
// alias brings is written elsewhere.
func (n *Node) isEditable() bool {
	return n.Origin == nil && n.Style != Implicit && !strings.ContainsAny(n.File.Text[n.Start:n.End], "\r\n")
}

// Rewrite puts another text in the place of a scalar, in the style that it is
// written in where that style can hold the text. It is false for a block scalar and
// one of several lines.
func (n *Node) Rewrite(value string) (Edit, bool) {
	if !n.IsScalar() || !n.isEditable() || strings.ContainsFunc(value, isControl) {
		return Edit{}, false
	}
	text := Scalar(value)
	switch n.Style {
	case SingleQuoted:
		text = singleQuoted(value)
	case DoubleQuoted:
		text = doubleQuoted(value)
	}
	return Edit{n.File, n.Start, n.End, text}, true
}

// Scalar is how a text of one line is written: plain where that is a string to every
// reader, and else in double quotes.
func Scalar(value string) string {
	if isPlain(value) {
		return value
	}
	return doubleQuoted(value)
}

// Quote puts quotes around a plain scalar.
func (n *Node) Quote() (Edit, bool) {
	if n.Style != Plain || !n.isEditable() {
		return Edit{}, false
	}
	text := n.File.Text[n.Start:n.End]
	return Edit{n.File, n.Start, n.End, doubleQuoted(text)}, true
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// isPlain says whether a text is a string without quotes to every reader, wherever
// it stands. It is narrower than the specification, and refuses what is only
// rarely a name.
func isPlain(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '/' || r == '.'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '-')) {
			return false
		}
	}
	n := Node{Kind: String, Style: Plain, Value: s}
	return resolve(s) == String && n.YAML11() == ""
}

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// doubleQuoted quotes a text of one line without control characters.
func doubleQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Remove takes an item out of its list, with its comma or its dash and what is left
// blank by that. It is false where the item cannot be told from its surroundings
// so simply: one of a block list that spans lines, or has an anchor or a tag.
func (n *Node) Remove() (Edit, bool) {
	if n.Parent == nil || n.Parent.Kind != Sequence || n.Origin != nil || n.Style == Implicit || n.Anchor.End > 0 {
		return Edit{}, false
	}
	if n.Parent.Style == Flow {
		return n.removeFromFlow()
	}
	return n.removeFromBlock()
}

// removeFromBlock takes out the item's line. A list that would be left without an
// item is written as an empty one.
func (n *Node) removeFromBlock() (Edit, bool) {
	text := n.File.Text
	start := strings.LastIndexAny(text[:n.Start], "\r\n") + 1
	before := strings.TrimPrefix(text[start:n.Start], byteOrderMark)
	if strings.Trim(before, " \t") != "-" || !n.isEditable() {
		return Edit{}, false
	}
	end := n.End
	if i := strings.IndexAny(text[end:], "\r\n"); i >= 0 {
		end += i
	} else {
		end = len(text)
	}
	if rest := strings.TrimLeft(text[n.End:end], " \t"); rest != "" && rest[0] != '#' {
		return Edit{}, false
	}
	if len(n.Parent.Items) == 1 {
		key := n.Parent.Key
		if key == nil || n.Parent.Anchor.End > 0 {
			return Edit{}, false
		}
		// From behind the key's colon to the end of the item.
		colon := key.End + strings.IndexByte(text[key.End:n.Start], ':')
		if strings.TrimSpace(text[colon+1:start]) != "" {
			return Edit{}, false // a comment or a tag
		}
		return Edit{n.File, colon + 1, n.End, " []"}, true
	}
	return Edit{n.File, start, pastLineEnd(text, end), ""}, true
}

func pastLineEnd(text string, at int) int {
	if strings.HasPrefix(text[at:], "\r\n") {
		return at + 2
	}
	return min(at+1, len(text))
}

// removeFromFlow takes out the item with the comma behind it, and the last one with
// that before it.
func (n *Node) removeFromFlow() (Edit, bool) {
	const blank = " \t\r\n"
	text := n.File.Text
	end := n.End + len(text[n.End:]) - len(strings.TrimLeft(text[n.End:], blank))
	if end < len(text) && text[end] == ',' {
		end++
		start := n.Start
		line := strings.LastIndexAny(text[:start], "\r\n") + 1
		spaces := end + len(text[end:]) - len(strings.TrimLeft(text[end:], " \t"))
		switch {
		case spaces < len(text) && !strings.ContainsRune("\r\n#", rune(text[spaces])):
			end = spaces // what follows moves up
		case strings.Trim(text[line:start], " \t") == "" && text[spaces] != '#':
			start, end = line, pastLineEnd(text, spaces) // it had the line to itself
		}
		return Edit{n.File, start, end, ""}, true
	}
	start := len(strings.TrimRight(text[:n.Start], blank))
	switch {
	case start > 0 && text[start-1] == ',':
		return Edit{n.File, start - 1, n.End, ""}, true
	case start > 0 && text[start-1] == '[':
		return Edit{n.File, n.Start, n.End, ""}, true
	}
	return Edit{}, false // a comment stands before it, or a tag
}

// RemoveComment takes a comment out, and the blank before it or, where it stands
// alone, its line.
func (f *File) RemoveComment(c Comment) Edit {
	start := len(strings.TrimRight(f.Text[:c.Start], " \t"))
	if !c.Alone {
		return Edit{f, start, c.End, ""}
	}
	start = max(start, len(f.Text)-len(strings.TrimPrefix(f.Text, byteOrderMark)))
	return Edit{f, start, pastLineEnd(f.Text, c.End), ""}
}

// Trimmed is the edit without what it takes out and puts in again at its ends.
func (e Edit) Trimmed() Edit {
	old := e.File.Text[e.Start:e.End]
	n := 0
	for n < min(len(old), len(e.Text)) && old[n] == e.Text[n] {
		n++
	}
	for n > 0 && n < len(old) && !utf8.RuneStart(old[n]) {
		n-- // characters stay whole
	}
	e.Start, e.Text, old = e.Start+n, e.Text[n:], old[n:]
	n = 0
	for n < min(len(old), len(e.Text)) && old[len(old)-1-n] == e.Text[len(e.Text)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(old[len(old)-n]) {
		n--
	}
	e.End, e.Text = e.End-n, e.Text[:len(e.Text)-n]
	return e
}
