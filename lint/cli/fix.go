package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
)

// checkFix says which flags and paths --fix and --diff cannot stand beside.
func checkFix(f validateFlags, paths []string) error {
	switch {
	case f.diff && !f.fix:
		return errors.New("--diff shows what --fix would do: it needs --fix")
	case f.fix && slices.Contains(paths, "-"):
		return errors.New("--fix changes files, and standard input is none")
	case f.fix && f.writeBaseline != "":
		return errors.New("--fix and --write-baseline cannot stand together: fix first")
	case f.diff && slices.ContainsFunc(f.formats, func(value string) bool { return !strings.Contains(value, "=") }):
		return errors.New("with --diff, standard output is the diff: write --format FORMAT=FILE")
	}
	return nil
}

// fix lints and makes the safe fixes, or with --diff prints what they would change.
// The result is what is to be reported.
func (c *Command) fix(ctx context.Context, f validateFlags, o lint.Options) (*lint.Result, error) {
	fixed, err := lint.Fix(ctx, o)
	if err != nil {
		return nil, err
	}
	if f.diff {
		if err := report.Diff(c.Stdout, fixed.Changes); err != nil {
			return nil, err
		}
	} else if err := fixed.Write(); err != nil {
		return nil, err
	}
	if !f.quiet {
		if err := report.Fixes(c.Stderr, fixed, f.diff); err != nil {
			return nil, err
		}
	}
	if f.diff {
		return fixed.Before, nil // nothing is fixed yet
	}
	return fixed.Result, nil
}

// runWriteBaseline records what a run finds as known.
func (c *Command) runWriteBaseline(ctx context.Context, file string, o lint.Options) (*lint.Result, error) {
	for _, path := range o.Paths {
		if info, err := os.Stat(c.path(path)); path == "-" || err == nil && !info.IsDir() {
			return nil, usageError{fmt.Errorf("--write-baseline records whole projects, and %s is a file", path)}
		}
	}
	o.NoBaseline = true
	result, err := lint.Run(ctx, o)
	if err != nil || result.Broken {
		return result, err
	}
	text, n, err := lint.FormatBaseline(result, o, filepath.Dir(c.path(file)))
	if err == nil {
		err = lint.WriteFile(c.path(file), text)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write the baseline %s: %w", file, err)
	}
	_, err = fmt.Fprintf(c.Stderr, "wrote %s; known findings: %d\n", file, n)
	return result, err
}
