package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gete-lint/gete/rules"
)

// What the examples of the pages leave out, since it is the same everywhere.
var (
	agentKeys = []string{
		"name: helper", "display_name: Helper", "description: Answers questions.",
		"model: gemini-2.5-flash", "instruction: Be brief.",
	}
	geteKeys = []string{"version: 1", "project: example-project", "location: us-central1"}
)

const exampleAgent = "agents/helper/agent.yaml"

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// commandLine are the arguments of the gete validate that a section shows; none where
// it shows none. What stands for a server that wants a token becomes its address.
func commandLine(section string) []string {
	_, rest, ok := strings.Cut(section, "```sh\ngete validate ")
	if !ok {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	line = strings.ReplaceAll(line, "http://127.0.0.1:8080/mcp", unauthorized())
	var args []string
	for _, found := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		args = append(args, found[1]+found[2])
	}
	return args
}

// example is the project that the code blocks of a section show. A block is
// the file that its first line, a comment, names, and an agent.yaml without one.
func example(section string) map[string]string {
	files := map[string]string{}
	for _, block := range fence.FindAllStringSubmatch(section, -1) {
		name, text := exampleAgent, block[2]
		if strings.HasPrefix(text, "gete validate ") {
			continue // the command line
		}
		first, rest, _ := strings.Cut(text, "\n")
		if path, ok := strings.CutPrefix(first, "# "); ok && strings.ContainsAny(path, "./") && !strings.Contains(path, " ") {
			name, text = path, rest
		}
		files[name] = text
	}
	for name, text := range files {
		switch {
		case strings.HasSuffix(name, "/agent.yaml"):
			files[name] = complete(text, agentKeys)
		case strings.HasSuffix(name, "gete.yaml"):
			files[name] = complete(text, geteKeys)
		}
	}
	if files["gete.yaml"] == "" {
		files["gete.yaml"] = complete("", geteKeys)
	}
	return files
}

// complete puts the keys that a text does not have before it.
func complete(text string, keys []string) string {
	var missing strings.Builder
	for _, line := range keys {
		key, _, _ := strings.Cut(line, ":")
		if !regexp.MustCompile("(?m)^" + key + ":").MatchString(text) {
			missing.WriteString(line + "\n")
		}
	}
	return missing.String() + text
}

// TestPages holds every rule's page to its form, and runs its examples: what is
// under Bad fires the rule and nothing else, what is under Good is silent.
func TestPages(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			page, err := rule.Page()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(page, "# "+rule.ID+"\n\nSeverity: "+rule.Severity.String()+"\n") {
				t.Errorf("the page begins with %q", strings.SplitAfterN(page, "\n", 4)[:3])
			}
			_, rest, _ := strings.Cut(page, "\n## Bad\n")
			bad, good, ok := strings.Cut(rest, "\n## Good\n")
			if !ok || !strings.Contains(page, "\n## Why\n") {
				t.Fatal("the page lacks one of its sections: Why, Bad, Good")
			}
			run := func(section string) []string {
				args := append([]string{"validate", "--format", "json"}, commandLine(section)...)
				if rule.Severity == rules.Advice {
					args = append(args, "--rule", rule.ID+"=warning")
				}
				return found(t, gete(write(t, example(section)), args...).stdout)
			}
			fired := run(bad)
			if len(fired) == 0 {
				t.Error("the bad example is silent")
			}
			for _, line := range fired {
				if !strings.HasSuffix(line, " "+rule.ID) {
					t.Errorf("the bad example also has %s", line)
				}
			}
			if silent := run(good); len(silent) > 0 {
				t.Errorf("the good example has %s", silent)
			}
		})
	}
}
