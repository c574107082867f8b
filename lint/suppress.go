package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// suppressionForm is what a comment that suppresses something looks like: the
// rules' ids, and behind -- why.
var suppressionForm = regexp.MustCompile(`^#+\s*gete:ignore(-file)?:?(?:\s+(.*))?$`)

// idForm is one of the ids, which commas or blanks set apart.
var idForm = regexp.MustCompile(`[^, \t]+`)

// A suppression is one comment that takes rules out of force.
type suppression struct {
	comment source.Comment
	rules   []named
	reason  string
}

// A named rule is one that a suppression names.
type named struct {
	id         string
	start, end int // byte offsets in the file
	used       bool
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
	cover := func(d rules.Diagnostic) bool {
		s := byFile[d.File]
		if s == nil {
			return false
		}
		by := s.cover(d)
		if by != nil {
			r.suppressed = append(r.suppressed, Suppressed{d, by.reason, InSource})
		}
		return by != nil
	}
	kept := slices.DeleteFunc(found, cover)
	for _, d := range documents {
		s := byFile[d.File]
		if s == nil {
			continue
		}
		// What is unused shows only when all else has been suppressed.
		kept = append(kept, slices.DeleteFunc(r.unknownRules(d, s), cover)...)
		kept = append(kept, slices.DeleteFunc(r.unused(d, s), cover)...)
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
		found, wholeFile := parseSuppression(f, c)
		if found == nil {
			continue
		}
		s.all = append(s.all, found)
		if !wholeFile {
			s.line[about] = append(s.line[about], found)
		} else {
			s.file = append(s.file, found)
		}
	}
	return s
}

// parseSuppression reads a comment; nil where it is no suppression.
func parseSuppression(f *source.File, c source.Comment) (s *suppression, wholeFile bool) {
	text := f.CommentText(c)
	m := suppressionForm.FindStringSubmatchIndex(text)
	if m == nil {
		return nil, false
	}
	s = &suppression{comment: c}
	if at := m[4]; at >= 0 {
		ids, reason, _ := strings.Cut(text[at:], "--")
		s.reason = strings.TrimSpace(reason)
		for _, id := range idForm.FindAllStringIndex(ids, -1) {
			start, end := at+id[0], at+id[1]
			s.rules = append(s.rules, named{id: text[start:end], start: c.Start + start, end: c.Start + end})
		}
	}
	return s, m[2] >= 0
}

// NamesRules says whether what comes next in a comment, of which this is the beginning,
// is the id of a rule that it suppresses, and no reason.
func NamesRules(comment string) bool {
	m := suppressionForm.FindStringSubmatch(comment)
	if m == nil {
		return false
	}
	return (m[2] != "" || strings.HasSuffix(comment, " ")) && !strings.Contains(m[2], "--")
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

// cover is a suppression that covers a finding, or nil. It notes the use of each that
// does.
func (s *suppressions) cover(d rules.Diagnostic) *suppression {
	var by *suppression
	use := func(in []*suppression) {
		for _, one := range in {
			for i := range one.rules {
				if one.rules[i].id == d.Rule {
					one.rules[i].used = true
					by = one
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
	return by
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
	near := map[string]suggest.Match{} // for a file that has one slip many times
	for _, s := range in.all {
		unknown := slices.IndexFunc(s.rules, func(n named) bool { return !slices.Contains(ids, n.id) })
		if len(s.rules) == 0 {
			found = r.about(found, d, s, rules.IgnoreUnknown, rules.Finding{Message: "this suppression names no rule", Help: "write # gete:ignore RULE -- reason"})
		}
		if unknown < 0 {
			continue
		}
		at := s.rules[unknown]
		f := rules.Finding{Message: "no rule is named " + rules.Backquoted(at.id), Help: "separate rules with commas, and write -- before the reason"}
		if unknown == 0 {
			f.Help = "`gete rules` lists them"
			if _, ok := near[at.id]; !ok && len(near) < maxSuggestions {
				near[at.id] = suggest.Like(at.id, ids)
			}
			meant := near[at.id]
			f.Suggest(meant, rules.Backquoted)
			if meant.Alone && !slices.ContainsFunc(s.rules, func(n named) bool { return n.id == meant.Name }) {
				f.Fix = &rules.Fix{Message: "write " + rules.Backquoted(meant.Name), Safe: true, Edits: []source.Edit{{File: d.File, Start: at.start, End: at.end, Text: meant.Name}}}
			}
		}
		found = r.about(found, d, s, rules.IgnoreUnknown, f)
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
		for i, n := range s.rules {
			if !n.used && active[n.id] && d.Root() != nil && n.id != rules.IgnoreUnused {
				found = r.about(found, d, s, rules.IgnoreUnused, rules.Finding{
					Message: fmt.Sprintf("nothing of `%s` is suppressed here", n.id), Help: "remove it",
					Fix: &rules.Fix{Message: "remove " + rules.Backquoted(n.id), Edits: []source.Edit{s.without(d.File, i)}, Safe: true},
				})
			}
		}
	}
	return found
}

// without takes one of its rules out of a suppression, and with the last one the
// suppression.
func (s *suppression) without(f *source.File, i int) source.Edit {
	switch {
	case len(s.rules) == 1:
		return f.RemoveComment(s.comment)
	case i == 0:
		return source.Edit{File: f, Start: s.rules[0].start, End: s.rules[1].start}
	}
	return source.Edit{File: f, Start: s.rules[i-1].end, End: s.rules[i].end}
}

// about adds a finding about a suppression, unless its rule is off.
func (r *run) about(found []rules.Diagnostic, d *declaration.Document, s *suppression, id string, f rules.Finding) []rules.Diagnostic {
	for _, rule := range r.active {
		if rule.ID == id {
			rules.NewPass(rule, nil, nil, collect(&found)).ReportComment(d.File, s.comment, f)
		}
	}
	return found
}
