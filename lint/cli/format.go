package cli

import (
	"encoding/json"
	"fmt"
)

// checkFormat refuses a format, the value of a flag, that is neither text nor json.
func checkFormat(flag, format string) error {
	if format != "text" && format != "json" {
		return usageError{fmt.Errorf("--%s takes text or json, not %q", flag, format)}
	}
	return nil
}

// printJSON prints a value as people and programs read it.
func (c *Command) printJSON(v any) error {
	e := json.NewEncoder(c.Stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
