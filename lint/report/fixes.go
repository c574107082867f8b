package report

import (
	"fmt"
	"io"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// Fixes writes a line for each fix that was made, or only would be, and for each that
// was refused.
func Fixes(w io.Writer, fixed *lint.Fixed, would bool) error {
	did, didNot := "fixed", "not fixed"
	if would {
		did, didNot = "would fix", "would not fix"
	}
	for _, d := range fixed.Made {
		if err := writeFix(w, did, d, ""); err != nil {
			return err
		}
	}
	for _, d := range fixed.Refused {
		if err := writeFix(w, didNot, d, ": it would bring an error, or clear nothing"); err != nil {
			return err
		}
	}
	return nil
}

func writeFix(w io.Writer, did string, d rules.Diagnostic, but string) error {
	_, err := fmt.Fprintf(w, "%s %s: %s [%s]%s\n", did, position(d.File.Path, d.Span.Start), oneLine(d.Fix.Message), d.Rule, but)
	return err
}
