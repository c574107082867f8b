package cli

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/suggest"
)

func (c *Command) rules() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  exactly(0, "rules takes no arguments; `gete explain RULE` prints one"),
		RunE: func(*cobra.Command, []string) error {
			if err := checkFormat("format", format); err != nil {
				return err
			}
			if format == "json" {
				return c.listRulesJSON()
			}
			return c.listRules()
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text or json")
	return cmd
}

func (c *Command) listRules() error {
	w := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range rules.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Severity, r.Summary)
	}
	return w.Flush()
}

func (c *Command) listRulesJSON() error {
	type listed struct {
		ID       string `json:"id"`
		Severity string `json:"severity"`
		Summary  string `json:"summary"`
	}
	var all []listed
	for _, r := range rules.All() {
		all = append(all, listed{r.ID, r.Severity.String(), r.Summary})
	}
	return c.printJSON(all)
}

func ruleIDs() []string {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	return ids
}

func unknownRule(id string, ids []string) error {
	if near := suggest.Like(id, ids).Name; near != "" {
		return fmt.Errorf("there is no rule %q; did you mean %s?", id, near)
	}
	return fmt.Errorf("there is no rule %q; `gete rules` lists them", id)
}

func (c *Command) explain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Print what a rule is about",
		Args:  exactly(1, "explain takes the id of one rule; `gete rules` lists them"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for _, r := range rules.All() {
				if r.ID != args[0] {
					continue
				}
				page, err := r.Page()
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(c.Stdout, page)
				return err
			}
			return usageError{unknownRule(args[0], ruleIDs())}
		},
	}
}

func (c *Command) schema() *cobra.Command {
	var kinds []string
	for _, k := range schema.Kinds() {
		kinds = append(kinds, string(k))
	}
	return &cobra.Command{
		Use:       "schema KIND",
		Short:     "Print the JSON Schema of a kind of file",
		Long:      fmt.Sprintf("Print the JSON Schema of a kind of file, for editors. The kinds are %s; output is what gete validate --format json prints.", list(kinds)),
		Args:      exactly(1, "schema takes one kind: "+list(kinds)),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := schema.Text(schema.Kind(args[0]))
			if err != nil {
				if near := suggest.Closest(args[0], kinds).Name; near != "" {
					err = errors.New(err.Error() + "; did you mean " + near + "?")
				}
				return usageError{err}
			}
			_, err = c.Stdout.Write(text)
			return err
		},
	}
}

// list is "a, b and c".
func list(words []string) string {
	text := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			text += " and " + w
		} else {
			text += ", " + w
		}
	}
	return text
}
