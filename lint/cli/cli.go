// Package cli is the command line of gete: commands and flags, and no logic of
// its own.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/schema/suggest"
)

// The exit codes.
const (
	ExitSound   = 0 // nothing to report that counts
	ExitFound   = 1 // an error was found; with --strict, also a warning
	ExitFailure = 2 // the command could not do its job
	// ExitUnchecked is an outage and no fault of a declaration: a server could not
	// be listed.
	ExitUnchecked = 3
)

// A Command is one run of gete, with its surroundings.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Dir is the working folder, absolute; empty for the process's own.
	Dir string
	// Version is the release; empty for what the build knows of itself.
	Version string

	code int
}

// Main runs a command line, without the program's name, and is the exit code.
func (c *Command) Main(args []string) int {
	if c.Version == "" {
		c.Version = buildVersion()
	}
	if c.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			fmt.Fprintln(c.Stderr, "gete: cannot tell the working folder:", err)
			return ExitFailure
		}
		c.Dir = dir
	}
	root := c.Root()
	root.SetArgs(args)
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	ran, err := root.ExecuteC()
	switch {
	case err == nil:
		return c.code
	case isClosedPipe(err):
		return c.code // whoever read the output has seen enough
	}
	message := strings.Join(strings.Fields(err.Error()), " ")
	var usage usageError
	if errors.As(err, &usage) {
		message += fmt.Sprintf(" (see %s --help)", ran.CommandPath())
	}
	fmt.Fprintln(c.Stderr, "gete: "+message)
	var unchecked uncheckedError
	if errors.As(err, &unchecked) {
		return ExitUnchecked
	}
	return ExitFailure
}

// isClosedPipe says whether a write failed because nobody reads any more.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// A usageError is a command line that cannot be understood.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// An uncheckedError is that servers could not be listed.
type uncheckedError struct{ error }

func (e uncheckedError) Unwrap() error { return e.error }

// Root is the command line as a tree, for those who document it.
func (c *Command) Root() *cobra.Command {
	var root *cobra.Command
	root = &cobra.Command{
		Use:           "gete",
		Short:         "Lint the declarations of AI agents",
		Long:          "gete finds the mistakes in a project's agent declarations before anything is deployed.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{unknownCommand(root, args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		// Behind the flag stands why Go could not read its value.
		message, _, _ := strings.Cut(err.Error(), ": strconv.")
		return usageError{errors.New(message)}
	})
	root.AddCommand(c.validate(), c.lock(), c.tools(), c.proxy(), c.rules(), c.explain(), c.schema(), c.lsp(), c.version())
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	if near := suggest.Like(name, names).Name; near != "" {
		return fmt.Errorf("there is no command %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("there is no command %q", name)
}

// exactly is a check of how many arguments a command has.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError{fmt.Errorf("%s", what)}
		}
		return nil
	}
}

// path is a path that the command line names, from the working folder.
func (c *Command) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}
