package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/lint/lsp"
)

func (c *Command) lsp() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Speak the language server protocol, for editors",
		Long: `Speak the language server protocol on standard input and output, for editors:
diagnostics while a declaration is written, the fixes, what keys and tools are for,
and completion.

Exit codes: 0 the editor took leave, 1 it went away without, 2 the connection failed.`,
		Args: exactly(0, "lsp takes no arguments: an editor starts it, and speaks to it on standard input"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := lsp.Serve(cmd.Context(), c.Version, c.Stdin, c.Stdout)
			if errors.Is(err, lsp.ErrNoShutdown) {
				c.code = ExitFound
				return nil
			}
			return err
		},
	}
	cmd.Flags().Bool("stdio", true, "use standard input and output, which it always does")
	return cmd
}
