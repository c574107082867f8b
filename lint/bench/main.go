// Command bench measures whole runs of gete against what they cannot be faster
// than, and prints the ratios:
//
//	go run ./lint/bench
//
// It builds gete, writes projects of agents of 60 lines into a temporary folder,
// and runs gete over them. Beside it runs itself, as a program that links the
// same packages and does nothing, and as one that parses the same files with
// goccy/go-yaml on all cores.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/goccy/go-yaml/parser"
	"golang.org/x/sync/errgroup"

	_ "github.com/gete-lint/gete/lint/cli" // what gete links
)

// What the program is run as, by its first argument.
const (
	asNothing = "nothing"
	asParser  = "parse"
)

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case asNothing:
			return
		case asParser:
			exitOn(parseAll(os.Args[2]))
			return
		case "proxy":
			exitOn(benchProxy(len(os.Args) > 2 && os.Args[2] == "race"))
			return
		}
	}
	exitOn(run())
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	tmp, err := os.MkdirTemp("", "gete-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	linter := filepath.Join(tmp, "gete.exe")
	if out, err := exec.Command("go", "build", "-o", linter, "github.com/gete-lint/gete").CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build gete: %w\n%s", err, out)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Printf("%d cores, the median of several runs of the whole process\n\n", runtime.GOMAXPROCS(0))
	fmt.Fprintln(w, "agents\tgete\tbare parse\tratio\tpeak memory\t")
	medians := map[int]time.Duration{}
	for _, agents := range []int{1, 100, 1000} {
		dir := filepath.Join(tmp, fmt.Sprint(agents))
		if err := writeProject(dir, agents); err != nil {
			return err
		}
		gete, memory, err := measure(linter, "validate", "--quiet", dir)
		if err != nil {
			return err
		}
		parse, _, err := measure(self, asParser, dir)
		if err != nil {
			return err
		}
		medians[agents] = gete
		fmt.Fprintf(w, "%d\t%.1f ms\t%.1f ms\t%.2f\t%d MiB\t\n", agents, milliseconds(gete), milliseconds(parse), float64(gete)/float64(parse), memory>>20)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	nothing, _, err := measure(self, asNothing)
	if err != nil {
		return err
	}
	fmt.Printf("\n1000 agents take %.1f times as long as 100\n", float64(medians[1000])/float64(medians[100]))
	fmt.Printf("one agent takes %.1f ms, %.1f ms more than a process that does nothing\n", milliseconds(medians[1]), milliseconds(medians[1]-nothing))
	if err := benchEditor(linter, filepath.Join(tmp, "editor"), 200); err != nil {
		return err
	}
	return benchDescriptions(linter, filepath.Join(tmp, "descriptions"))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// runs is how often each command is run; the first of them warms the caches.
const runs = 15

// measure runs a program, and is the median of the wall times and the most memory
// that a run took, in bytes.
func measure(program string, args ...string) (median time.Duration, memory int64, err error) {
	var times []time.Duration
	for range runs + 1 {
		cmd := exec.Command(program, args...)
		cmd.Stderr = os.Stderr
		begin := time.Now()
		if err := cmd.Run(); err != nil {
			return 0, 0, fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), err)
		}
		times = append(times, time.Since(begin))
		memory = max(memory, peakMemory(cmd.ProcessState))
	}
	times = times[1:]
	slices.Sort(times)
	return times[len(times)/2], memory, nil
}

// parseAll parses every YAML file below a folder with the library, on all cores.
func parseAll(dir string) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		group.Go(func() error {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			_, err = parser.ParseBytes(text, 0)
			return err
		})
		return nil
	})
	return errors.Join(err, group.Wait())
}

const geteYAML = "version: 1\nproject: example-project\nlocation: us-central1\n"

// writeProject writes a sound project of agents of 60 lines.
func writeProject(dir string, agents int) error {
	if err := writeFile(filepath.Join(dir, "gete.yaml"), geteYAML); err != nil {
		return err
	}
	for i := range agents {
		name := fmt.Sprintf("agent-%04d", i)
		var b strings.Builder
		fmt.Fprintf(&b, "name: %s\ndisplay_name: Agent %d\n", name, i)
		b.WriteString("description: Answers questions about the team's handbook and its tickets.\nmodel: gemini-2.5-flash\n")
		b.WriteString("instruction: |\n  Answer from the handbook and cite the page.\n  Say so when you do not know.\n")
		b.WriteString("connections: [github]\ntools:\n")
		for block := range 4 {
			fmt.Fprintf(&b, "  - mcp:\n      url: https://mcp%d.example.com/mcp\n      effect: read\n", block)
			fmt.Fprintf(&b, "      allow: [search_%d, get_page_%d, list_spaces_%d]\n", block, block, block)
			b.WriteString("      does_not: Does not create, update or approve anything.\n      params:\n")
			fmt.Fprintf(&b, "        search_%d:\n          scope: {value: team-handbook}\n          limit: {value: 25}\n", block)
			fmt.Fprintf(&b, "      only:\n        search_%d: [query, cursor]\n        get_page_%d: [page_id]\n", block, block)
		}
		b.WriteString("runtime:\n  agent_engine:\n    env: {COMPANY_ID: \"123456\"}\n")
		if err := writeFile(filepath.Join(dir, "agents", name, "agent.yaml"), b.String()); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
