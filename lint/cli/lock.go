package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/lock"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/redact"
)

// lockFlags are the flags of gete lock.
type lockFlags struct {
	from  []string
	check bool
}

func (c *Command) lock() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock",
		Short: "Record what the MCP servers list",
		Long: `Record what the MCP servers of a project list, in ` + lock.Name + ` beside gete.yaml.

What a server lists is taken from a recorded tools/list result. Servers for which
none is given keep their entry; those that no agent declares any more lose it. With
a lock file, gete validate holds the declarations against it, and dials nothing.

Exit codes: 0 done, or with --check nothing would change, 1 with --check the lock
file would change, 2 gete could not do its job.`,
		Example: `  gete lock --from listed.json
  gete lock --from https://mcp.example.com/mcp=listed.json --check`,
		Args: exactly(0, "lock takes no arguments; run it in a project"),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.runLock(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.from, "from", nil, "take a recorded tools/list result, as `[URL=]FILE`; may be repeated")
	flags.BoolVar(&f.check, "check", false, "write nothing, and fail if the lock file would change")
	return cmd
}

func (c *Command) runLock(ctx context.Context, f lockFlags) error {
	if len(f.from) == 0 && !f.check {
		return usageError{errors.New("lock needs --from [URL=]FILE, a recorded tools/list result")}
	}
	s, err := lint.Load(ctx, lint.Options{Dir: c.Dir})
	if err != nil {
		return err
	}
	urls, err := s.Servers()
	if err != nil {
		return err
	}
	listings := map[string]*narrow.Listing{}
	for _, url := range urls {
		if l := s.Locked[url]; l != nil {
			listings[url] = l
		}
	}
	for _, from := range f.from {
		url, file, err := recordedFor(from, urls)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(c.path(file))
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", file, reason(err))
		}
		if listings[url], err = lock.Recorded(text); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	text, err := lock.Format(listings)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(s.LockPath)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w", lock.Name, reason(err))
	}
	changed := lock.Changed(s.Locked, listings)
	if !bytes.Equal(before, text) && len(changed) == 0 {
		changed = []string{lock.Name + " would be written anew"}
	}
	if len(changed) == 0 {
		_, err = fmt.Fprintln(c.Stderr, lock.Name+" is up to date")
		return err
	}
	if f.check {
		c.code = ExitFound
	} else if err := maybe.WriteFile(s.LockPath, text, 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %w", lock.Name, reason(err))
	}
	for _, line := range changed {
		if _, err := fmt.Fprintln(c.Stdout, redact.Name(line)); err != nil {
			return err
		}
	}
	return nil
}

// recordedFor reads a value of --from: the url that a recording is of, and its file.
func recordedFor(value string, urls []string) (url, file string, err error) {
	for _, u := range urls {
		if file, ok := strings.CutPrefix(value, u+"="); ok && (url == "" || len(u) > len(url)) {
			url, value = u, u+"="+file
		}
	}
	if url != "" {
		return url, strings.TrimPrefix(value, url+"="), nil
	}
	if head, _, ok := strings.Cut(value, "="); ok && strings.Contains(head, "://") {
		return "", "", usageError{fmt.Errorf("--from %s: no agent declares that url", redact.Name(head))}
	}
	if len(urls) != 1 {
		return "", "", usageError{fmt.Errorf("--from takes URL=FILE here: the project declares %d servers", len(urls))}
	}
	return urls[0], value, nil
}
