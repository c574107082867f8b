package openapi_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/gete-lint/gete/schema/openapi"
)

// selectFive reads a description and five operations spread over it, with all that
// a rule may ask of them.
func selectFive(text string) error {
	d, err := openapi.Open("api.yaml", text)
	if err != nil {
		return err
	}
	ids := d.OperationIDs()
	const selected = 5
	var some []string
	for i := range selected {
		some = append(some, ids[i*len(ids)/selected])
	}
	dump(d, some)
	return nil
}

// BenchmarkFiveOperations selects five operations of each real description of a
// megabyte and more, as it is and, of those in JSON, in block-style YAML, too.
func BenchmarkFiveOperations(b *testing.B) {
	for _, path := range realDescriptions(b) {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		if len(text) < 1<<20 {
			continue
		}
		run := func(name, text string) {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if err := selectFive(text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run(filepath.Base(path), string(text))
		if filepath.Ext(path) == ".json" {
			run(filepath.Base(path)+" as YAML", blockYAML(string(text)))
		}
	}
}

// selectVariable makes the test program select five operations of the file that it
// names, print how much memory it took for that in bytes, and do nothing else.
const selectVariable = "GETE_SELECT_FROM"

func TestMain(m *testing.M) {
	path := os.Getenv(selectVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = selectFive(string(text))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Print(stats.Sys)
}

// TestCost holds a whole process that selects five operations of a real
// description of up to 14 MB to half a second and 200 MiB, on two cores. The
// memory is what the process had from the system, which it never gives back as
// far as this number goes.
func TestCost(t *testing.T) {
	const mostTime, mostMemory = 500 * time.Millisecond, 200 << 20
	measure := func(name, path string, size int) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), selectVariable+"="+path, "GOMAXPROCS=2")
		cmd.Stderr = os.Stderr
		start := time.Now()
		out, err := cmd.Output()
		took := time.Since(start)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		memory, err := strconv.Atoi(string(out))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-24s %5.1f MB %4d ms %4d MiB", name, float64(size)/1e6, took.Milliseconds(), memory>>20)
		if took > mostTime || memory > mostMemory {
			t.Errorf("%s takes more than %v and %d MiB", name, mostTime, mostMemory>>20)
		}
	}
	for _, path := range realDescriptions(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < 1<<20 || len(text) > 14<<20 {
			continue
		}
		measure(filepath.Base(path), path, len(text))
		if filepath.Ext(path) == ".json" {
			made := filepath.Join(t.TempDir(), "made.yaml")
			text := blockYAML(string(text))
			if err := os.WriteFile(made, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			measure(filepath.Base(path)+" as YAML", made, len(text))
		}
	}
}
