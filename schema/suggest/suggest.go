// Package suggest finds the name that a misspelt one was meant to be.
package suggest

import (
	"strings"
	"unicode"

	"github.com/hbollon/go-edlib"
)

// maxLength bounds the names that are compared: the distance of two names costs
// the product of their lengths.
const maxLength = 100

// shortest is the length from which a name says enough for one like it to be meant.
const shortest = 4

// Slip says whether name is meant but for one edit or two swapped letters, and for
// case, separators and invisible characters.
func Slip(name, meant string) bool {
	edits, near := distance(plain(name), plain(meant))
	return near && edits <= 1
}

// A Match is the name that a misspelt one is likely meant to be.
type Match struct {
	Name string // "" where there is none
	// Alone says that no other name is near, so that it can be no other.
	Alone bool
}

// Closest is the nearest of some names that a name is likely a slip for. Of
// several that are equally near it is the first. It is alone when it differs in
// nothing but what is easily mistaken, and when it is not very short and none of the
// others is near.
func Closest(name string, among []string) Match {
	var best Match
	bestDistance, near := maxLength, 0
	name = plain(name)
	for _, candidate := range among {
		d, isNear := distance(name, plain(candidate))
		switch {
		case !isNear || candidate == best.Name:
			continue
		case d < bestDistance:
			best.Name, bestDistance, near = candidate, d, near+1
			if d == 0 {
				near = 1
			}
		case d == 0 || bestDistance > 0:
			near++
		}
	}
	best.Alone = near == 1 && (bestDistance == 0 || len(name) >= shortest)
	return best
}

// Like is Closest, and where nothing is near, the first name that the given one
// begins or that begins it, which is never alone.
func Like(name string, among []string) Match {
	if closest := Closest(name, among); closest.Name != "" {
		return closest
	}
	for _, candidate := range among {
		short, long := plain(name), plain(candidate)
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) >= shortest && strings.HasPrefix(long, short) {
			return Match{Name: candidate}
		}
	}
	return Match{}
}

// distance counts edits, two swapped letters as one, and says whether they are
// few enough for the length of the names.
func distance(a, b string) (edits int, near bool) {
	if a == b {
		return 0, true
	}
	longer := max(len(a), len(b))
	if longer > maxLength {
		return 0, false
	}
	allowed := 1
	switch {
	case longer > 9:
		allowed = 3
	case longer > 4:
		allowed = 2
	}
	if difference := len(a) - len(b); difference > allowed || -difference > allowed {
		return 0, false
	}
	edits = edlib.OSADamerauLevenshteinDistance(a, b)
	return edits, edits <= allowed && edits < min(len(a), len(b))
}

// plain is a name without what is easily mistaken: case, separators, and
// characters that cannot be seen.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' || Invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// Invisible says whether a character cannot be seen, or not be told from an
// ordinary space: formats, controls, and every space but U+0020.
func Invisible(r rune) bool {
	return r != ' ' && (unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zs, unicode.Zl, unicode.Zp) || r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || unicode.Is(unicode.Variation_Selector, r))
}
