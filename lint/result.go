package lint

import (
	"time"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// A Result is what a run of the linter found, and over what.
type Result struct {
	// Diagnostics are sorted by path, line, column and rule.
	Diagnostics []rules.Diagnostic
	// Suppressed are what comments suppress and what the baseline knows, in the same
	// order.
	Suppressed []Suppressed
	// Gone are the findings of the baseline that the run looked for and that are there
	// no more.
	Gone []Known
	// Projects, Agents and Files are how many were read.
	Projects, Agents, Files int
	// Secrets are the stretches of each file that no report may print, in order
	// and apart from one another.
	Secrets map[*source.File][]source.Span
	// Broken says that a configuration could not be used: the diagnostics are
	// about it, and its project was not linted.
	Broken bool
	// Elapsed is how long the run took.
	Elapsed time.Duration

	tally tally
}

// Known is how many findings the baseline knows.
func (r *Result) Known() int {
	n := 0
	for _, s := range r.Suppressed {
		if s.By == Baseline {
			n++
		}
	}
	return n
}

// A Suppressed finding is one that is not to be reported.
type Suppressed struct {
	rules.Diagnostic
	Reason string // what the comment says behind --; may be empty
	By     Suppressor
}

// A Suppressor is what suppresses a finding.
type Suppressor uint8

// The suppressors.
const (
	InSource Suppressor = iota // a comment in the file
	Baseline                   // the baseline knows it
)

// Count is how many diagnostics have the severity.
func (r *Result) Count(s rules.Severity) int {
	n := 0
	for _, d := range r.Diagnostics {
		if d.Severity == s {
			n++
		}
	}
	return n
}
