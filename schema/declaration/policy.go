package declaration

import (
	"github.com/gete-lint/gete/schema/source"
)

// A PolicyFile is a file of policies.
type PolicyFile struct {
	*Document
	Policies []Policy
}

// A Policy is one policy. Values that are left out, or that the schema refuses,
// are nil.
type Policy struct {
	Name *source.Node
	// DenyTools and Confirm are the tools that deny_tools and
	// require_confirmation name.
	DenyTools, Confirm []*source.Node
	Patterns           []Pattern
}

// A Pattern is one of the texts that a policy redacts.
type Pattern struct {
	Pattern, Replacement *source.Node
}

// NewPolicyFile is what a policy file declares.
func NewPolicyFile(d *Document) *PolicyFile {
	f := &PolicyFile{Document: d}
	for _, item := range d.items(d.at()) {
		p := Policy{Name: d.get(item, "name"), DenyTools: d.items(d.get(item, "deny_tools")), Confirm: d.items(d.get(item, "require_confirmation"))}
		for _, entry := range d.items(d.get(d.get(item, "redact"), "patterns")) {
			p.Patterns = append(p.Patterns, Pattern{d.get(entry, "pattern"), d.get(entry, "replacement")})
		}
		f.Policies = append(f.Policies, p)
	}
	return f
}
