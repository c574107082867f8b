// Package lint runs the rules over projects: it finds the files, reads them side
// by side, and brings what the rules say into one order.
package lint

import (
	"cmp"
	"context"
	"io"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

// Options say what to lint, and how.
type Options struct {
	// Dir is the working folder, absolute: what paths are relative to.
	Dir string
	// Paths are files and folders; without any, the project that Dir lies in is
	// linted. "-" is Stdin.
	Paths []string
	Stdin io.Reader
	// StdinFilename is the path of the file that Stdin stands for.
	StdinFilename string
	// Overlay are texts to read in place of the files at those absolute paths, such as
	// what an editor has not saved yet.
	Overlay map[string][]byte
	// Cache keeps what was read for the next run; nil for keeping nothing.
	Cache *Cache
	// Baseline is the path of a file of known findings, which are not reported, in place
	// of the configuration's; empty for that.
	Baseline string
	// NoBaseline reports known findings, too.
	NoBaseline bool
	// Config is the path of a configuration file to use in place of the
	// projects' own; empty for those.
	Config string
	// Severities are what the command line says of rules, by id. They outrank
	// the configuration.
	Severities map[string]rules.Severity
	// Advice turns on the rules that are off unless asked for.
	Advice bool
	// Live asks the servers of mcp blocks; nil for dialling nothing.
	Live *Dialer
	// Jobs is how many files are read at a time; 0 for as many as there are
	// processors.
	Jobs int
}

// Run lints what the options name. An error means that nothing could be linted:
// a path that is not there, a folder without a project. What is wrong with a
// declaration is never an error but a diagnostic.
func Run(ctx context.Context, o Options) (*Result, error) {
	begin := time.Now()
	result := &Result{Secrets: map[*source.File][]source.Span{}, tally: tally{}}
	runs, err := newRuns(o, result)
	if err != nil {
		return nil, err
	}
	declared := map[string]bool{}
	for _, r := range runs {
		if err := r.project(ctx); err != nil {
			return nil, err
		}
		maps.Copy(declared, r.declared)
	}
	if o.Live != nil && !result.Broken {
		if err := o.Live.unused(declared); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(result.Diagnostics, inOrder)
	result.Diagnostics = slices.CompactFunc(result.Diagnostics, func(a, b rules.Diagnostic) bool {
		return inOrder(a, b) == 0 // a file of two projects
	})
	ofSuppressed := func(a, b Suppressed) int { return inOrder(a.Diagnostic, b.Diagnostic) }
	slices.SortStableFunc(result.Suppressed, ofSuppressed)
	result.Suppressed = slices.CompactFunc(result.Suppressed, func(a, b Suppressed) bool { return ofSuppressed(a, b) == 0 })
	slices.SortStableFunc(result.Gone, Known.compare)
	result.Gone = slices.Compact(result.Gone)
	for _, d := range result.Diagnostics {
		result.keepSecrets(d)
	}
	for _, s := range result.Suppressed {
		result.keepSecrets(s.Diagnostic)
	}
	result.Elapsed = time.Since(begin)
	return result, nil
}

// inOrder compares diagnostics by path, line, column, rule and, to be the same
// on every run, message.
func inOrder(a, b rules.Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.File.Path, b.File.Path),
		cmp.Compare(a.Span.Start.Line, b.Span.Start.Line),
		cmp.Compare(a.Span.Start.Column, b.Span.Start.Column),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
	)
}

// A run lints one project.
type run struct {
	options Options
	files   *files
	target  target
	result  *Result
	config  *config
	active  []rules.Rule // those that are not off, with their severities
	// suppressed are the findings that comments and the baseline took out.
	suppressed []Suppressed
	// declared are the urls of the project's mcp blocks.
	declared map[string]bool
}

// newRuns are the runs over what the options name.
func newRuns(o Options, result *Result) ([]*run, error) {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	fs, err := newFiles(o)
	if err != nil {
		return nil, err
	}
	targets, err := discover(o, fs)
	if err != nil {
		return nil, err
	}
	runs := make([]*run, len(targets))
	for i, t := range targets {
		runs[i] = &run{options: o, files: fs, target: t, result: result}
	}
	return runs, nil
}

func (r *run) project(ctx context.Context) error {
	broken, err := r.configure()
	if err != nil || broken {
		return err
	}
	locked, _, err := r.readLock()
	if err != nil {
		return err
	}
	p, found, err := r.load(ctx)
	if err != nil {
		return err
	}
	for _, rule := range r.active {
		if rule.Project != nil {
			rule.Project(rules.NewPass(rule, p, r.files, collect(&found)))
		}
	}
	listings, err := r.listings(ctx, p, locked)
	if err != nil {
		return err
	}
	if listings != nil {
		r.checkListed(p, listings, &found)
	}
	r.declared = urlsOf(p)
	documents := documentsOf(p)
	found = rules.WithoutEchoes(found)
	found = r.suppress(documents, found)
	if found, err = r.silence(found, r.looked(documents, listings != nil)); err != nil {
		return err
	}
	r.result.tally.add(found)
	shown, err := r.shows(p)
	if err != nil {
		return err
	}
	for _, d := range found {
		if shown(d) {
			r.result.Diagnostics = append(r.result.Diagnostics, d)
		}
	}
	for _, s := range r.suppressed {
		if shown(s.Diagnostic) {
			r.result.Suppressed = append(r.result.Suppressed, s)
		}
	}
	r.result.Agents += len(p.Agents)
	r.result.Files += len(documents)
	if p.Gete != nil {
		r.result.Projects++
	}
	return nil
}

// keepSecrets notes what no report may print of the files that a finding shows.
func (r *Result) keepSecrets(d rules.Diagnostic) {
	keep := func(f *source.File) {
		if _, ok := r.Secrets[f]; ok {
			return
		}
		r.Secrets[f] = nil
		for _, s := range redact.Secrets(f) {
			r.Secrets[f] = append(r.Secrets[f], f.Span(s.Start, s.End))
		}
	}
	keep(d.File)
	for _, related := range d.Related {
		keep(related.File)
	}
}

func collect(found *[]rules.Diagnostic) func(rules.Diagnostic) {
	return func(d rules.Diagnostic) { *found = append(*found, d) }
}

// checkDocument runs the rules about single files.
func (r *run) checkDocument(p *declaration.Project, d *declaration.Document, found *[]rules.Diagnostic) {
	for _, rule := range r.active {
		if rule.Document != nil {
			rule.Document(rules.NewPass(rule, p, r.files, collect(found)), d)
		}
	}
}

// checkAgent runs the rules about one agent.
func (r *run) checkAgent(p *declaration.Project, a *declaration.Agent, found *[]rules.Diagnostic) {
	r.checkDocument(p, a.Document, found)
	if a.Root() == nil || a.Refused(a.Root()) {
		return
	}
	for _, rule := range r.active {
		if rule.Agent != nil {
			rule.Agent(rules.NewPass(rule, p, r.files, collect(found)), a)
		}
	}
}

// checkListed runs the rules about what servers list.
func (r *run) checkListed(p *declaration.Project, listings *rules.Listings, found *[]rules.Diagnostic) {
	for _, rule := range r.active {
		if rule.Listed == nil {
			continue
		}
		pass := rules.NewPass(rule, p, r.files, collect(found))
		pass.Listings = listings
		for _, a := range p.Agents {
			rule.Listed(pass, a)
		}
	}
}

func documentsOf(p *declaration.Project) []*declaration.Document {
	var documents []*declaration.Document
	if p.Gete != nil {
		documents = append(documents, p.Gete)
	}
	for _, f := range p.Policies {
		documents = append(documents, f.Document)
	}
	for _, a := range p.Agents {
		documents = append(documents, a.Document)
	}
	return documents
}
