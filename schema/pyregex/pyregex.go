// Package pyregex judges regular expressions as Python's re module does.
//
// A pattern that Go's regexp package refuses may compile in Python, and the
// other way round. The package therefore follows CPython 3.11: Parse accepts
// a pattern where re.compile(pattern) does, for a str pattern without flags,
// and Template accepts a replacement where re.sub does. The comments cite
// three sources:
//
//   - the library reference of the re module,
//     https://docs.python.org/3.11/library/re.html;
//   - Lib/re/_parser.py, which settles what that reference leaves open;
//   - Lib/re/_compiler.py, which adds the rule on the width of a look-behind.
//
// What the package cannot decide is no fault. It does not know the names of
// the Unicode characters, so it takes the name in \N{...} to exist. It stops
// at groups nested too deep (see Pattern.Undecided). It uses the Unicode
// tables of the Go library, which are newer than those of Python 3.11, so a
// group name may have a letter that Python does not know yet.
package pyregex

import (
	"fmt"
	"strconv"
)

// A Pattern is a regular expression that Python's re would compile.
type Pattern struct {
	// Groups is the number of capturing groups, named ones included. Group 0,
	// the whole match, is not counted.
	Groups int
	// Names maps the name of a group to its number.
	Names map[string]int
	// Undecided reports that groups are nested deeper than Parse follows. The
	// rest of the pattern is unread, and Groups and Names are not known.
	Undecided bool
}

// An Error is a fault in a pattern or in a replacement.
type Error struct {
	// Message says what is wrong.
	Message string
	// Offset is where: the number of code points before the fault.
	Offset int
}

// Error returns the message with the offset.
func (e *Error) Error() string {
	return fmt.Sprintf("%s (offset %d)", e.Message, e.Offset)
}

// A GroupError is a reference in a replacement to a group that the pattern
// lacks.
type GroupError struct {
	// Group is the number or the name, as the replacement writes it.
	Group string
}

// Error names the group.
func (e *GroupError) Error() string {
	return fmt.Sprintf("the pattern has no group %s", quote(e.Group))
}

// errorAt returns an *Error at an offset.
func errorAt(offset int, format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), Offset: offset}
}

// quote returns a text for a message. A pattern can be long, and so can a
// faulty name in it; a message shows the start of it.
func quote(text string) string {
	const limit = 40
	if chars := []rune(text); len(chars) > limit {
		text = string(chars[:limit]) + "..."
	}
	return strconv.Quote(text)
}
