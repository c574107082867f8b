package report

import (
	"fmt"
	"io"
	"time"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// Summarize writes for people what a result comes to: the findings of the baseline
// that are gone, and a line of numbers. fixed says that the safe fixes were made, or
// shown.
func Summarize(w io.Writer, r *lint.Result, fixed bool) error {
	for _, k := range r.Gone {
		if _, err := fmt.Fprintf(w, "gone since the baseline: %s: %s [%s]\n", oneLine(k.Path), oneLine(k.Message), oneLine(k.Rule)); err != nil {
			return err
		}
	}
	line := summary(r)
	if n := r.Fixable(); n > 0 && !fixed {
		line += fmt.Sprintf("; --fix can clear %d", n)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

func summary(r *lint.Result) string {
	known := ""
	if n := r.Known(); n > 0 {
		known = fmt.Sprintf("%d known, ", n)
	}
	run := fmt.Sprintf("(%s checked, %s%s)", count(r.Agents, "agent", "agents"), known, elapsed(r.Elapsed))
	return found(r) + " " + run
}

// found is what a result has found, in numbers.
func found(r *lint.Result) string {
	if len(r.Diagnostics) == 0 {
		return "no problems found"
	}
	found := ""
	add := func(severity rules.Severity, one, many string) {
		n := r.Count(severity)
		if n == 0 {
			return
		}
		if found != "" {
			found += ", "
		}
		found += count(n, one, many)
	}
	add(rules.Error, "error", "errors")
	add(rules.Warning, "warning", "warnings")
	add(rules.Advice, "piece of advice", "pieces of advice")
	files := map[string]bool{}
	for _, d := range r.Diagnostics {
		files[d.File.Path] = true
	}
	return fmt.Sprintf("%s in %s", found, count(len(files), "file", "files"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func elapsed(d time.Duration) string {
	if d = d.Round(time.Millisecond); d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// Omitted says that a limit has left diagnostics out of a report; "" where it has
// not.
func Omitted(r *lint.Result, limit int) string {
	switch n := len(r.Diagnostics) - limit; {
	case limit == 0 || n <= 0:
		return ""
	case n == 1:
		return "1 more diagnostic is not shown; --max-diagnostics 0 shows all"
	default:
		return fmt.Sprintf("%d more diagnostics are not shown; --max-diagnostics 0 shows all", n)
	}
}
