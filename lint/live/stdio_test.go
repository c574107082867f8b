package live

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCommands(t *testing.T) {
	self := StdioScheme + `"` + os.Args[0] + `"`
	for _, c := range []struct{ server, url, want string }{
		{"banner", self, "wrote text to its standard output that is not MCP"},
		{"exits", self, "ended with exit status 3 before it answered: no database at /var/db"},
		{"hangs", self, "did not answer within 1.5s"},
		{"", StdioScheme + "no-such-command-for-sure", "could not be started: executable file not found"},
		{"", StdioScheme + "./no/such/file", "could not be started: "},
		{"", StdioScheme + " ", "names no command"},
		{"", StdioScheme + "a 'b", "has a quote in its command that does not end"},
	} {
		t.Run(c.server+c.url[len(StdioScheme):], func(t *testing.T) {
			t.Setenv(asServer, c.server)
			to := target(c.url)
			to.Timeout = 1500 * time.Millisecond
			if e := refused(t, to); !strings.HasPrefix(e.Message, c.want) {
				t.Errorf("got %q, want %q", e.Message, c.want)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		`npx  -y x`:           {"npx", "-y", "x"},
		`"/a b/c" 'd "e"' ""`: {"/a b/c", `d "e"`, ""},
		`a"b c"d`:             {"ab cd"},
		``:                    nil,
	} {
		if got, ok := split(line); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v", line, got, ok)
		}
	}
}

func TestTail(t *testing.T) {
	var end tail
	for range 100 {
		if _, err := end.Write([]byte(strings.Repeat("x", 99) + "y")); err != nil {
			t.Fatal(err)
		}
	}
	if got := end.String(); len(got) != maxTail || !strings.HasSuffix(got, "xy") {
		t.Errorf("got %d bytes", len(got))
	}
}
