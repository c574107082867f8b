package lsp

import (
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/gete-lint/gete/schema/source"
)

// positionOf is a byte offset of a file as the protocol counts: lines from 0, and in
// them the code units of UTF-16.
func positionOf(f *source.File, offset int) protocol.Position {
	line := f.Position(offset).Line
	_, start := f.Line(line)
	if line == 1 {
		start = 0 // the byte order mark is a character to the protocol
	}
	units := 0
	for _, r := range f.Text[start:offset] {
		units += utf16.RuneLen(r)
	}
	return protocol.Position{Line: uint32(line - 1), Character: uint32(units)} //nolint:gosec // files are bounded
}

// offsetOf is the byte offset of a position; one behind the end of a line or of the file
// is that end.
func offsetOf(f *source.File, p protocol.Position) int {
	if int64(p.Line) >= int64(f.Lines()) {
		return len(f.Text)
	}
	text, start := f.Line(int(p.Line) + 1)
	end := start + len(text)
	if p.Line == 0 {
		start = 0
	}
	offset := start
	for units := int64(p.Character); units > 0 && offset < end; {
		r, size := utf8.DecodeRuneInString(f.Text[offset:])
		units -= int64(utf16.RuneLen(r))
		offset += size
	}
	return offset
}

func rangeOf(f *source.File, start, end int) protocol.Range {
	return protocol.Range{Start: positionOf(f, start), End: positionOf(f, end)}
}

func spanOf(f *source.File, s source.Span) protocol.Range {
	return rangeOf(f, s.Start.Offset, s.End.Offset)
}
