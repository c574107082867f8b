package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/suggest"
)

// validateFlags are the flags of gete validate.
type validateFlags struct {
	formats []string
	color   string
	config  string
	rules   []string
	advice  bool
	strict  bool
	quiet   bool
	max     int
	jobs    int
	live    bool
	dialFlags
	fix           bool
	diff          bool
	baseline      string
	writeBaseline string
	stdinFilename string
}

func (c *Command) validate() *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate [PATH...]",
		Short: "Find the mistakes in declarations",
		Long: `Find the mistakes in declarations.

Without a path, the project that the working folder lies in is linted. A folder
stands for every project in it and below it, or for the one that it lies in. A
file stands for itself: its project is read, and what concerns the file is
reported. A dash is standard input.

Findings go to standard output, the summary to standard error.

Exit codes: 0 nothing of severity error was found (with --strict: nor a warning),
1 something was, 2 gete could not do its job, 3 with --live, no error but servers
that could not be checked.`,
		Example: `  gete validate
  gete validate agents/team-search/agent.yaml
  gete validate --format github --format json=findings.json
  gete validate --rule only-missing=error --strict
  gete validate --live --timeout 10s`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return c.runValidate(cmd.Context(), f, paths)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.formats, "format", nil, "report as `FORMAT[=FILE]`: "+strings.Join(report.Formats(), ", ")+"; may be repeated")
	flags.StringVar(&f.color, "color", colorAuto, "colour the report: auto, always or never (`WHEN`)")
	flags.StringVar(&f.config, "config", "", "use the configuration in `FILE` instead of each project's .gete-lint.yaml")
	flags.StringArrayVar(&f.rules, "rule", nil, "set a rule's severity, as `ID=off|advice|warning|error`; may be repeated")
	flags.BoolVar(&f.advice, "advice", false, "turn on the rules that give advice")
	flags.BoolVar(&f.strict, "strict", false, "fail on warnings, too")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no summary")
	flags.IntVar(&f.max, "max-diagnostics", 1000, "print at most `N` diagnostics; 0 for all")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "read `N` files at a time; 0 for one a processor")
	flags.BoolVar(&f.live, "live", false, "hold the mcp blocks against what their servers list now; without it, nothing is dialled")
	f.add(flags)
	flags.BoolVar(&f.fix, "fix", false, "make the fixes that are safe, and report what is left")
	flags.BoolVar(&f.diff, "diff", false, "with --fix, print what it would change, and change nothing")
	flags.StringVar(&f.baseline, "baseline", "", "report no finding that is in `FILE`, in place of the configuration's baseline")
	flags.StringVar(&f.writeBaseline, "write-baseline", "", "record every finding in `FILE`, as a baseline")
	flags.StringVar(&f.stdinFilename, "stdin-filename", "", "`PATH` of the file that standard input stands for")
	return cmd
}

func (c *Command) runValidate(ctx context.Context, f validateFlags, paths []string) error {
	outputs, err := parseOutputs(f.formats)
	if err != nil {
		return usageError{err}
	}
	severities, err := parseSeverities(f.rules)
	if err != nil {
		return usageError{err}
	}
	switch {
	case f.max < 0:
		return usageError{errors.New("--max-diagnostics takes 0 or more")}
	case f.jobs < 0:
		return usageError{errors.New("--jobs takes 0 or more")}
	case f.stdinFilename != "" && !slices.Contains(paths, "-"):
		return usageError{errors.New("--stdin-filename needs the path -, for standard input")}
	}
	if err := checkFix(f, paths); err != nil {
		return usageError{err}
	}
	var dialer *lint.Dialer
	if f.live {
		if dialer, err = c.dialer(f.dialFlags); err != nil {
			return err
		}
	} else if len(f.servers) > 0 || f.timeout != 0 {
		return usageError{errNotLive}
	}
	colored, err := c.colored(f.color)
	if err != nil {
		return usageError{err}
	}
	result, err := c.lint(ctx, f, lint.Options{
		Dir: c.Dir, Paths: paths, Stdin: c.Stdin, StdinFilename: f.stdinFilename, Config: f.config,
		Severities: severities, Advice: f.advice, Jobs: f.jobs, Live: dialer, Baseline: f.baseline,
	})
	if err != nil || f.writeBaseline != "" && !result.Broken {
		return err
	}
	c.code = exitCode(result, f.strict)
	for _, o := range outputs {
		if o.file == "" && f.diff {
			continue
		}
		options := report.Options{Max: f.max, Dir: c.Dir, Getenv: c.Getenv, Version: c.Version}
		if o.file == "" {
			options.Color = colored
			options.Width, options.Links = c.terminal(colored)
		}
		if err := c.write(o, result, options); err != nil {
			return err
		}
	}
	if omitted := report.Omitted(result, f.max); omitted != "" {
		if _, err := fmt.Fprintln(c.Stderr, omitted); err != nil {
			return err
		}
	}
	if f.quiet {
		return nil
	}
	return report.Summarize(c.Stderr, result, f.fix)
}

// lint runs the linter in the way that the flags ask for.
func (c *Command) lint(ctx context.Context, f validateFlags, o lint.Options) (*lint.Result, error) {
	switch {
	case f.writeBaseline != "":
		return c.runWriteBaseline(ctx, f.writeBaseline, o)
	case f.fix:
		return c.fix(ctx, f, o)
	}
	return lint.Run(ctx, o)
}

func exitCode(r *lint.Result, strict bool) int {
	if r.Broken {
		return ExitFailure
	}
	code := ExitSound
	for _, d := range r.Diagnostics {
		switch {
		case d.Severity != rules.Error && (!strict || d.Severity != rules.Warning):
		case !d.Outage:
			return ExitFound
		default:
			code = ExitUnchecked
		}
	}
	return code
}

// An output is a format and where it goes; an empty file is standard output.
type output struct {
	format, file string
}

// parseOutputs reads the values of --format. Where all of them go to files,
// standard output still gets text.
func parseOutputs(values []string) ([]output, error) {
	var outputs []output
	var standard []string
	for _, value := range values {
		format, file, toFile := strings.Cut(value, "=")
		if !slices.Contains(report.Formats(), format) {
			message := fmt.Sprintf("there is no format %q: the formats are %s", format, strings.Join(report.Formats(), ", "))
			if near := suggest.Closest(format, report.Formats()).Name; near != "" {
				message = fmt.Sprintf("there is no format %q; did you mean %s?", format, near)
			}
			return nil, errors.New(message)
		}
		if toFile && file == "" {
			return nil, fmt.Errorf("--format %s= names no file", format)
		}
		if !toFile {
			standard = append(standard, format)
		}
		outputs = append(outputs, output{format, file})
	}
	switch len(standard) {
	case 0:
		outputs = append(outputs, output{format: "text"})
	case 1:
	default:
		return nil, fmt.Errorf("only one format can go to standard output, not %s: write FORMAT=FILE for the others", strings.Join(standard, " and "))
	}
	return outputs, nil
}

func parseSeverities(values []string) (map[string]rules.Severity, error) {
	severities := map[string]rules.Severity{}
	ids := ruleIDs()
	for _, value := range values {
		id, name, ok := strings.Cut(value, "=")
		if !ok {
			return nil, fmt.Errorf("--rule takes ID=off|advice|warning|error, not %q", value)
		}
		if !slices.Contains(ids, id) {
			return nil, unknownRule(id, ids)
		}
		severity, err := rules.ParseSeverity(name)
		if err != nil {
			return nil, err
		}
		severities[id] = severity
	}
	return severities, nil
}

// write renders a report and puts it where it goes: a file is written whole or
// not at all.
func (c *Command) write(o output, r *lint.Result, options report.Options) error {
	var text bytes.Buffer
	if err := report.Write(o.format, &text, r, options); err != nil {
		return err
	}
	if o.file == "" {
		_, err := io.Copy(c.Stdout, &text)
		return err
	}
	if err := lint.WriteFile(c.path(o.file), text.Bytes()); err != nil {
		return fmt.Errorf("cannot write the report %s: %w", o.file, err)
	}
	return nil
}
