package pyregex_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gete-lint/gete/schema/pyregex"
)

// A golden is a line of golden data: a verdict and the texts it is about.
type golden struct {
	line    int
	verdict string
	texts   []string
}

// readGolden reads a file of golden data, whose header says how it is made.
func readGolden(t testing.TB, file string, texts int) []golden {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		g := golden{line: i + 1}
		var rest string
		g.verdict, rest, _ = strings.Cut(line, " ")
		for rest != "" {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("%s:%d: %v", file, g.line, err)
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("%s:%d: %v", file, g.line, err)
			}
			g.texts = append(g.texts, text)
			rest = strings.TrimPrefix(rest[len(quoted):], " ")
		}
		if len(g.texts) != texts {
			t.Fatalf("%s:%d: %d texts, want %d", file, g.line, len(g.texts), texts)
		}
		all = append(all, g)
	}
	return all
}

func goldenPatterns(t testing.TB) []golden  { return readGolden(t, "testdata/patterns.txt", 1) }
func goldenTemplates(t testing.TB) []golden { return readGolden(t, "testdata/templates.txt", 2) }

func TestParse(t *testing.T) {
	for _, g := range goldenPatterns(t) {
		p, err := pyregex.Parse(g.texts[0])
		got := "bad"
		if err == nil {
			got = strconv.Itoa(p.Groups)
		}
		if got != g.verdict {
			t.Errorf("line %d: %q: got %s (%v), Python says %s", g.line, g.texts[0], got, err, g.verdict)
		}
	}
}

func TestTemplate(t *testing.T) {
	for _, g := range goldenTemplates(t) {
		p, err := pyregex.Parse(g.texts[0])
		if err != nil {
			t.Fatalf("line %d: %v", g.line, err)
		}
		err = p.Template(g.texts[1])
		if got := templateVerdict(t, err); got != g.verdict {
			t.Errorf("line %d: %q with %q: got %s (%v), Python says %s", g.line, g.texts[1], g.texts[0], got, err, g.verdict)
		}
	}
}

// templateVerdict returns the verdict that an error of Template stands for.
func templateVerdict(t *testing.T, err error) string {
	t.Helper()
	var group *pyregex.GroupError
	var fault *pyregex.Error
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &group):
		return "group"
	case errors.As(err, &fault):
		return "bad"
	}
	t.Fatalf("unexpected error %T", err)
	return ""
}

func TestNames(t *testing.T) {
	p, err := pyregex.Parse(`(a)(?P<x>b(?P<y>c))(?:d)(e)`)
	if err != nil {
		t.Fatal(err)
	}
	if p.Groups != 4 || len(p.Names) != 2 || p.Names["x"] != 2 || p.Names["y"] != 3 {
		t.Errorf("got %d groups, names %v", p.Groups, p.Names)
	}
}

func TestMessages(t *testing.T) {
	long := strings.Repeat("-", 1000)
	tests := []struct {
		pattern string
		offset  int
		message string
	}{
		{`é(a`, 1, `no ) closes the group opened here`},
		{`a)`, 1, `this ) closes no group`},
		{`(?#a`, 0, `no ) closes the comment opened here`},
		{`a[b`, 1, `no ] closes the set opened here`},
		{`a\`, 1, `nothing follows the last backslash`},
		{`a|*`, 2, `there is nothing before * to repeat`},
		{`^*`, 1, `* cannot repeat a position`},
		{`a*{2}`, 2, `{ follows another quantifier`},
		{`a{3,2}`, 1, `the repetition has a minimum of 3 above its maximum of 2`},
		{`a{4294967295}`, 1, `the repetition count is too large`},
		{`(?t)a*`, 5, `flag t allows no quantifier`},
		{`\p{L}`, 0, `unknown escape \p`},
		{`[\8]`, 1, `unknown escape \8`},
		{`\x4`, 0, `\x needs 2 hexadecimal digits`},
		{`\U00110000`, 0, `\U00110000 is above the last code point, U+10FFFF`},
		{`\400`, 0, `octal escape \400 is above \377`},
		{`\N`, 0, `\N needs a character name in braces`},
		{`\N{}`, 3, `the character name is empty`},
		{`\N{a_b}`, 0, `there is no character "a_b"`},
		{`[b-a]`, 1, `the range ends with 'a', which is before 'b'`},
		{`[\d-a]`, 1, `a range cannot start or end with a set of characters`},
		{`\1`, 0, `there is no group 1 before this`},
		{`(\1)`, 1, `group 1 refers to itself`},
		{`(?P=n)`, 4, `there is no group "n" before this`},
		{`(?P<n`, 4, `no > ends the group name`},
		{`(?P<1>a)`, 4, `group name "1" is not an identifier`},
		{`(?P<` + long + `>a)`, 4, `group name "` + long[:40] + `..." is not an identifier`},
		{`(?P<n>a)(?P<n>b)`, 12, `group name "n" is already that of group 1`},
		{`(?<n>a)`, 0, `a named group starts with (?P<, not with (?<`},
		{`(?<1>a)`, 0, `no group starts with "(?<1"`},
		{`a(?&n)`, 1, `no group starts with "(?&"`},
		{`(?P`, 0, `the pattern ends right after (?P`},
		{`(?(n)a)`, 3, `there is no group "n" before this`},
		{`(?(0)a)`, 3, `"0" is neither a group name nor a group number`},
		{`(?(2)a)()`, 3, `there is no group 2`},
		{`()(?(1)a|b|c)`, 10, `a conditional has no third branch`},
		{`a(?i)b`, 1, `flags for the whole pattern must stand at its start`},
		{`(?L)`, 2, `flag L is for bytes patterns only`},
		{`(?iy)`, 3, `unknown flag "y"`},
		{`(?-)`, 3, `a flag is missing before ")"`},
		{`(?i`, 3, `the pattern ends within the flags of a group`},
		{`(?-a:b)`, 3, `flag a cannot be turned off`},
		{`(?au)`, 0, `flags a and u exclude each other`},
		{`(?au:b)`, 0, `flags a and u exclude each other`},
		{`(?t:a)`, 0, `flag t cannot be limited to a group`},
		{`(?i-i:a)`, 0, `a flag is both turned on and turned off`},
		{`a(?<=b*)`, 1, `the look-behind does not have a fixed width`},
		{`(?<=a{4294967294}bc)`, 0, `the look-behind is too wide`},
		{`(a(?<=(?(1)b|c)))`, 9, `a look-behind cannot refer to group 1, which is around it`},
		{`(?<=(a)\1)`, 7, `a look-behind cannot refer to group 1, which is not before it`},
	}
	for _, test := range tests {
		_, err := pyregex.Parse(test.pattern)
		var fault *pyregex.Error
		if !errors.As(err, &fault) {
			t.Errorf("%q: got %v", test.pattern, err)
			continue
		}
		if fault.Message != test.message || fault.Offset != test.offset {
			t.Errorf("%q: got %q at %d, want %q at %d", test.pattern, fault.Message, fault.Offset, test.message, test.offset)
		}
	}
}

func TestTemplateMessages(t *testing.T) {
	p, err := pyregex.Parse(`(a)`)
	if err != nil {
		t.Fatal(err)
	}
	for replacement, want := range map[string]string{
		`x\q`:       `unknown escape \q (offset 1)`,
		`\g1`:       `\g needs a group name in angle brackets (offset 0)`,
		`\g<>`:      `the group name is empty (offset 3)`,
		`\g<a b>`:   `"a b" is neither a group name nor a group number (offset 3)`,
		`\2`:        `the pattern has no group "2"`,
		`\g<02>`:    `the pattern has no group "02"`,
		`\g<n>`:     `the pattern has no group "n"`,
		`\1 \g<1>\`: `nothing follows the last backslash (offset 8)`,
	} {
		if err := p.Template(replacement); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", replacement, err, want)
		}
	}
}

// TestUndecided checks that what cannot be decided is no fault.
func TestUndecided(t *testing.T) {
	if _, err := pyregex.Parse(`[\N{NO SUCH CHARACTER}-a]`); err != nil {
		t.Errorf("unknown character name: %v", err)
	}
	for _, open := range []string{"(", "(?:", "(?=", "(?<=", "(?>", "(?i:", "(?(1)"} {
		nested := func(n int) string { return "()" + strings.Repeat(open, n) + strings.Repeat(")", n) }
		if p, err := pyregex.Parse(nested(250)); err != nil || p.Undecided {
			t.Errorf("250 of %s: got %v, %v", open, p, err)
		}
		p, err := pyregex.Parse(nested(251))
		if err != nil || !p.Undecided {
			t.Errorf("251 of %s: got %v, %v", open, p, err)
			continue
		}
		if err := p.Template(`\7\g<n>`); err != nil {
			t.Errorf("251 of %s: a group that may exist: %v", open, err)
		}
		if err := p.Template(`\q`); err == nil {
			t.Errorf("251 of %s: a bad escape passes", open)
		}
	}
}

// TestIntDigits checks the limit of Python's int() on the number of digits,
// for which the golden data has no room.
func TestIntDigits(t *testing.T) {
	for digits, ok := range map[int]bool{4300: true, 4301: false} {
		one := strings.Repeat("0", digits-1) + "1"
		for _, pattern := range []string{"a{" + one + "}", "a{0," + one + "}", "()(?(" + one + ")a)", "()(?(+" + one + ")a)"} {
			if _, err := pyregex.Parse(pattern); (err == nil) != ok {
				t.Errorf("%d digits in %.10s...: got %v", digits, pattern, err)
			}
		}
	}
}

// TestLong checks that long patterns need no more than linear time. With a
// quadratic parser it would take far longer than a second.
func TestLong(t *testing.T) {
	const size = 100_000
	for _, unit := range []string{
		"a", "(", "()", ")", "{", "{1", "a{1,", "[", "[a-", "[]", "|", "a|", "a*", "#", `\`, `\1`, `()\1`, "(?:", "(?#",
		"(?P<", "(?P<n>", "(?P=", "(?(1)", "(?(9)a)", "(?i", "(?<=", "(?<=a)", "(?x:", `\N{`, "𝟿", "9", "_", " ",
	} {
		for _, before := range []string{"", "(?x)", "[", "(?P<", "()(?(", "a{"} {
			text := before + strings.Repeat(unit, size/len(unit))
			if p, err := pyregex.Parse(text); err == nil {
				_ = p.Template(text)
			}
			if _, err := pyregex.Parse(text + ")"); err != nil && len(err.Error()) > 300 {
				t.Errorf("%s%s...: the message has %d bytes", before, unit, len(err.Error()))
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, g := range goldenPatterns(f) {
		f.Add(g.texts[0], `\1`)
	}
	for _, g := range goldenTemplates(f) {
		f.Add(g.texts[0], g.texts[1])
	}
	f.Fuzz(func(t *testing.T, pattern, replacement string) {
		p, err := pyregex.Parse(pattern)
		if err != nil {
			checkOffset(t, err, pattern)
			return
		}
		if p.Groups > strings.Count(pattern, "(") || len(p.Names) > p.Groups {
			t.Errorf("%q: %d groups, names %v", pattern, p.Groups, p.Names)
		}
		for name, number := range p.Names {
			if number < 1 || number > p.Groups {
				t.Errorf("%q: group %q has number %d of %d", pattern, name, number, p.Groups)
			}
		}
		if err := p.Template(replacement); templateVerdict(t, err) == "bad" {
			checkOffset(t, err, replacement)
		}
	})
}

// checkOffset checks that an error is an *Error that points into the text.
func checkOffset(t *testing.T, err error, text string) {
	t.Helper()
	var fault *pyregex.Error
	if !errors.As(err, &fault) {
		t.Fatalf("%q: unexpected error %T", text, err)
	}
	if fault.Offset < 0 || fault.Offset > utf8.RuneCountInString(text) {
		t.Errorf("%q: offset %d", text, fault.Offset)
	}
}
