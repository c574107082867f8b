package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/lock"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/redact"
)

// lockFlags are the flags of gete lock.
type lockFlags struct {
	dialFlags
	from  []string
	check bool
}

func (c *Command) lock() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock",
		Short: "Record what the MCP servers list",
		Long: `Record what the MCP servers of a project list, in ` + lock.Name + ` beside gete.yaml.

Every server that an agent declares is asked for its tools; none of them is called.
The token of a connection is taken from GETE_TOKEN_<ID>, and a ${VAR} in a header
from the environment. Nothing is written unless all servers answered. With --from,
no server is asked: the recorded tools/list results are taken, and other servers
keep their entry. A server that no agent declares any more loses it. With a lock
file, gete validate holds the declarations against it, and dials nothing.

Exit codes: 0 done, or with --check nothing would change, 1 with --check the lock
file would change, 2 gete could not do its job, 3 a server could not be listed.`,
		Example: `  gete lock
  gete lock --check --timeout 10s
  gete lock --server https://mcp.example.com/mcp=http://127.0.0.1:8080/mcp
  gete lock --from listed.json
  gete lock --from https://mcp.example.com/mcp=listed.json --check`,
		Args: exactly(0, "lock takes no arguments; run it in a project"),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.runLock(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.from, "from", nil, "take a recorded tools/list result, as `[URL=]FILE`; may be repeated")
	f.add(flags)
	flags.BoolVar(&f.check, "check", false, "write nothing, and fail if the lock file would change")
	return cmd
}

func (c *Command) runLock(ctx context.Context, f lockFlags) error {
	if len(f.from) > 0 && len(f.servers) > 0 {
		return usageError{errors.New("--server has no meaning beside --from, which asks no server")}
	}
	project, err := lint.Load(ctx, lint.Options{Dir: c.Dir})
	if err != nil {
		return err
	}
	urls, err := project.Servers()
	if err != nil {
		return err
	}
	var listings map[string]*narrow.Listing
	if len(f.from) > 0 {
		listings, err = c.recorded(f.from, project.Locked, urls)
	} else if listings, err = c.dial(ctx, f.dialFlags, project); err != nil {
		err = fmt.Errorf("%w; %s is left as it was", err, lock.Name)
	}
	if err != nil {
		return err
	}
	text, err := lock.Format(listings)
	if err != nil {
		return err
	}
	changed := lock.Changed(project.Locked, listings)
	if len(changed) == 0 && !bytes.Equal(project.LockText, text) {
		changed = []string{lock.Name + " is in another form"}
	}
	if len(changed) == 0 {
		_, err = fmt.Fprintln(c.Stderr, lock.Name+" is up to date")
		return err
	}
	if f.check {
		c.code = ExitFound
	} else if err := lint.WriteFile(project.LockPath, text); err != nil {
		return fmt.Errorf("cannot write %s: %w", lock.Name, err)
	}
	for _, line := range changed {
		if _, err := fmt.Fprintln(c.Stdout, redact.Text(line)); err != nil {
			return err
		}
	}
	return nil
}

// recorded are the entries of the lock file, with recordings in place of those that
// they are of.
func (c *Command) recorded(from []string, locked map[string]*narrow.Listing, urls []string) (map[string]*narrow.Listing, error) {
	listings := map[string]*narrow.Listing{}
	for _, url := range urls {
		if l := locked[url]; l != nil {
			listings[url] = l
		}
	}
	for _, value := range from {
		url, file, err := recordingFor(value, urls)
		if err != nil {
			return nil, err
		}
		if listings[url], err = lint.ReadRecording(c.path(file)); err != nil {
			return nil, fmt.Errorf("%s %w", file, err)
		}
	}
	return listings, nil
}

// recordingFor reads a value of --from, [URL=]FILE; the url may be left out where
// there is but one.
func recordingFor(value string, urls []string) (url, file string, err error) {
	for _, u := range urls {
		if after, ok := strings.CutPrefix(value, u+"="); ok && len(u) > len(url) {
			url, file = u, after
		}
	}
	head, _, hasURL := strings.Cut(value, "=")
	switch {
	case url != "":
		return url, file, nil
	case hasURL && strings.HasPrefix(head, "https://"):
		return "", "", usageError{fmt.Errorf("--from %s: no agent declares that url", redact.Name(head))}
	case len(urls) != 1:
		return "", "", usageError{fmt.Errorf("--from needs URL= in front here: the project declares %d servers", len(urls))}
	}
	return urls[0], value, nil
}
