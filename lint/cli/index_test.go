package cli_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gete-lint/gete/rules"
)

// TestIndex holds the index of the rules' pages to the rules; with -update it writes it.
func TestIndex(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The rules\n\nEach has a page: why it is there, an example that it finds, and one that it does not.\n`gete explain RULE` prints it. A rule of severity advice is off unless asked for.\n\n")
	b.WriteString("| rule | severity | what it finds |\n|---|---|---|\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "| [%s](pages/%s.md) | %s | %s |\n", r.ID, r.ID, r.Severity, strings.ReplaceAll(r.Summary, "|", `\|`))
	}
	const path = "../../rules/README.md"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != b.String() {
		t.Errorf("%s is not current: run go test ./lint/cli -run TestIndex -update", path)
	}
}
