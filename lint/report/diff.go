package report

import (
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

// Diff writes what changes are made of files, as a unified diff. Secrets near a
// change are masked in it.
func Diff(w io.Writer, changes []lint.Change) error {
	for _, c := range changes {
		text := diff.Diff("a/"+c.Before.Path, masked(c.Before), "b/"+c.After.Path, masked(c.After))
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// masked is a file's text with a mask for each character of a secret.
func masked(f *source.File) []byte {
	var b strings.Builder
	done := 0
	for _, s := range redact.Secrets(f) {
		b.WriteString(f.Text[done:s.Start])
		for _, r := range f.Text[s.Start:s.End] {
			if r == '\n' || r == '\r' {
				b.WriteRune(r)
			} else {
				b.WriteString(mask)
			}
		}
		done = s.End
	}
	b.WriteString(f.Text[done:])
	return []byte(b.String())
}
