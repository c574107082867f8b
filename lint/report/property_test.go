package report_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/mattn/go-runewidth"

	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/schema/source"
)

// checkText checks what holds for every text report without colour.
func checkText(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	for _, r := range text {
		if r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)) {
			t.Errorf("%U in:\n%s", r, text)
			break
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("a command: %q", line)
		}
	}
}

// columns is how wide a terminal shows a text.
func columns(s string) int {
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(s)
}

// An atom is a piece of source, and how it must be shown.
type atom struct {
	source, shown string
	columns       int
}

var atoms = []atom{
	{"a", "a", 1}, {" ", " ", 1}, {":", ":", 1}, {"~", "~", 1}, {"é", "é", 1},
	{"e\u0301", "e\u0301", 1}, {"\t", "    ", 4}, {"界", "界", 2}, {"🔍", "🔍", 2},
	{"👨‍👩‍👧", "👨‍👩‍👧", 2}, {"👍🏽", "👍🏽", 2}, {"각", "각", 2}, {"ｱ", "ｱ", 1},
	{"\x1b", `\x1b`, 4}, {"\x00", `\x00`, 4}, {"\x7f", `\x7f`, 4}, {"\u0085", `\u0085`, 6},
	{"\u2028", `\u2028`, 6}, {"\u200b", `\u200b`, 6}, {"\u202e", `\u202e`, 6}, {"\u00a0", `\u00a0`, 6},
	{"\xff", `\xff`, 4}, {"\ufffd", "\ufffd", 1},
}

// The caret stands below the first column of what it points at, and the
// underline is as wide as that is shown.
func TestCaret(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var line, shown []string
		var widths []int
		for range random.IntN(60) {
			a := atoms[random.IntN(len(atoms))]
			line, shown, widths = append(line, a.source), append(shown, a.shown), append(widths, a.columns)
		}
		from := random.IntN(len(line) + 1)
		to := min(from+random.IntN(4), len(line))
		text := "# above\n" + strings.Join(line, "") + "\n# below\n"
		start := len("# above\n") + len(strings.Join(line[:from], ""))
		f := file(text)
		r := result(finding(span(f, start, start+len(strings.Join(line[from:to], ""))), ""))

		before, under := 0, 0
		for i, w := range widths {
			if i < from {
				before += w
			} else if i < to {
				under += w
			}
		}
		got := write(t, "text", r, report.Options{Width: 1000})
		checkText(t, got)
		rows := strings.Split(got, "\n")
		whole := strings.TrimRight("   2 | "+strings.Join(shown, ""), " ")
		if rows[1] != whole && whole != "   2 |" {
			t.Fatalf("%q is shown as\n%q, want\n%q", text, rows[1], whole)
		}
		if want := "     | " + strings.Repeat(" ", before) + strings.Repeat("^", max(under, 1)); rows[2] != want {
			t.Fatalf("%q:\n%s\nwant the row\n%s", text, got, want)
		}

		const width = 40
		got = write(t, "text", r, report.Options{Width: width})
		checkText(t, got)
		rows = strings.Split(got, "\n")
		for _, row := range rows[1:3] {
			if columns(row) > width {
				t.Fatalf("%q is wider than the terminal:\n%s", text, got)
			}
		}
		if from == to {
			continue
		}
		// What is shown above the caret is what the place begins with.
		column, above := 0, ""
		for g := graphemes.FromString(rows[1]); g.Next(); column += columns(g.Value()) {
			if column == strings.Index(rows[2], "^") {
				above = rows[1][g.Start():]
			}
		}
		if visible := strings.TrimRight(shown[from], " "); !strings.HasPrefix(above, visible) {
			t.Fatalf("%q: the caret is not below %q:\n%s", text, visible, got)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("name: x\n", 0, 4, 6, 7, 40)
	f.Add("\ufeffa: \x1b[31m界\r\nb: \u2028\r::c", 3, 9, 4, 5, 20)
	f.Add("\u0301\u0301\u200d👨‍👩‍👧\xff\xf0\x9f", 1, 2, 3, 9, 0)
	f.Add(strings.Repeat("[\u0301\t", 300), 100, 700, 3, 900, 1)
	f.Fuzz(func(t *testing.T, text string, start, end, from, to, width int) {
		clamp := func(n, low int) int { return min(max(n, low), len(text)) }
		start, from = clamp(start, 0), clamp(from, 0)
		end, to = clamp(end, start), clamp(to, from)
		file := &source.File{Path: text[from:to], Text: text}
		place, other := span(file, start, end), span(file, from, to)
		d := finding(place, text[start:end], related(other, text[from:to]))
		d.Message, d.Help = "at "+text, text[start:]
		r := result(d)
		options := report.Options{Width: width % 200}
		checkText(t, write(t, "text", r, options))
		checkText(t, write(t, "compact", r, options))
		checkJSON(t, write(t, "json", r, options))

		// A secret that nothing else can hold is not shown.
		const secret = "κρυφό"
		hidden := &source.File{Path: "f", Text: text[:from] + secret + text[from:]}
		r = result(finding(span(hidden, min(start, from), from+len(secret)), "x"))
		r.Secrets = map[*source.File][]source.Span{hidden: {hidden.Span(from, from+len(secret))}}
		if !strings.ContainsAny(text, secret) {
			if got := write(t, "text", r, options); strings.ContainsAny(got, secret) {
				t.Errorf("the secret is shown:\n%s", got)
			}
		}
	})
}
