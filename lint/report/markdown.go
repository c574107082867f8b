package report

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/gete-lint/gete/rules"
)

// maxMarkdown bounds a Markdown report, in bytes: what GitHub takes as the summary of
// a step, see https://docs.github.com/actions/reference/workflow-commands-for-github-actions#step-isolation-and-limits.
const maxMarkdown = 1 << 20

// writeMarkdown writes a heading, and for each finding a line, its frames and its
// help, for the summary of a job or a comment.
func writeMarkdown(r *report) error {
	fmt.Fprintf(r, "## gete: %s\n", found(r.result))
	left := maxMarkdown - 1024 // for the heading, and what is said of those left out
	omitted := r.omitted
	for i, d := range r.shown {
		var b bytes.Buffer
		if err := r.writeMarkdownFinding(&b, d); err != nil {
			return err
		}
		if b.Len() > left {
			omitted += len(r.shown) - i
			break
		}
		left -= b.Len()
		r.Write(b.Bytes())
	}
	if omitted > 0 {
		fmt.Fprintf(r, "\n%s not shown.\n", count(omitted, "more finding is", "more findings are"))
	}
	return nil
}

func (r *report) writeMarkdownFinding(b *bytes.Buffer, d rules.Diagnostic) error {
	fmt.Fprintf(b, "\n**%s** [%s](%s) at %s: %s\n", d.Severity, d.Rule, rules.PageURL(d.Rule),
		codeSpan(position(d.File.Path, d.Span.Start)), markdownText(oneLine(d.Message)))

	var frames bytes.Buffer
	plain := &report{Writer: bufio.NewWriter(&frames), result: r.result}
	plain.writeFrames(d, styleOf(plain.Options, d.Severity))
	if err := plain.Flush(); err != nil {
		return err
	}
	if frames.Len() > 0 {
		fence := strings.Repeat("`", max(3, longestRun(frames.String(), '`')+1))
		fmt.Fprintf(b, "\n%stext\n%s%s\n", fence, frames.Bytes(), fence)
	}
	if d.Help != "" {
		fmt.Fprintf(b, "\nHelp: %s\n", markdownText(oneLine(d.Help)))
	}
	return nil
}

// markdownText is one line of text in which nothing is markup but what stands in
// backquotes, which is code.
func markdownText(s string) string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 { // one is not closed
		return literal.Replace(s)
	}
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(literal.Replace(part))
		case part == "":
			b.WriteString("\\`\\`")
		default:
			b.WriteString(codeSpan(part))
		}
	}
	return b.String()
}

// literal escapes what Markdown, and GitHub's and GitLab's additions to it, would take
// for markup within a line. A comment keeps @ from calling somebody.
var literal = func() *strings.Replacer {
	pairs := []string{"@", "@<!-- -->", "<", "&lt;", ">", "&gt;", "&", "&amp;"}
	for _, c := range "\\`*_[]~$#!|" {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
}()

// codeSpan is one line of text as code.
func codeSpan(s string) string {
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if len(fence) > 1 || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " " // which Markdown takes off
	}
	return fence + s + fence
}

// longestRun is how often a byte stands in a row at most.
func longestRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != b {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
