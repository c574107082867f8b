package source

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Position is a place in a file as a reader of a report counts it.
type Position struct {
	Line   int // 1-based; LF, CRLF and a lone CR end a line
	Column int // 1-based, in Unicode code points; a byte order mark is none
	Offset int // 0-based, in bytes of the file as it lies on disk
}

// A Span is a stretch of a file. End is just past its last character; an empty
// span has End equal to Start.
type Span struct {
	Start, End Position
}

// A File is a text that was read, and what was found in it.
type File struct {
	// Path names the file in reports.
	Path string
	// Text is the whole file, byte order mark and line ends included.
	Text string
	// Root is the first document, or nil when the file could not be parsed.
	// A file without a document has a root of kind Null.
	Root *Node
	// Comments are in the order of the text.
	Comments []Comment
	// Faults are in the order of the text. After one of code Syntax that ended
	// the parse, Root is nil.
	Faults []Fault

	indexed sync.Once
	lines   []int // the offset at which each line begins
	runes   []int // for each full block of runeBlock bytes, the code points before it
}

// A Comment is one comment, from its # to the end of its line.
type Comment struct {
	Start, End int  // byte offsets
	Alone      bool // nothing but white space stands before it on its line
}

// CommentText is the comment as it is written, # included.
func (f *File) CommentText(c Comment) string { return f.Text[c.Start:c.End] }

// A Code says what kind of fault the reader found.
type Code uint8

const (
	// Syntax is text that is not YAML, or that goes over a limit.
	Syntax Code = iota
	// DuplicateKey is a key that its map names a second time.
	DuplicateKey
	// Documents is a second document in the file.
	Documents
)

// A Fault is something that the reader refuses.
type Fault struct {
	Code       Code
	Start, End int    // byte offsets of the token at fault
	Message    string // what is wrong, without a final full stop; it quotes no value, which may be secret
	Help       string // what would pass; may be empty
	Related    *Node  // the other place involved; may be nil
	Note       string // what that other place is
}

// runeBlock is the distance, in bytes, between two counts of code points that
// the index keeps: a column then costs at most two blocks of counting, however
// long the line.
const runeBlock = 1024

const byteOrderMark = "\uFEFF"

func (f *File) index() {
	start := 0
	if strings.HasPrefix(f.Text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	f.lines = append(f.lines, start)
	for i := start; i < len(f.Text); i++ {
		switch f.Text[i] {
		case '\n':
			f.lines = append(f.lines, i+1)
		case '\r':
			if i+1 == len(f.Text) || f.Text[i+1] != '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	}
	count := 0
	for i := 0; i+runeBlock <= len(f.Text); i += runeBlock {
		f.runes = append(f.runes, count)
		count += countRunes(f.Text[i : i+runeBlock])
	}
	f.runes = append(f.runes, count)
}

// countRunes counts the bytes that begin a code point, so that counts of
// adjoining pieces add up even where a piece cuts a character.
func countRunes(s string) int {
	n := 0
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			n++
		}
	}
	return n
}

func (f *File) runesBefore(offset int) int {
	block := offset / runeBlock
	return f.runes[block] + countRunes(f.Text[block*runeBlock:offset])
}

// Position is the place of a byte offset.
func (f *File) Position(offset int) Position {
	f.indexed.Do(f.index)
	offset = min(max(offset, f.lines[0]), max(len(f.Text), f.lines[0]))
	line := sort.SearchInts(f.lines, offset+1) - 1
	column := f.runesBefore(offset) - f.runesBefore(f.lines[line]) + 1
	return Position{Line: line + 1, Column: column, Offset: offset}
}

// Span is the stretch between two byte offsets.
func (f *File) Span(start, end int) Span {
	return Span{f.Position(start), f.Position(end)}
}

// LineEnd is what ends the first line of the file, and a line feed where it has only one
// line.
func (f *File) LineEnd() string {
	text, start := f.Line(1)
	for _, end := range []string{"\r\n", "\r"} {
		if strings.HasPrefix(f.Text[start+len(text):], end) {
			return end
		}
	}
	return "\n"
}

// Lines is how many lines the file has; the one after a final line end counts.
func (f *File) Lines() int {
	f.indexed.Do(f.index)
	return len(f.lines)
}

// Line is the text of a line (1-based) without its end, and the offset at
// which it begins.
func (f *File) Line(line int) (text string, offset int) {
	f.indexed.Do(f.index)
	start, end := f.lines[line-1], len(f.Text)
	if line < len(f.lines) {
		end = f.lines[line]
	}
	return strings.TrimRight(f.Text[start:end], "\r\n"), start
}
