package report

import (
	"cmp"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifRoot stands for what relative URIs start from.
	sarifRoot = "%SRCROOT%"
	// sarifFingerprint names the way that lint.Fingerprints are made.
	sarifFingerprint = "gete/v1"
)

// writeSARIF writes a log of the Static Analysis Results Interchange Format, version
// 2.1.0. Comments name the sections of that standard.
func writeSARIF(r *report) error {
	w := sarifWriter{report: r, root: rootOf(r.Options)}
	suppressed := r.result.Suppressed
	omitted := r.omitted
	if r.Max > 0 && r.Max < len(suppressed) {
		omitted += len(suppressed) - r.Max
		suppressed = suppressed[:r.Max]
	}
	if err := w.describe(suppressed); err != nil {
		return err
	}
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "gete", Version: r.Version, InformationURI: "https://github.com/gete-lint/gete", Rules: w.rules,
		}},
		OriginalURIBaseIDs: map[string]sarifBase{sarifRoot: {sarifText{"The root of the checked-out files."}}},
		ColumnKind:         "unicodeCodePoints",
		Results:            []sarifResult{}, // §3.14.23: null is for a run that failed
	}
	fingerprints := lint.Fingerprints(r.shown)
	for i, d := range r.shown {
		run.Results = append(run.Results, w.result(d, fingerprints[i]))
	}
	fingerprints = lint.Fingerprints(bare(suppressed))
	for i, s := range suppressed {
		result := w.result(s.Diagnostic, fingerprints[i])
		result.Suppressions = []sarifSuppression{{suppressionKind(s.By), oneLine(s.Reason)}}
		run.Results = append(run.Results, result)
	}
	invocation := sarifInvocation{ExecutionSuccessful: !r.result.Broken}
	if omitted > 0 {
		invocation.Notifications = []sarifNotification{{"warning", sarifText{count(omitted, "more result is", "more results are") + " left out; --max-diagnostics 0 writes all"}}}
	}
	run.Invocations = []sarifInvocation{invocation}
	return r.encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// A sarifWriter makes the parts of a log.
type sarifWriter struct {
	*report
	root  string
	rules []sarifRule    // those that have results, sorted by id
	index map[string]int // of each in rules
}

// describe fills in the rules that what is shown and suppressed is about.
func (w *sarifWriter) describe(suppressed []lint.Suppressed) error {
	used := map[string]bool{}
	for _, d := range slices.Concat(w.shown, bare(suppressed)) {
		used[d.Rule] = true
	}
	w.rules = []sarifRule{}
	w.index = map[string]int{}
	all := map[string]rules.Rule{}
	for _, rule := range rules.All() {
		all[rule.ID] = rule
	}
	for _, id := range slices.Sorted(maps.Keys(used)) {
		rule := all[id]
		page, err := rule.Page()
		if err != nil {
			return err
		}
		w.index[id] = len(w.rules)
		w.rules = append(w.rules, sarifRule{
			ID:                   id,
			ShortDescription:     sarifText{rule.Summary},
			FullDescription:      sarifText{why(page)},
			Help:                 sarifHelp{page, page},
			HelpURI:              rules.PageURL(id),
			DefaultConfiguration: sarifConfiguration{rule.Severity != rules.Off, sarifLevel(rule.Severity)},
		})
	}
	return nil
}

// why is what a rule's page says under that heading, as one paragraph a paragraph.
func why(page string) string {
	_, text, _ := strings.Cut(page, "\n## Why\n")
	text, _, _ = strings.Cut(text, "\n## ")
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

func (w *sarifWriter) result(d rules.Diagnostic, fingerprint string) sarifResult {
	text := oneLine(d.Message)
	if d.Help != "" {
		text += "\nhelp: " + oneLine(d.Help)
	}
	result := sarifResult{
		RuleID:              d.Rule,
		RuleIndex:           w.index[d.Rule],
		Level:               sarifLevel(d.Severity),
		Message:             sarifText{sarifMessage(text)},
		Locations:           []sarifLocation{w.location(d.Place, d.Label)},
		PartialFingerprints: map[string]string{sarifFingerprint: fingerprint},
		Suppressions:        []sarifSuppression{},
		Fixes:               w.fixes(d.Fix),
	}
	for i, related := range d.Related {
		location := w.location(related.Place, related.Message)
		location.ID = i + 1
		result.RelatedLocations = append(result.RelatedLocations, location)
	}
	return result
}

func (w *sarifWriter) location(p rules.Place, message string) sarifLocation {
	location := sarifLocation{PhysicalLocation: sarifPhysicalLocation{w.artifact(p.File), sarifRegionOf(p.Span)}}
	if message != "" {
		location.Message = &sarifText{sarifMessage(oneLine(message))}
	}
	return location
}

// artifact is a file by a URI reference that starts from the root, or a whole URI
// where it lies outside.
func (w *sarifWriter) artifact(f *source.File) sarifArtifact {
	name := fromRoot(w.root, w.Dir, f.Path)
	if filepath.IsAbs(filepath.FromSlash(name)) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: name}).String(), URIBaseID: sarifRoot}
}

// fixes are the changes to each of the files that a fix is about.
func (w *sarifWriter) fixes(fix *rules.Fix) []sarifFix {
	if fix == nil {
		return nil
	}
	out := sarifFix{Description: sarifText{sarifMessage(oneLine(fix.Message))}, Properties: sarifFixProperties{fix.Safe}}
	byFile := map[*source.File][]sarifReplacement{}
	for _, e := range fix.Edits {
		replacement := sarifReplacement{DeletedRegion: sarifRegionOf(e.File.Span(e.Start, e.End))}
		if e.Text != "" {
			replacement.InsertedContent = &sarifText{e.Text}
		}
		byFile[e.File] = append(byFile[e.File], replacement)
	}
	files := slices.SortedFunc(maps.Keys(byFile), func(a, b *source.File) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range files {
		out.ArtifactChanges = append(out.ArtifactChanges, sarifChange{w.artifact(f), byFile[f]})
	}
	return []sarifFix{out}
}

func sarifRegionOf(s source.Span) sarifRegion {
	return sarifRegion{s.Start.Line, s.Start.Column, s.End.Line, s.End.Column}
}

// placeholder is what §3.11.5 takes for the place of an argument, and the start of
// what §3.11.6 takes for a link.
var placeholder = regexp.MustCompile(`\{\d+\}|\]\(`)

// sarifMessage is a text as a message of which nothing is taken for a placeholder or
// a link. Other braces stay single, though §3.11.5 asks for two: no reader is known
// that puts them back where a message has no arguments, and many show what is there.
func sarifMessage(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '{' {
			return "{" + s + "}"
		}
		return `\](`
	})
}

func sarifLevel(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	}
	return "note"
}

func suppressionKind(by lint.Suppressor) string {
	if by == lint.InSource {
		return "inSource"
	}
	return "external"
}

// bare are the findings among those that are suppressed.
func bare(suppressed []lint.Suppressed) []rules.Diagnostic {
	var all []rules.Diagnostic
	for _, s := range suppressed {
		all = append(all, s.Diagnostic)
	}
	return all
}
