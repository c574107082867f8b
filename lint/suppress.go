package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// suppressionForm is what a comment that suppresses something looks like: the
// rules' ids, and behind -- why.
var suppressionForm = regexp.MustCompile(`^#+\s*gete:ignore(-file)?:?(?:\s+(.*))?$`)

// A suppression is one comment that takes rules out of force.
type suppression struct {
	comment source.Comment
	rules   []string
	used    []bool // by rule
}

// suppressions are those of one file.
type suppressions struct {
	all  []*suppression
	line map[int][]*suppression // by the line that they are about
	file []*suppression         // about the whole file
}

// suppress drops the findings that comments suppress, and adds what is wrong
// with those comments.
func (r *run) suppress(documents []*declaration.Document, found []rules.Diagnostic) []rules.Diagnostic {
	byFile := map[*source.File]*suppressions{}
	for _, d := range documents {
		if s := suppressionsOf(d.File); len(s.all) > 0 {
			byFile[d.File] = s
		}
	}
	if len(byFile) == 0 {
		return found
	}
	kept := slices.DeleteFunc(found, func(d rules.Diagnostic) bool {
		s := byFile[d.File]
		return s != nil && s.cover(d)
	})
	for _, d := range documents {
		s := byFile[d.File]
		if s == nil {
			continue
		}
		// What is unused shows only when all else has been suppressed.
		kept = append(kept, slices.DeleteFunc(r.unknownRules(d, s), s.cover)...)
		kept = append(kept, slices.DeleteFunc(r.unused(d, s), s.cover)...)
	}
	return kept
}

// suppressionsOf finds the suppressions of a file, from the last to the first:
// a comment alone on its line is about the line that the comments below it are
// about.
func suppressionsOf(f *source.File) *suppressions {
	s := &suppressions{line: map[int][]*suppression{}}
	below, concerned := 0, 0 // the line of the comment below, and the line that one is about
	for i := len(f.Comments) - 1; i >= 0; i-- {
		c := f.Comments[i]
		line := f.Position(c.Start).Line
		about := line
		if c.Alone {
			about = nextLine(f, line)
			if about == below {
				about = concerned
			}
			below, concerned = line, about
		}
		m := suppressionForm.FindStringSubmatch(f.CommentText(c))
		if m == nil {
			continue
		}
		ids, _, _ := strings.Cut(m[2], "--")
		found := &suppression{comment: c, rules: strings.FieldsFunc(ids, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })}
		found.used = make([]bool, len(found.rules))
		s.all = append(s.all, found)
		if m[1] == "" {
			s.line[about] = append(s.line[about], found)
		} else {
			s.file = append(s.file, found)
		}
	}
	return s
}

// nextLine is the first line below another that is not blank.
func nextLine(f *source.File, line int) int {
	for line++; line < f.Lines(); line++ {
		if text, _ := f.Line(line); strings.TrimSpace(text) != "" {
			break
		}
	}
	return line
}

// cover says whether a suppression covers a finding, and notes its use.
func (s *suppressions) cover(d rules.Diagnostic) bool {
	covered := false
	use := func(in []*suppression) {
		for _, one := range in {
			for i, id := range one.rules {
				if id == d.Rule {
					one.used[i] = true
					covered = true
				}
			}
		}
	}
	line, keyLine := d.Span.Start.Line, d.KeyLine()
	use(s.file)
	use(s.line[line])
	if keyLine != line {
		use(s.line[keyLine])
	}
	return covered
}

// maxSuggestions bounds how many near misses are looked for in a file.
const maxSuggestions = 50

// unknownRules reports the suppressions that name no rule, each once.
func (r *run) unknownRules(d *declaration.Document, in *suppressions) []rules.Diagnostic {
	var found []rules.Diagnostic
	var ids []string
	for _, rule := range rules.All() {
		ids = append(ids, rule.ID)
	}
	near := map[string]string{} // for a file that has one slip many times
	for _, s := range in.all {
		unknown := slices.IndexFunc(s.rules, func(id string) bool { return !slices.Contains(ids, id) })
		switch {
		case len(s.rules) == 0:
			found = r.about(found, d, s, rules.IgnoreUnknown, "this suppression names no rule", "write # gete:ignore RULE -- reason")
		case unknown > 0:
			message := fmt.Sprintf("no rule is named `%s`", redact.Name(s.rules[unknown]))
			found = r.about(found, d, s, rules.IgnoreUnknown, message, "separate rules with commas, and write -- before the reason")
		case unknown == 0:
			id := s.rules[0]
			if _, ok := near[id]; !ok && len(near) < maxSuggestions {
				near[id] = suggest.Like(id, ids)
			}
			message := fmt.Sprintf("no rule is named `%s`", redact.Name(id))
			if near[id] != "" {
				message += fmt.Sprintf("; did you mean `%s`?", near[id])
			}
			found = r.about(found, d, s, rules.IgnoreUnknown, message, "`gete rules` lists them")
		}
	}
	return found
}

// unused reports the rules of suppressions that suppress nothing. A rule that
// did not run, or could not read the file, may well have something to suppress.
func (r *run) unused(d *declaration.Document, in *suppressions) []rules.Diagnostic {
	var found []rules.Diagnostic
	active := map[string]bool{}
	for _, rule := range r.active {
		active[rule.ID] = true
	}
	for _, s := range in.all {
		for i, id := range s.rules {
			if !s.used[i] && active[id] && d.Root() != nil && id != rules.IgnoreUnused {
				found = r.about(found, d, s, rules.IgnoreUnused, fmt.Sprintf("nothing of `%s` is suppressed here", id), "remove it")
			}
		}
	}
	return found
}

// about adds a finding about a suppression, unless its rule is off.
func (r *run) about(found []rules.Diagnostic, d *declaration.Document, s *suppression, id, message, help string) []rules.Diagnostic {
	for _, rule := range r.active {
		if rule.ID == id {
			place := rules.Place{File: d.File, Span: d.File.Span(s.comment.Start, s.comment.End)}
			found = append(found, rules.Diagnostic{Rule: id, Severity: rule.Severity, Place: place, Message: message, Help: help})
		}
	}
	return found
}
