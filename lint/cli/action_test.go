package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestAction runs the steps of action.yml as a runner does, with the script that they
// call and the environment that they give it.
func TestAction(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("bash of this machine may be that of WSL, which sees other paths")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	pathFile := filepath.Join(temp, "path")
	step := func(dir, name string, inputs ...string) (stdout, stderr string, code int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(root, ".github", "action.sh"), name)
		cmd.Dir = dir
		added, _ := os.ReadFile(pathFile) // not there before the first step
		cmd.Env = append(os.Environ(),
			"PATH="+strings.TrimSpace(string(added))+string(os.PathListSeparator)+os.Getenv("PATH"),
			"RUNNER_TEMP="+temp, "GITHUB_PATH="+pathFile, "GITHUB_WORKSPACE="+dir, "NO_COLOR=1",
			"GETE_SOURCE="+root, "GETE_VERSION=", "GETE_PATHS=.", "GETE_FORMAT=github", "GETE_SARIF_FILE=", "GETE_LIVE=false", "GETE_ARGS=")
		cmd.Env = append(cmd.Env, inputs...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	if stdout, stderr, code := step(temp, "install"); code != 0 || !strings.HasPrefix(stdout, "gete ") {
		t.Fatalf("install: exit code %d\n%s%s", code, stdout, stderr)
	}

	repository := t.TempDir()
	for name, project := range map[string]string{"good": "handbook", "two words": "slips"} {
		if err := os.CopyFS(filepath.Join(repository, name), os.DirFS(filepath.Join(root, "testdata", "projects", project))); err != nil {
			t.Fatal(err)
		}
	}
	const annotation = "::error file=two words/agents/team-search/agent.yaml,line=14,"
	for _, test := range []struct {
		name   string
		inputs []string
		code   int
		stdout []string // begin lines of standard output
		stderr string   // is in standard error
	}{
		{"everything", nil, 1, []string{annotation}, ""},
		{"a path", []string{"GETE_PATHS=good\n"}, 0, nil, "no problems"},
		{"paths", []string{"GETE_PATHS=\ngood\r\ntwo words"}, 1, []string{annotation}, "2 errors"},
		{"no path is a flag", []string{"GETE_PATHS=--fix"}, 2, nil, "--fix"},
		{"arguments", []string{"GETE_PATHS=two words", "GETE_ARGS=--rule=only-outside-allow=off\n--rule=host-not-allowed=off"}, 0, nil, ""},
		{"compact", []string{"GETE_FORMAT=compact"}, 1,
			[]string{"::add-matcher::" + root + "/.github/gete-matcher.json", "two words/agents/team-search/agent.yaml:14:9: error: "}, ""},
		{"live", []string{"GETE_LIVE=true", "GETE_PATHS=good", "GETE_TOKEN_GATEWAY="}, 0,
			[]string{"::warning file=good/agents/team-search/agent.yaml,line=10,"}, "2 warnings"},
		{"not a boolean", []string{"GETE_LIVE=yes"}, 2, []string{`::error::The input live is "yes"; expected true or false.`}, ""},
		{"no code", []string{"GETE_PATHS=$(touch ran)", "GETE_ARGS=`touch ran`"}, 2, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, code := step(repository, "validate", test.inputs...)
			if code != test.code || !strings.Contains(stderr, test.stderr) {
				t.Errorf("exit code %d, want %d\n%s%s", code, test.code, stdout, stderr)
			}
			for _, begin := range test.stdout {
				if !strings.Contains("\n"+stdout, "\n"+begin) {
					t.Errorf("no line begins %q\n%s", begin, stdout)
				}
			}
		})
	}
	if _, err := os.Stat(filepath.Join(repository, "ran")); err == nil {
		t.Error("an input ran as code")
	}

	t.Run("sarif", func(t *testing.T) {
		file := filepath.Join(temp, "report to upload.sarif")
		stdout, stderr, code := step(repository, "validate", "GETE_SARIF_FILE="+file)
		if code != 1 || !strings.Contains(stdout, annotation) {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sarif struct{ Version string }
		if err := json.Unmarshal(text, &sarif); err != nil || sarif.Version != "2.1.0" {
			t.Errorf("%v in %s", err, text)
		}
	})
}

// TestActionInputs holds action.yml to the script: every input reaches it, by the
// environment and not by its text.
func TestActionInputs(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../.github/action.sh")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Description string }
		Runs   struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	given := map[string]bool{}
	for _, step := range action.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an input is put into the text of a script: %s", step.Run)
		}
		for name, value := range step.Env {
			given[value] = true
			if !strings.Contains(string(script), "$"+name) {
				t.Errorf("the script does not read %s", name)
			}
		}
	}
	for name, input := range action.Inputs {
		if input.Description == "" {
			t.Errorf("the input %s has no description", name)
		}
		if name != "working-directory" && !given["${{ inputs."+name+" }}"] {
			t.Errorf("no step is given the input %s", name)
		}
	}
}
