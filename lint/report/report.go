// Package report writes what a run of the linter found, in the formats that
// people, scripts and continuous integration read. It decides how findings
// look, never which there are.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// Options say where a report is read, and how much of it is wanted.
type Options struct {
	// Color is whether to colour the text. Without it a report holds no escape
	// sequence at all.
	Color bool
	// Links is whether a coloured rule id leads to the rule's page.
	Links bool
	// Width is how many columns the terminal has; 0 where there is none.
	Width int
	// Max is how many diagnostics to print; 0 for all.
	Max int
	// Dir is the absolute folder that the paths of the diagnostics start from.
	Dir string
	// Getenv looks up an environment variable; nil where there are none.
	Getenv func(string) string
	// Version is that of gete.
	Version string
}

// A format is one way to write a report.
type format struct {
	name  string
	write func(*report) error
}

// formats is the table of all formats, in the order in which users see them.
func formats() []format {
	return []format{
		{"text", writeText},
		{"compact", writeCompact},
		{"json", writeJSON},
		{"sarif", writeSARIF},
		{"github", writeGitHub},
		{"gitlab", writeGitLab},
		{"junit", writeJUnit},
		{"markdown", writeMarkdown},
	}
}

// A report is what a format is given to write, and where to.
type report struct {
	Options
	*bufio.Writer
	result *lint.Result
	// shown are the diagnostics within the limit; omitted is how many are not.
	shown   []rules.Diagnostic
	omitted int
}

// Formats names the formats, the default first.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Write renders a result in the format of that name. An error is that of w, or
// says which formats there are.
func Write(name string, w io.Writer, result *lint.Result, o Options) error {
	for _, f := range formats() {
		if f.name != name {
			continue
		}
		r := &report{Options: o, Writer: bufio.NewWriter(w), result: result, shown: result.Diagnostics}
		if o.Max > 0 && o.Max < len(r.shown) {
			r.shown, r.omitted = r.shown[:o.Max], len(r.shown)-o.Max
		}
		// The buffer keeps the first error of w, and Flush returns it.
		if err := f.write(r); err != nil {
			return err
		}
		return r.Flush()
	}
	return fmt.Errorf("there is no format %q: the formats are %s", name, strings.Join(Formats(), ", "))
}
