package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// GitHub's description of its API, which its package on npm holds.
const (
	descriptionPackage = "@octokit/openapi"
	descriptionFile    = "package/generated/api.github.com.json"
)

// benchDescriptions measures runs over an agent that selects five operations of
// a large description, as JSON and as block-style YAML, where npm can fetch it.
func benchDescriptions(linter, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	fetch := exec.Command("npm", "pack", "--silent", descriptionPackage)
	fetch.Dir = dir
	archive, err := fetch.Output()
	if err != nil {
		fmt.Printf("\nskipped: the description that operations are selected from cannot be fetched: %v\n", err)
		return nil
	}
	unpack := exec.Command("tar", "-xzf", strings.TrimSpace(string(archive)), descriptionFile)
	unpack.Dir = dir
	if out, err := unpack.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot unpack %s: %w\n%s", descriptionPackage, err, out)
	}
	original := filepath.Join(dir, filepath.FromSlash(descriptionFile))
	agent := filepath.Join(dir, "project", "agents", "helper")
	if err := writeFile(filepath.Join(dir, "project", "gete.yaml"), geteYAML); err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nfive operations of\tsize\tgete\tpeak memory\t")
	for _, form := range []struct {
		name string
		make func(from, to string) error
	}{{"api.json", copyFile}, {"api.yaml", jsonToYAML}} {
		description := filepath.Join(agent, form.name)
		if err := writeFile(filepath.Join(agent, "agent.yaml"), fmt.Sprintf(fiveOperations, form.name)); err != nil {
			return err
		}
		if err := form.make(original, description); err != nil {
			return err
		}
		info, err := os.Stat(description)
		if err != nil {
			return err
		}
		// Their ids cannot name tools, which is not what is measured.
		median, memory, err := measure(linter, "validate", "--quiet", "--rule", "operation-name=off", filepath.Join(dir, "project"))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%.1f MB\t%.1f ms\t%d MiB\t\n", form.name, float64(info.Size())/1e6, milliseconds(median), memory>>20)
	}
	return w.Flush()
}

const fiveOperations = `name: helper
display_name: Helper
description: Works on issues.
model: gemini-2.5-flash
instruction: Be brief.
connections: [github]
tools:
  - openapi:
      spec: ./%s
      connection: github
      base_url: https://api.github.com
      operations: [issues/list-for-repo, issues/create, issues/update, pulls/list, repos/get]
      only:
        issues/create: [owner, repo, title, body]
        pulls/list: [owner, repo, state]
`

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// jsonToYAML writes JSON as block-style YAML.
func jsonToYAML(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bufio.NewReader(in))
	d.UseNumber()
	w := bufio.NewWriter(out)
	if err := blockValue(d, w, ""); err != nil {
		out.Close()
		return err
	}
	if err := w.Flush(); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// blockValue writes the next JSON value behind a key or a dash.
func blockValue(d *json.Decoder, w *bufio.Writer, indent string) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	opening, nested := t.(json.Delim)
	if !nested {
		text, err := json.Marshal(t)
		fmt.Fprintf(w, " %s\n", text)
		return err
	}
	if !d.More() {
		fmt.Fprintf(w, " %s\n", map[json.Delim]string{'{': "{}", '[': "[]"}[opening])
	} else {
		fmt.Fprintln(w)
	}
	for d.More() {
		if opening == '[' {
			fmt.Fprint(w, indent, "-")
		} else {
			key, err := d.Token()
			if err != nil {
				return err
			}
			text, err := json.Marshal(key)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s%s:", indent, text)
		}
		if err := blockValue(d, w, indent+"  "); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
