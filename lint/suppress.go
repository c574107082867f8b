package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// suppressionForm is what a comment that suppresses something looks like: the
// rules' ids, and behind -- why.
var suppressionForm = regexp.MustCompile(`^#+\s*gete:ignore(-file)?(?:\s+(.*))?$`)

// A suppression is one comment that takes rules out of force.
type suppression struct {
	comment source.Comment
	line    int // that it is about; 0 for the whole file
	rules   []string
	used    []bool // by rule
}

// suppress drops the findings that comments suppress, and adds what is wrong
// with those comments.
func (r *run) suppress(documents []*declaration.Document, found []rules.Diagnostic) []rules.Diagnostic {
	byFile := map[*source.File][]*suppression{}
	for _, d := range documents {
		if s := suppressions(d.File); len(s) > 0 {
			byFile[d.File] = s
		}
	}
	if len(byFile) == 0 {
		return found
	}
	kept := found[:0]
	for _, d := range found {
		if !suppressed(byFile[d.File], d) {
			kept = append(kept, d)
		}
	}
	for _, d := range documents {
		for _, about := range r.aboutSuppressions(d, byFile[d.File]) {
			if !suppressed(byFile[d.File], about) {
				kept = append(kept, about)
			}
		}
	}
	return kept
}

// suppressions are those of a file.
func suppressions(f *source.File) []*suppression {
	var found []*suppression
	for i, c := range f.Comments {
		m := suppressionForm.FindStringSubmatch(f.CommentText(c))
		if m == nil {
			continue
		}
		ids, _, _ := strings.Cut(m[2], "--")
		s := &suppression{comment: c, rules: strings.FieldsFunc(ids, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })}
		s.used = make([]bool, len(s.rules))
		if m[1] == "" {
			s.line = concerns(f, i)
		}
		found = append(found, s)
	}
	return found
}

// concerns is the line that a comment is about: its own, or, where it stands
// alone, the next that has more than a comment.
func concerns(f *source.File, i int) int {
	line := f.Position(f.Comments[i].Start).Line
	if !f.Comments[i].Alone {
		return line
	}
	for line++; line <= f.Lines(); line++ {
		text, offset := f.Line(line)
		if strings.TrimSpace(text) == "" {
			continue
		}
		for i+1 < len(f.Comments) && f.Comments[i+1].Start < offset {
			i++
		}
		next := i + 1
		if next == len(f.Comments) || !f.Comments[next].Alone || f.Comments[next].Start >= offset+len(text) {
			return line
		}
	}
	return line
}

// suppressed says whether a suppression covers a finding, and notes its use.
func suppressed(in []*suppression, d rules.Diagnostic) bool {
	covered := false
	for _, s := range in {
		if s.line != 0 && s.line != d.Span.Start.Line && s.line != d.KeyLine() {
			continue
		}
		for i, id := range s.rules {
			if id == d.Rule {
				s.used[i] = true
				covered = true
			}
		}
	}
	return covered
}

// aboutSuppressions says what is wrong with a file's suppressions.
func (r *run) aboutSuppressions(d *declaration.Document, in []*suppression) []rules.Diagnostic {
	var found []rules.Diagnostic
	report := func(id string, s *suppression, message, help string) {
		for _, rule := range r.active {
			if rule.ID == id {
				place := rules.Place{File: d.File, Span: d.File.Span(s.comment.Start, s.comment.End)}
				found = append(found, rules.Diagnostic{Rule: id, Severity: rule.Severity, Place: place, Message: message, Help: help})
			}
		}
	}
	known := map[string]bool{}
	var ids []string
	for _, rule := range rules.All() {
		known[rule.ID] = true
		ids = append(ids, rule.ID)
	}
	active := map[string]bool{}
	for _, rule := range r.active {
		active[rule.ID] = true
	}
	for _, s := range in {
		if len(s.rules) == 0 {
			report(rules.IgnoreUnknown, s, "this suppression names no rule", "write # gete:ignore RULE -- reason")
		}
		for i, id := range s.rules {
			switch {
			case !known[id]:
				message := fmt.Sprintf("no rule is named `%s`", source.Printable(id))
				if near := suggest.Like(id, ids); near != "" {
					message += fmt.Sprintf("; did you mean `%s`?", near)
				}
				report(rules.IgnoreUnknown, s, message, "`gete rules` lists them")
			// A rule that did not run, or could not read the file, may well have
			// something to suppress.
			case !s.used[i] && active[id] && d.Root() != nil && id != rules.IgnoreUnused:
				report(rules.IgnoreUnused, s, fmt.Sprintf("nothing of `%s` is suppressed here", id), "remove it")
			}
		}
	}
	return found
}
