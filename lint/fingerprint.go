package lint

import (
	"strconv"

	"github.com/gete-lint/gete/rules"
)

// Fingerprints are those of some diagnostics, in their order. Of several in a file
// that are alike, each has its own.
func Fingerprints(of []rules.Diagnostic) []string {
	type alike struct{ path, fingerprint string }
	seen := map[alike]int{}
	all := make([]string, len(of))
	for i, d := range of {
		a := alike{d.File.Path, d.Fingerprint()}
		all[i] = a.fingerprint
		if n := seen[a]; n > 0 {
			all[i] = rules.Hash(a.fingerprint, strconv.Itoa(n))
		}
		seen[a]++
	}
	return all
}
