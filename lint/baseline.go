package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
)

// maxBaseline bounds a baseline, in bytes: some 100,000 findings.
const maxBaseline = 64 << 20

// baselineVersion is that of the format of baselines.
const baselineVersion = 1

// A baseline is findings that are known, as its file has them.
type baseline struct {
	Version  int     `json:"version"`
	Findings []Known `json:"findings"`
}

// A Known finding is one that a baseline has.
type Known struct {
	// Path is that of the file, with slashes; in a baseline, from its folder on.
	Path string `json:"path"`
	Rule string `json:"rule"`
	// Fingerprint tells it from others of the file; see Fingerprints.
	Fingerprint string `json:"fingerprint"`
	// Message is for people; it is not compared.
	Message string `json:"message"`
}

func (k Known) compare(other Known) int {
	return cmp.Or(cmp.Compare(k.Path, other.Path), cmp.Compare(k.Rule, other.Rule), cmp.Compare(k.Message, other.Message), cmp.Compare(k.Fingerprint, other.Fingerprint))
}

// readBaseline reads a baseline. The error has no path.
func readBaseline(path string) (*baseline, error) {
	text, err := readBounded(path, maxBaseline)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var b baseline
	if err := decoder.Decode(&b); err != nil {
		return nil, fmt.Errorf("is no baseline: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("is no baseline: something follows it")
	}
	if b.Version != baselineVersion {
		return nil, fmt.Errorf("is a baseline of version %d, and this gete reads %d", b.Version, baselineVersion)
	}
	return &b, nil
}

// FormatBaseline is a baseline, for a file in a folder, that has what a result
// reports: every finding but that a server could not be checked, which the next run
// may find otherwise.
func FormatBaseline(r *Result, o Options, dir string) (text []byte, findings int, err error) {
	b := baseline{Version: baselineVersion, Findings: []Known{}}
	fingerprints := Fingerprints(r.Diagnostics)
	for i, d := range r.Diagnostics {
		if d.Outage {
			continue
		}
		path, err := filepath.Rel(dir, o.Abs(d.File.Path))
		if err != nil {
			return nil, 0, err
		}
		b.Findings = append(b.Findings, Known{filepath.ToSlash(path), d.Rule, fingerprints[i], d.Message})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(b); err != nil {
		return nil, 0, err
	}
	return out.Bytes(), len(b.Findings), nil
}

// baselinePath is the absolute path of the baseline to hold findings against; ""
// where there is none.
func (r *run) baselinePath() string {
	switch {
	case r.options.NoBaseline:
		return ""
	case r.options.Baseline != "":
		return r.files.abs(r.options.Baseline)
	}
	return r.config.baseline
}

// silence drops the findings that the baseline knows, and notes which of it are gone.
func (r *run) silence(found []rules.Diagnostic, looked func(Known) bool) ([]rules.Diagnostic, error) {
	path := r.baselinePath()
	if path == "" {
		return found, nil
	}
	b := r.config.known
	if r.options.Baseline != "" {
		var err error
		if b, err = readBaseline(path); err != nil {
			return nil, fmt.Errorf("%s %w", r.files.shown(path), err)
		}
	}
	type known struct{ path, fingerprint string }
	there := map[known]bool{}
	for _, k := range b.Findings {
		there[known{filepath.Join(filepath.Dir(path), filepath.FromSlash(k.Path)), k.Fingerprint}] = true
	}
	// Alike findings are counted in the order of the text.
	slices.SortStableFunc(found, inOrder)
	var kept []rules.Diagnostic
	fingerprints := Fingerprints(found)
	for i, d := range found {
		k := known{r.files.abs(d.File.Path), fingerprints[i]}
		if !there[k] || d.Outage {
			kept = append(kept, d)
			continue
		}
		delete(there, k)
		r.suppressed = append(r.suppressed, Suppressed{d, "", Baseline})
	}
	for _, k := range b.Findings {
		full := filepath.Join(filepath.Dir(path), filepath.FromSlash(k.Path))
		k.Path = r.files.shown(full)
		if there[known{full, k.Fingerprint}] && looked(k) {
			r.result.Gone = append(r.result.Gone, k)
		}
	}
	return kept, nil
}

// looked is whether a run over some documents would have found a known finding: its
// rule ran, and its file could be read or is gone with it.
func (r *run) looked(documents []*declaration.Document, listed bool) func(Known) bool {
	read := map[string]*source.File{}
	for _, d := range documents {
		read[d.File.Path] = d.File
	}
	return func(k Known) bool {
		ran := slices.ContainsFunc(r.active, func(rule rules.Rule) bool {
			return rule.ID == k.Rule && (rule.Listed == nil || listed)
		})
		if !ran {
			return false
		}
		if r.target.named != nil && !r.target.named[r.files.abs(k.Path)] {
			return false
		}
		if f := read[k.Path]; f != nil {
			return f.Root != nil
		}
		path := r.files.abs(k.Path)
		rel, err := filepath.Rel(r.target.dir, path)
		_, missing := os.Stat(path)
		return err == nil && filepath.IsLocal(rel) && errors.Is(missing, os.ErrNotExist)
	}
}
