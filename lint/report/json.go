package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/source"
)

// outputVersion is that of the JSON format, which schema/output.json describes.
const outputVersion = 1

type jsonReport struct {
	Version     int              `json:"version"`
	Gete        string           `json:"gete"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Omitted     int              `json:"omitted,omitempty"`
	Summary     jsonSummary      `json:"summary"`
}

type jsonDiagnostic struct {
	Rule     string        `json:"rule"`
	Severity string        `json:"severity"`
	Message  string        `json:"message"`
	Path     string        `json:"path"`
	Start    jsonPosition  `json:"start"`
	End      jsonPosition  `json:"end"`
	Pointer  string        `json:"pointer"`
	Help     string        `json:"help,omitempty"`
	Related  []jsonRelated `json:"related,omitempty"`
	Fixes    []jsonFix     `json:"fixes,omitempty"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Safe    bool       `json:"safe"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Path  string       `json:"path"`
	Start jsonPosition `json:"start"`
	End   jsonPosition `json:"end"`
	Text  string       `json:"text"`
}

type jsonRelated struct {
	Path    string       `json:"path"`
	Start   jsonPosition `json:"start"`
	End     jsonPosition `json:"end"`
	Message string       `json:"message"`
}

type jsonPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

type jsonSummary struct {
	Projects int `json:"projects"`
	Agents   int `json:"agents"`
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Advice   int `json:"advice"`
}

// writeJSON writes one object, for programs.
func writeJSON(r *report) error {
	out := jsonReport{
		Version:     outputVersion,
		Gete:        r.Version,
		Diagnostics: make([]jsonDiagnostic, len(r.shown)), // never null
		Omitted:     r.omitted,
		Summary: jsonSummary{
			Projects: r.result.Projects,
			Agents:   r.result.Agents,
			Files:    r.result.Files,
			Errors:   r.result.Count(rules.Error),
			Warnings: r.result.Count(rules.Warning),
			Advice:   r.result.Count(rules.Advice),
		},
	}
	for i, d := range r.shown {
		out.Diagnostics[i] = jsonDiagnostic{
			Rule:     d.Rule,
			Severity: d.Severity.String(),
			Message:  oneLine(d.Message),
			Path:     d.File.Path,
			Start:    jsonPositionOf(d.Span.Start),
			End:      jsonPositionOf(d.Span.End),
			Pointer:  d.Pointer,
			Help:     oneLine(d.Help),
			Related:  jsonRelatedOf(d.Related),
			Fixes:    jsonFixesOf(d.Fix),
		}
	}
	return r.encode(out)
}

func jsonRelatedOf(related []rules.Related) []jsonRelated {
	var out []jsonRelated
	for _, r := range related {
		out = append(out, jsonRelated{
			Path:    r.File.Path,
			Start:   jsonPositionOf(r.Span.Start),
			End:     jsonPositionOf(r.Span.End),
			Message: oneLine(r.Message),
		})
	}
	return out
}

// jsonFixesOf is a list, since a format outlives that no finding has two fixes yet.
func jsonFixesOf(fix *rules.Fix) []jsonFix {
	if fix == nil {
		return nil
	}
	out := jsonFix{Message: oneLine(fix.Message), Safe: fix.Safe}
	for _, e := range fix.Edits {
		span := e.File.Span(e.Start, e.End)
		out.Edits = append(out.Edits, jsonEdit{e.File.Path, jsonPositionOf(span.Start), jsonPositionOf(span.End), e.Text})
	}
	return []jsonFix{out}
}

func jsonPositionOf(p source.Position) jsonPosition {
	return jsonPosition{Line: p.Line, Column: p.Column, Offset: p.Offset}
}

// encode writes a value as JSON.
func (r *report) encode(v any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return err
	}
	r.writeEscaped(b.Bytes())
	return nil
}

// writeEscaped writes JSON in which the characters that are not printable are
// escaped. The encoder escapes those of them that JSON must, but a path or a
// pointer may hold others that steer a terminal, and must not be altered.
func (r *report) writeEscaped(text []byte) {
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		switch {
		case c < 0x7f || isPrintable(c):
			r.Write(text[:size])
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(r, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(r, `\u%04x`, c)
		}
		text = text[size:]
	}
}
