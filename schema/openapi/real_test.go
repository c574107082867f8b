package openapi_test

import (
	"os"
	"path/filepath"
	"testing"
)

// descriptionsVariable names a folder with real descriptions to test with, *.json
// and *.yaml. Those of vendors are too large to keep here; some are in packages,
// such as @octokit/openapi of npm.
const descriptionsVariable = "GETE_DESCRIPTIONS"

// realDescriptions are the paths of the real descriptions. Without any, the test
// is skipped.
func realDescriptions(t testing.TB) []string {
	t.Helper()
	folder := os.Getenv(descriptionsVariable)
	if folder == "" {
		t.Skip(descriptionsVariable + " names no folder with descriptions")
	}
	var paths []string
	for _, pattern := range []string{"*.json", "*.yaml"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Fatal("no descriptions in " + folder)
	}
	return paths
}

// TestRealDescriptions compares what real descriptions are read as lazily and
// whole, for each operation.
func TestRealDescriptions(t *testing.T) {
	for _, path := range realDescriptions(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			checkSame(t, string(text))
			if filepath.Ext(path) == ".json" {
				checkSame(t, blockYAML(string(text)))
			}
		})
	}
}
