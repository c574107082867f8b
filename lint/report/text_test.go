package report_test

import (
	"strings"
	"testing"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/schema/source"
)

func TestText(t *testing.T) {
	one := func(text, needle, label string) *lint.Result {
		return result(finding(at(file(text), needle), label))
	}
	long := "allow: [" + strings.Repeat("tool_of_many, ", 40) + "serch, " + strings.Repeat("further_tool, ", 40) + "search]"
	tests := []struct {
		name   string
		width  int
		result *lint.Result
	}{
		{"related", 0, result(onlyOutsideAllow())},
		{"related-narrow", 40, result(onlyOutsideAllow())},
		{"related-files", 0, relatedFiles()},
		{"adjacent", 0, func() *lint.Result {
			f := file(agent)
			return result(finding(at(f, "url"), "one", related(at(f, "connection"), "two lines on"), related(at(f, "allow"), "next")))
		}()},
		{"gutter", 0, func() *lint.Result {
			f := file(strings.Repeat("- item\n", 99) + "- last\n")
			return result(finding(at(f, "last"), "", related(span(f, 9, 13), "the second")))
		}()},
		{"same-line", 0, func() *lint.Result {
			f := file("allow: [search, get_page, search]\n")
			return result(
				finding(span(f, 26, 32), "named again", related(span(f, 8, 14), "first")),
				finding(span(f, 26, 32), "named again", related(span(f, 8, 14), "named here for the first time")),
				finding(span(f, 8, 32), "all of it", related(span(f, 16, 24), "a part"), related(span(f, 26, 32), "another")),
				finding(span(f, 8, 14), "", related(span(f, 16, 24), ""), related(span(f, 26, 32), "three")),
				finding(span(f, 8, 14), "the same", related(span(f, 8, 14), "place")),
			)
		}()},
		{"several-lines", 0, func() *lint.Result {
			f := file("only:  # why  \n  search:\n  - query\nname: x\n")
			return result(finding(span(f, 0, 34), "from here on"), finding(span(f, 5, 34), ""), finding(span(f, 14, 34), "from the line end"))
		}()},
		{"empty-span", 0, func() *lint.Result {
			f := file("name: x\n")
			return result(finding(span(f, 6, 6), "a value"), finding(span(f, 7, 7), "the line end"))
		}()},
		{"file-end", 0, func() *lint.Result {
			f, g, h := file("name: [x\n"), file("name: [x"), file("\n\n")
			return result(
				finding(span(f, 9, 9), "the list does not end", related(at(f, "["), "it opens here")),
				finding(span(g, 8, 8), "the list does not end", related(at(g, "["), "it opens here")),
				finding(span(h, 2, 2), ""),
			)
		}()},
		{"empty-file", 0, func() *lint.Result {
			f, g := file(""), file("\ufeff")
			help := finding(span(f, 0, 0), "")
			help.Help = "write a name"
			return result(help, finding(span(f, 0, 0), "nothing here"), finding(span(g, 0, 0), ""))
		}()},
		{"tab", 0, one("a:\t\tb\t# c\n", "b", "after two tabs")},
		{"tab-span", 0, one("a:\tb\tc\n", "b\tc", "with a tab")},
		{"wide", 0, one("名前: 検索ツール # 🔍\n", "検索", "two columns each")},
		{"emoji", 0, one("name: \"👨‍👩‍👧 ❤️ 🇩🇪 👍🏽\" x\n", "x", "after four")},
		{"combining", 0, one("name: e\u0301te\u0301 x\n", "x", "after two marks")},
		{"combining-inside", 0, one("name: e\u0301t\n", "\u0301", "on its letter")},
		{"combining-alone", 0, one("\u0301a: b\n", "b", "after a mark alone")},
		{"zero-width", 0, one("sea\u200brch\u200d: \u202ex\n", "x", "after the invisible")},
		{"crlf", 0, one("a: 1\r\nb: 2\r\n", "2", "second line")},
		{"crlf-end", 0, func() *lint.Result {
			f := file("a: 1\r\nb: 2\r\n")
			return result(finding(span(f, 4, 5), "CR"), finding(span(f, 5, 6), "LF"), finding(span(f, 12, 12), "end"))
		}()},
		{"cr", 0, one("a: 1\rb: 2\r", "2", "second line")},
		{"bom", 0, one("\ufeffname: x\n", "name", "first")},
		{"control", 0, one("a: \x1b[31m\x07\x00\x7f\u009b x\n", "x", "after controls")},
		{"no-break", 0, one("a:\u00a0b\u3000c\n", "c", "after two spaces")},
		{"line-separators", 0, one("a: \u2028\u2029\u0085 x\n", "x", "still line one")},
		{"not-utf8", 0, one("a: \xff\xe4\xb8 x\n", "x", "after three bytes")},
		{"long", 80, one(long, "serch", "no tool")},
		{"long-start", 80, one(long, "allow", "this key")},
		{"long-end", 80, one(long, "search]", "the end")},
		{"long-40", 40, one(long, "serch", "no tool")},
		{"long-span", 40, one("description: \""+strings.Repeat("word ", 100)+"\"", "\""+strings.Repeat("word ", 100)+"\"", "too long")},
		{"long-label", 40, one("description: a value  ", "value", "is described at such length that it fits nowhere")},
		{"long-wide", 40, one(strings.Repeat("検", 100)+"索"+strings.Repeat("検", 100), "索", "here")},
		{"long-apart", 60, func() *lint.Result {
			f := file(long)
			return result(finding(at(f, "search]"), "misspelled as", related(at(f, "serch"), "this"), related(at(f, "tool_of"), "")))
		}()},
		{"label-below", 40, one("      description: some value", "value", "that is far too long")},
		{"secret", 0, secrets()},
		{"command", 0, func() *lint.Result {
			f := &source.File{Path: "::error::x\n::y", Text: "::warning::z\n"}
			d := finding(span(f, 0, 2), "::notice::label")
			d.Message, d.Help = "a\n::error::b\x1b[0m", "c\r\n::error::d"
			g := &source.File{Path: ":", Text: "::"}
			h := &source.File{Path: " ::debug::", Text: "::"}
			return result(d, finding(span(g, 0, 1), ""), finding(span(h, 0, 1), ""))
		}()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := write(t, "text", tt.result, report.Options{Width: tt.width})
			checkText(t, got)
			if strings.Contains(got, " \n") {
				t.Errorf("white space at the end of a line:\n%s", got)
			}
			golden(t, "text-"+tt.name, got)
		})
	}
}

func relatedFiles() *lint.Result {
	f := file(agent)
	g := &source.File{Path: "gete.yaml", Text: strings.Repeat("# a comment\n", 120) + "connections:\n  workspace:\n    app: {}\n"}
	h := &source.File{Path: "specs/missing.json"}
	return result(finding(at(f, "workspace"), "refused",
		related(at(g, "workspace"), "declared here"), related(at(f, "url"), "for this server"),
		related(at(g, "app"), "with this"), related(span(h, 0, 0), "")))
}

func secrets() *lint.Result {
	f := file("headers:\n  Authorization: \"Bearer t0psecret界é\"\n  X-Key: |\n    t0psecret1\n    t0psecret2\nurl: x\n")
	d := finding(at(f, "\"Bearer t0psecret界é\""), "a literal credential", related(at(f, "t0psecret2"), ""), related(at(f, "t0psecret1\n"), "block"))
	r := result(d)
	secret := func(text string) source.Span { return at(f, text).Span }
	r.Secrets = map[*source.File][]source.Span{f: {secret("t0psecret界é"), secret("t0psecret1\n    t0psecret2")}}
	return r
}

func TestSecretsAreMasked(t *testing.T) {
	for _, format := range report.Formats() {
		for _, width := range []int{0, 40} {
			if got := write(t, format, secrets(), report.Options{Width: width}); strings.Contains(got, "t0p") || strings.Contains(got, "界") {
				t.Errorf("%s:\n%s", format, got)
			}
		}
	}
}

// A line of megabytes costs what the terminal shows of it.
func BenchmarkText(b *testing.B) {
	long := strings.Repeat("[\"検\", \u0301", 1<<18)
	for _, bench := range []struct {
		name string
		text string
	}{{"short", agent}, {"4MiB", long}} {
		f := file(bench.text)
		r := result()
		for i := range 1000 {
			start := i * len(f.Text) / 1000
			r.Diagnostics = append(r.Diagnostics, finding(span(f, start, start+5), "here", related(span(f, 0, 1), "there")))
		}
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				if err := report.Write("text", discard{}, r, report.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
