package rules

import (
	"fmt"
	"slices"

	"github.com/gete-lint/gete/schema/source"
)

// A Severity says how bad a finding is. A rule of severity Off does not run.
type Severity uint8

// The severities, from the mildest.
const (
	Off Severity = iota
	Advice
	Warning
	Error
)

// String is the severity as reports and configuration files spell it.
func (s Severity) String() string {
	return [...]string{"off", "advice", "warning", "error"}[s]
}

// ParseSeverity reads what String writes.
func ParseSeverity(s string) (Severity, error) {
	for severity := Off; severity <= Error; severity++ {
		if severity.String() == s {
			return severity, nil
		}
	}
	return Off, fmt.Errorf("%q is no severity: write off, advice, warning or error", s)
}

// A Place is a stretch of a file that a report points at.
type Place struct {
	File *source.File
	Span source.Span
	// Pointer is the RFC 6901 JSON Pointer of the value that the place is, or
	// that it is the key of; empty where there is none, and for the root.
	Pointer string

	node *source.Node
}

// KeyLine is the line of the key that a place's value stands under where that
// value is a block scalar, and 0 elsewhere.
func (p Place) KeyLine() int {
	if n := p.node; n != nil && n.Key != nil && (n.Style == source.Literal || n.Style == source.Folded) {
		return n.Key.Span().Start.Line
	}
	return 0
}

// A Related is another place that a finding involves, and what it is.
type Related struct {
	Place
	Message string
}

// A Diagnostic is one finding.
type Diagnostic struct {
	Rule     string
	Severity Severity
	// Message is one complete sentence without a final full stop.
	Message string
	// Label is the few words that stand under the place in a frame; may be empty.
	Label string
	// Help says what would pass; may be empty.
	Help string
	Place
	Related []Related
	// Fix is a change that clears the finding; nil where none is known.
	Fix *Fix
	// Outage is that of the rule.
	Outage bool
	// Consulted is the file that the declaration was held against; nil for none.
	Consulted *source.File

	// fault is the message without what was likely meant, which hangs on the names
	// that there are elsewhere.
	fault string
	// What the diagnostic is about, and the same where an alias took it from.
	about, origin subject
}

// A subject is where the nodes that a finding is about are written.
type subject struct {
	file        *source.File
	at, related int
}

// subjects are those of a finding: where its nodes stand, and where they were
// written before an alias brought them.
func subjects(f Finding) (stands, written subject) {
	stands = subject{f.At.File, f.At.Start, -1}
	written = stands
	if f.At.Origin != nil {
		written.at = f.At.Origin.Start
	}
	if f.Related != nil {
		stands.related, written.related = f.Related.Start, f.Related.Start
		if f.Related.Origin != nil {
			written.related = f.Related.Origin.Start
		}
	}
	return stands, written
}

// WithoutEchoes drops what is reported at an alias when the same is reported
// where its value is written.
func WithoutEchoes(found []Diagnostic) []Diagnostic {
	type fault struct {
		rule, message string
		about         subject
	}
	known := map[fault]bool{}
	for _, d := range found {
		known[fault{d.Rule, d.Message, d.about}] = true
	}
	return slices.DeleteFunc(found, func(d Diagnostic) bool {
		return d.origin != d.about && known[fault{d.Rule, d.Message, d.origin}]
	})
}
