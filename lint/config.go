package lint

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// A config is what a .gete-lint.yaml says.
type config struct {
	severities map[string]rules.Severity
	exclude    []string
	servers    map[string]string // targets by declared url
	baseline   string            // absolute; "" for none
	known      *baseline
}

// configure reads the configuration and settles which rules run. A broken one
// is reported like any declaration, and ends the run.
func (r *run) configure() (broken bool, err error) {
	r.config = &config{severities: map[string]rules.Severity{}}
	path := filepath.Join(r.target.dir, configFile)
	if r.options.Config != "" {
		path = r.files.abs(r.options.Config)
		if r.files.Kind(path) == rules.NoFile {
			return false, fmt.Errorf("%s: no such configuration file", r.options.Config)
		}
	}
	all := rules.All()
	if _, overlaid := r.files.overlay[path]; overlaid || exists(path) {
		d := r.read(schema.Config, path)
		found := r.readConfig(d, all, filepath.Dir(path))
		if len(found) > 0 {
			r.result.Broken = true
			r.result.Diagnostics = append(r.result.Diagnostics, found...)
			return true, nil
		}
	}
	for _, rule := range all {
		rule.Severity = r.severity(rule)
		if rule.Severity != rules.Off {
			r.active = append(r.active, rule)
		}
	}
	return false, nil
}

// severity is the severity that a rule runs with.
func (r *run) severity(rule rules.Rule) rules.Severity {
	if s, ok := r.options.Severities[rule.ID]; ok {
		return s
	}
	if s, ok := r.config.severities[rule.ID]; ok {
		return s
	}
	if rule.Severity == rules.Advice && !r.options.Advice {
		return rules.Off
	}
	return rule.Severity
}

// readConfig takes the configuration, in a folder, from its document, and reports its
// faults.
func (r *run) readConfig(d *declaration.Document, all []rules.Rule, dir string) []rules.Diagnostic {
	var found []rules.Diagnostic
	p := declaration.NewProject(r.target.dir, nil)
	report := func(id string, f rules.Finding) {
		i := slices.IndexFunc(all, func(rule rules.Rule) bool { return rule.ID == id })
		rules.NewPass(all[i], p, r.files, collect(&found)).Report(f)
	}
	for _, rule := range all {
		// What a YAML 1.1 reader makes of off does not matter: gete alone reads
		// this file.
		if rule.Document != nil && rule.ID != "yaml-ambiguous" {
			rule.Document(rules.NewPass(rule, p, r.files, collect(&found)), d)
		}
	}
	root := d.Root()
	if root == nil || d.Refused(root) {
		if root != nil && root.Style == source.Implicit {
			return nil // a configuration that says nothing
		}
		return found
	}
	ids := make([]string, len(all))
	for i, rule := range all {
		ids[i] = rule.ID
	}
	if severities := root.Get("rules"); severities != nil {
		for _, f := range severities.Fields {
			severity, err := rules.ParseSeverity(f.Value.Value)
			if err != nil {
				continue // the schema says so
			}
			if !slices.Contains(ids, f.Key.Value) {
				report("schema-unknown-key", unknownRule(f.Key, ids))
			}
			r.config.severities[f.Key.Value] = severity
		}
	}
	if servers := root.Get("servers"); servers != nil {
		r.config.servers = map[string]string{}
		for _, f := range servers.Fields {
			r.config.servers[f.Key.Value] = f.Value.Value
		}
	}
	if file := root.Get("baseline"); file != nil && !d.Refused(file) && !r.options.NoBaseline && r.options.Baseline == "" {
		r.config.baseline = rules.Resolve(dir, file.Value)
		var err error
		if r.config.known, err = readBaseline(r.config.baseline); err != nil {
			report("file-unreadable", rules.Finding{At: file, Message: redact.Node(file) + " " + err.Error(), Help: "write it with `gete validate --write-baseline`"})
		}
	}
	if exclude := root.Get("exclude"); exclude != nil {
		for _, item := range exclude.Items {
			r.config.exclude = append(r.config.exclude, item.Value)
		}
	}
	return found
}

func unknownRule(key *source.Node, ids []string) rules.Finding {
	f := rules.Finding{At: key, Message: fmt.Sprintf("no rule is named `%s`", redact.Name(key.Value)), Help: "`gete rules` lists them"}
	f.Suggest(suggest.Like(key.Value, ids), rules.Backquoted)
	return f
}

// excluded says whether the configuration leaves a file, or a folder around
// it, out.
func (r *run) excluded(path string) bool {
	if r.config == nil || len(r.config.exclude) == 0 {
		return false
	}
	rel, err := filepath.Rel(r.target.dir, path)
	if err != nil {
		return false
	}
	for ; rel != "." && rel != string(filepath.Separator) && rel != ".."; rel = filepath.Dir(rel) {
		for _, glob := range r.config.exclude {
			if ok, err := doublestar.Match(glob, filepath.ToSlash(rel)); err == nil && ok {
				return true
			}
		}
	}
	return false
}
