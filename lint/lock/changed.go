package lock

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gete-lint/gete/rules/narrow"
)

// Changed says, a line each, in what listings differ from those of a lock file.
func Changed(before, after map[string]*narrow.Listing) []string {
	all := maps.Clone(after)
	if all == nil {
		all = map[string]*narrow.Listing{}
	}
	maps.Copy(all, before)
	var lines []string
	for _, url := range slices.Sorted(maps.Keys(all)) {
		old, now := before[url], after[url]
		switch {
		case old == nil:
			lines = append(lines, fmt.Sprintf("added   %s (%d tools)", url, len(now.Tools)))
		case now == nil:
			lines = append(lines, "removed "+url)
		default:
			lines = append(lines, changedTools(url, old, now)...)
		}
	}
	return lines
}

func changedTools(url string, old, now *narrow.Listing) []string {
	names := append(old.Names(), now.Names()...)
	slices.Sort(names)
	var lines []string
	for _, name := range slices.Compact(names) {
		was, is := old.Named(name), now.Named(name)
		switch {
		case len(was) == 0:
			lines = append(lines, fmt.Sprintf("added   %s: %q", url, name))
		case len(is) == 0:
			lines = append(lines, fmt.Sprintf("removed %s: %q", url, name))
		case !same(was, is):
			lines = append(lines, fmt.Sprintf("changed %s: %q", url, name))
		}
	}
	return lines
}

// same says whether tools are the same but for their order and how their JSON is
// written.
func same(a, b []narrow.Listed) bool {
	return slices.EqualFunc(inForm(a), inForm(b), func(a, b tool) bool { return compare(a, b) == 0 })
}
