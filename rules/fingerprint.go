package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Fingerprint tells a finding from others of its file, and is the same after edits
// elsewhere in the file: it hangs on the rule, on what is wrong, and on the keys
// that lead to the place, but neither on lines nor on how many items stand before.
func (d Diagnostic) Fingerprint() string {
	var keys []string
	for _, token := range strings.Split(d.Pointer, "/") {
		if strings.Trim(token, "0123456789") != "" {
			keys = append(keys, token)
		}
	}
	return Hash(d.Rule, strings.Join(keys, "/"), d.fault)
}

// Hash is a short hash of some parts.
func Hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
