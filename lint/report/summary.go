package report

import (
	"fmt"
	"time"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// Summary is the line, without its end, that sums up a result for people.
func Summary(r *lint.Result) string {
	run := fmt.Sprintf("(%s checked, %s)", count(r.Agents, "agent", "agents"), elapsed(r.Elapsed))
	if len(r.Diagnostics) == 0 {
		return "no problems found " + run
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
	return fmt.Sprintf("%s in %s %s", found, count(len(files), "file", "files"), run)
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
