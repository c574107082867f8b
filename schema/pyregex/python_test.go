package pyregex_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
)

// TestPython checks the golden data against Python, where version 3.11 is
// installed.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	patterns, templates := goldenPatterns(t), goldenTemplates(t)
	var request struct {
		Patterns  []string   `json:"patterns"`
		Templates [][]string `json:"templates"`
	}
	for _, g := range patterns {
		request.Patterns = append(request.Patterns, g.texts[0])
	}
	for _, g := range templates {
		request.Templates = append(request.Templates, g.texts)
	}
	input, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "testdata/verdicts.py")
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Version   string
		Patterns  []string
		Templates []string
	}
	if err := json.Unmarshal(output, &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Version != "3.11" {
		t.Skipf("the golden data is of Python 3.11, and python3 is %s", reply.Version)
	}
	compare(t, patterns, reply.Patterns)
	compare(t, templates, reply.Templates)
}

// compare compares golden verdicts with those of Python.
func compare(t *testing.T, all []golden, verdicts []string) {
	t.Helper()
	if len(verdicts) != len(all) {
		t.Fatalf("%d verdicts on %d lines", len(verdicts), len(all))
	}
	for i, g := range all {
		if g.verdict != verdicts[i] {
			t.Errorf("line %d: %q: the golden data says %s, Python says %s", g.line, g.texts, g.verdict, verdicts[i])
		}
	}
}
