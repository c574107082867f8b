package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gete-lint/gete/rules"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMessages holds what each rule says, its frames included, to a golden file:
// the text report of the rule's own case.
func TestMessages(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			c := readCase(t, filepath.Join(casesDir, rule.ID+".txtar"))
			got := gete(write(t, c.files), append([]string{"validate"}, c.args...)...).stdout
			got = strings.ReplaceAll(got, unauthorized(), "http://127.0.0.1:8080/mcp")
			for _, line := range strings.Split(got, "\n") {
				if strings.HasPrefix(line, "::") || strings.Contains(line, "%!") {
					t.Errorf("the line %q", line)
				}
			}
			golden := filepath.Join("..", "..", "testdata", "messages", rule.ID+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
