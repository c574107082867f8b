package lint

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// Fixed is what came of making the safe fixes. No file is written yet.
type Fixed struct {
	// Before is what there was to report, and Result what there is with the fixes made.
	Before, Result *Result
	// Made are the findings that were fixed, each as it was found, in the order of
	// reports.
	Made []rules.Diagnostic
	// Refused are those whose fix was not made, since it would clear nothing, or
	// bring an error.
	Refused []rules.Diagnostic
	// Changes are the files that have another text now, in order of their paths.
	Changes []Change
}

// A Change is a file with fixes made.
type Change struct {
	// Before is the file as it is, and After as it would be.
	Before, After *source.File

	path string // absolute
}

// Fix lints what the options name and makes the safe fixes of what it finds: those
// that do not overlap at once, and then what remains. Made together, the fixes of a
// round leave fewer findings and no error that was not there, in the whole project.
func Fix(ctx context.Context, o Options) (*Fixed, error) {
	if o.Live != nil {
		o.Live = o.Live.remembering()
	}
	result, err := Run(ctx, o)
	if err != nil {
		return nil, err
	}
	fixed := &Fixed{Before: result, Result: result}
	o.Overlay = maps.Clone(o.Overlay)
	if o.Overlay == nil {
		o.Overlay = map[string][]byte{}
	}
	origins := map[string]*origin{}
	var refused []source.Edit
	for !fixed.Result.Broken {
		round := pick(fixed.Result.Diagnostics, refused)
		if len(round) == 0 {
			break
		}
		// A fix that makes things worse is found by halving what is made at once.
		for {
			next := o
			next.Overlay = maps.Clone(o.Overlay)
			for file, edits := range editsOf(round) {
				next.Overlay[o.Abs(file.Path)] = []byte(source.Apply(file.Text, edits))
			}
			result, err := Run(ctx, next)
			if err != nil {
				return nil, err
			}
			if fixed.Result.improvedBy(result) {
				for file, edits := range editsOf(round) {
					path := o.Abs(file.Path)
					if origins[path] == nil {
						origins[path] = &origin{file: file}
					}
					origins[path].rounds = append(origins[path].rounds, edits)
				}
				for _, d := range round {
					d.Place = origins[o.Abs(d.File.Path)].place(d.Place)
					fixed.Made = append(fixed.Made, d)
				}
				o, fixed.Result, refused = next, result, nil
				break
			}
			if len(round) == 1 {
				refused = append(refused, round[0].Fix.Edits...)
				break
			}
			round = round[:len(round)/2]
		}
	}
	for _, d := range fixed.Result.Diagnostics {
		if isFixable(d) && slices.Contains(refused, d.Fix.Edits[0]) {
			fixed.Refused = append(fixed.Refused, d)
		}
	}
	slices.SortStableFunc(fixed.Made, inOrder)
	for _, path := range slices.Sorted(maps.Keys(origins)) {
		was := origins[path].file
		fixed.Changes = append(fixed.Changes, Change{was, source.Parse(was.Path, string(o.Overlay[path]), source.Declarations), path})
	}
	return fixed, nil
}

// An origin is a file as it was, and the edits that were made since.
type origin struct {
	file   *source.File
	rounds [][]source.Edit
}

// place is where something stood, before the last round, in the file as it was.
func (o *origin) place(p rules.Place) rules.Place {
	start, end := p.Span.Start.Offset, p.Span.End.Offset
	for _, edits := range slices.Backward(o.rounds[:len(o.rounds)-1]) {
		start, end = source.Before(edits, start), source.Before(edits, end)
	}
	return rules.Place{File: o.file, Span: o.file.Span(start, end), Pointer: p.Pointer}
}

// Abs is the absolute path of one that reports print.
func (o Options) Abs(shown string) string {
	path := filepath.FromSlash(shown)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.Dir, path)
}

// isFixable says whether a finding has a fix that can be made without asking.
func isFixable(d rules.Diagnostic) bool { return d.Fix != nil && d.Fix.Safe }

// Fixable is how many of the findings --fix would go about.
func (r *Result) Fixable() int {
	n := 0
	for _, d := range r.Diagnostics {
		if isFixable(d) {
			n++
		}
	}
	return n
}

// pick are the fixable findings whose edits overlap neither one another nor what was
// refused. Of findings with one and the same edit it is the first.
func pick(found []rules.Diagnostic, refused []source.Edit) []rules.Diagnostic {
	var picked []rules.Diagnostic
	taken := map[*source.File][]source.Edit{}
	for _, d := range found {
		if !isFixable(d) {
			continue
		}
		free := !slices.ContainsFunc(d.Fix.Edits, func(e source.Edit) bool {
			return slices.Contains(refused, e) || slices.ContainsFunc(taken[e.File], e.Overlaps)
		})
		if !free {
			continue
		}
		picked = append(picked, d)
		for _, e := range d.Fix.Edits {
			taken[e.File] = append(taken[e.File], e)
		}
	}
	return picked
}

func editsOf(found []rules.Diagnostic) map[*source.File][]source.Edit {
	edits := map[*source.File][]source.Edit{}
	for _, d := range found {
		for _, e := range d.Fix.Edits {
			edits[e.File] = append(edits[e.File], e)
		}
	}
	return edits
}

// A tally counts what is found in whole projects, whichever files are named.
type tally map[tallied]int

type tallied struct {
	path, rule string
	severity   rules.Severity
}

func (t tally) add(found []rules.Diagnostic) {
	for _, d := range found {
		t[tallied{d.File.Path, d.Rule, d.Severity}]++
	}
}

func (t tally) total() int {
	n := 0
	for _, count := range t {
		n += count
	}
	return n
}

// improvedBy says whether another result has fewer findings, and of no rule more
// errors in a file.
func (r *Result) improvedBy(other *Result) bool {
	if other.Broken || other.tally.total() >= r.tally.total() {
		return false
	}
	for kind, n := range other.tally {
		if kind.severity == rules.Error && n > r.tally[kind] {
			return false
		}
	}
	return true
}

// Write puts each change into its file, whole or not at all. A file that has another
// text by now than was read is left as it is; the error names it.
func (f *Fixed) Write() error {
	for _, c := range f.Changes {
		now, err := os.ReadFile(c.path)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Before.Path, reason(err))
		}
		if !bytes.Equal(now, []byte(c.Before.Text)) {
			return fmt.Errorf("%s has been changed meanwhile, and is left as it is", c.Before.Path)
		}
	}
	for _, c := range f.Changes {
		if err := WriteFile(c.path, []byte(c.After.Text)); err != nil {
			return fmt.Errorf("cannot write %s: %w", c.Before.Path, err)
		}
	}
	return nil
}
