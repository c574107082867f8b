package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/suggest"
)

// toolsFlags are the flags of gete tools.
type toolsFlags struct {
	dialFlags
	format string
	diff   bool
	live   bool
}

func (c *Command) tools() *cobra.Command {
	var f toolsFlags
	cmd := &cobra.Command{
		Use:   "tools [AGENT...]",
		Short: "Show which tools the model is offered",
		Long: `Show which tools of its mcp blocks an agent offers the model, which are withheld
and why, and which arguments the model may write and which are fixed. What the
servers list is taken from the lock file, see gete lock, or with --live from them.

Exit codes: 0 done, 2 gete could not do its job, 3 a server could not be listed.`,
		Example: `  gete tools
  gete tools team-search --format json
  gete tools team-search --diff
  gete tools --live --server stdio:./server`,
		RunE: func(cmd *cobra.Command, agents []string) error { return c.runTools(cmd.Context(), f, agents) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.format, "format", "text", "print as `FORMAT`: text, or json with the narrowed schemas")
	flags.BoolVar(&f.live, "live", false, "ask the servers, in place of the lock file")
	f.add(flags)
	flags.BoolVar(&f.diff, "diff", false, "print what narrowing takes from each inputSchema")
	return cmd
}

func (c *Command) runTools(ctx context.Context, f toolsFlags, agents []string) error {
	if err := checkFormat("format", f.format); err != nil {
		return err
	}
	switch {
	case f.diff && f.format == "json":
		return usageError{errors.New("--diff prints text; --format json has both schemas")}
	case !f.live && (len(f.servers) > 0 || f.timeout != 0):
		return usageError{errNotLive}
	}
	project, err := lint.Load(ctx, lint.Options{Dir: c.Dir})
	if err != nil {
		return err
	}
	listings := project.Locked
	if f.live {
		if listings, err = c.dial(ctx, f.dialFlags, project); err != nil {
			return err
		}
	}
	if listings == nil {
		return errors.New("there is no lock file to take the servers' tools from; `gete lock` writes one")
	}
	if err := checkAgents(project, agents); err != nil {
		return err
	}
	var offers []lint.Offer
	for _, a := range project.Agents {
		if len(agents) > 0 && !slices.Contains(agents, a.Folder()) {
			continue
		}
		of, err := lint.Offers(a, listings)
		if err != nil {
			return err
		}
		offers = append(offers, of...)
	}
	switch {
	case f.format == "json":
		return c.printOffersJSON(offers)
	case f.diff:
		return c.printOffersDiff(offers)
	}
	return c.printOffers(offers)
}

// checkAgents says which of the names is no agent's of the project.
func checkAgents(project *lint.Loaded, agents []string) error {
	var names []string
	for _, a := range project.Agents {
		names = append(names, a.Folder())
	}
	for _, agent := range agents {
		if slices.Contains(names, agent) {
			continue
		}
		if near := suggest.Like(agent, names).Name; near != "" {
			return usageError{fmt.Errorf("the project has no agent %q; did you mean %s?", agent, near)}
		}
		return usageError{fmt.Errorf("the project has no agent %q", agent)}
	}
	return nil
}

func (c *Command) printOffers(offers []lint.Offer) error {
	w := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "AGENT\tTOOL\tSTATE\tMODEL WRITES\tFIXED")
	for _, o := range offers {
		state := "offered"
		if len(o.Withheld) > 0 {
			state = "withheld: " + printable(o.Withheld, "; ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", o.Agent, redact.Name(o.Tool), state, printable(o.Writable, ", "), printable(o.Fixed, ", "))
	}
	return w.Flush()
}

// printable joins texts that a server wrote, or "-" for none.
func printable(texts []string, by string) string {
	if len(texts) == 0 {
		return "-"
	}
	shown := make([]string, len(texts))
	for i, text := range texts {
		shown[i] = redact.Name(text)
	}
	return strings.Join(shown, by)
}

func (c *Command) printOffersJSON(offers []lint.Offer) error {
	type tool struct {
		Agent       string          `json:"agent"`
		URL         string          `json:"url"`
		Name        string          `json:"name"`
		Offered     bool            `json:"offered"`
		Withheld    []string        `json:"withheld,omitempty"`
		Writable    []string        `json:"writable,omitempty"`
		Fixed       []string        `json:"fixed,omitempty"`
		InputSchema map[string]any  `json:"inputSchema,omitempty"`
		Listed      json.RawMessage `json:"listed,omitempty"`
	}
	tools := []tool{}
	for _, o := range offers {
		tools = append(tools, tool{o.Agent, o.URL, o.Tool, len(o.Withheld) == 0, o.Withheld, o.Writable, o.Fixed, o.Schema, o.Listed.InputSchema})
	}
	return c.printJSON(map[string]any{"tools": tools})
}

func (c *Command) printOffersDiff(offers []lint.Offer) error {
	for _, o := range offers {
		if len(o.Withheld) > 0 {
			if _, err := fmt.Fprintf(c.Stdout, "%s %s is withheld: %s\n", o.Agent, redact.Name(o.Tool), printable(o.Withheld, "; ")); err != nil {
				return err
			}
			continue
		}
		var listed any
		d := json.NewDecoder(bytes.NewReader(o.Listed.InputSchema))
		d.UseNumber()
		if err := d.Decode(&listed); err != nil {
			return fmt.Errorf("the inputSchema of %s: %w", redact.Name(o.Tool), err)
		}
		before, err := json.MarshalIndent(listed, "", "  ")
		if err != nil {
			return err
		}
		after, err := json.MarshalIndent(o.Schema, "", "  ")
		if err != nil {
			return err
		}
		name := o.Agent + " " + redact.Name(o.Tool)
		if _, err := c.Stdout.Write(diff.Diff(name+", as listed", append(before, '\n'), name+", as the model sees it", append(after, '\n'))); err != nil {
			return err
		}
	}
	return nil
}
