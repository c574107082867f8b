package report

import (
	"github.com/fatih/color"

	"github.com/gete-lint/gete/rules"
)

// A style colours the parts of a text report, or leaves them as they are.
type style struct {
	path, severity, related, quiet *color.Color
	links                          bool
}

// styleOf is the style for a diagnostic of a severity.
func styleOf(o Options, s rules.Severity) style {
	severity := color.FgCyan
	switch s {
	case rules.Error:
		severity = color.FgRed
	case rules.Warning:
		severity = color.FgYellow
	}
	// Each colour is switched by itself: the library's own switch is global.
	pick := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if o.Color {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return style{
		path:     pick(color.Bold),
		severity: pick(severity, color.Bold),
		related:  pick(color.FgBlue),
		quiet:    pick(color.Faint),
		links:    o.Color && o.Links,
	}
}

// rule is the id of a rule, which on a terminal that knows OSC 8 is a link.
func (s style) rule(id string) string {
	if !s.links {
		return s.quiet.Sprint(id)
	}
	const link, end = "\x1b]8;;", "\x1b\\"
	return link + rules.PageURL(id) + end + s.quiet.Sprint(id) + link + end
}
