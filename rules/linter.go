package rules

// The ids of the rules that the linter finds broken itself, when it applies
// suppressions.
const (
	IgnoreUnknown = "ignore-unknown"
	IgnoreUnused  = "ignore-unused"
)

func linter() []Rule {
	return []Rule{
		{ID: IgnoreUnknown, Severity: Warning, Summary: "A suppression names no rule."},
		{ID: IgnoreUnused, Severity: Warning, Summary: "A suppression suppresses nothing."},
	}
}
