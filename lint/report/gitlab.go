package report

import (
	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// A codeQualityIssue is a finding as GitLab's code quality report has it, see
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type codeQualityIssue struct {
	Description string              `json:"description"`
	CheckName   string              `json:"check_name"`
	Fingerprint string              `json:"fingerprint"`
	Severity    string              `json:"severity"`
	Location    codeQualityLocation `json:"location"`
}

type codeQualityLocation struct {
	Path  string           `json:"path"`
	Lines codeQualityLines `json:"lines"`
}

type codeQualityLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// writeGitLab writes a list of issues, which GitLab shows in a merge request.
func writeGitLab(r *report) error {
	root := rootOf(r.Options)
	fingerprints := lint.Fingerprints(r.shown)
	issues := make([]codeQualityIssue, len(r.shown)) // never null
	for i, d := range r.shown {
		path := fromRoot(root, r.Dir, d.File.Path)
		issues[i] = codeQualityIssue{
			Description: oneLine(d.Message),
			CheckName:   d.Rule,
			Fingerprint: rules.Hash(path, fingerprints[i]), // of alike fingerprints GitLab shows one
			Severity:    codeQualitySeverity(d.Severity),
			Location:    codeQualityLocation{path, codeQualityLines{d.Span.Start.Line, d.Span.End.Line}},
		}
	}
	return r.encode(issues)
}

// codeQualitySeverity is a severity in GitLab's terms, which has two above major for
// what is worse than what a linter can say.
func codeQualitySeverity(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "major"
	case rules.Warning:
		return "minor"
	}
	return "info"
}
