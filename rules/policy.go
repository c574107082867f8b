package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/pyregex"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
)

func policy() []Rule {
	return []Rule{
		{ID: "policy-twice", Severity: Error, Summary: "Two policies have one name.", Project: policyTwice},
		{ID: "policy-tool", Severity: Warning, Summary: "A policy names a tool that no agent offers.", Project: policyTool},
		{ID: "pattern-group", Severity: Error, Summary: "A replacement refers to a group that its pattern lacks.", Project: patternGroup},
	}
}

// eachPolicy calls a function with every policy of the project.
func eachPolicy(p *Pass, do func(declaration.Policy)) {
	for _, f := range p.Project.Policies {
		for _, policy := range f.Policies {
			do(policy)
		}
	}
}

func policyTwice(p *Pass) {
	first := map[string]*source.Node{}
	eachPolicy(p, func(policy declaration.Policy) {
		name := policy.Name
		if name == nil {
			return
		}
		if before := first[name.Value]; before != nil {
			p.Report(Finding{
				At: name, Message: fmt.Sprintf("a policy is named `%s` already", name.Value),
				Help: "give one of the two another name", Related: before, Note: "first named here",
			})
			return
		}
		first[name.Value] = name
	})
	named := map[string]*source.Node{}
	for _, path := range p.Project.PolicyPaths() {
		full := Resolve(p.Project.Dir, path.Value)
		if before := named[full]; before != nil {
			p.Report(Finding{
				At: path, Message: "the policies of this file would be there twice",
				Help: "name the file once", Related: before, Note: "first named here",
			})
			continue
		}
		named[full] = path
	}
}

func policyTool(p *Pass) {
	offered, known := offeredByAll(p.Project)
	if !known {
		return
	}
	names := slices.Sorted(maps.Keys(offered))
	eachPolicy(p, func(policy declaration.Policy) {
		for _, list := range [][]*source.Node{policy.DenyTools, policy.Confirm} {
			for _, item := range list {
				if offered[item.Value] {
					continue
				}
				f := Finding{At: item, Message: "no agent of the project offers a tool " + Quoted(item.Value), Help: "correct the name, or remove it"}
				f.Suggest(p.like(item.Value, names), Quoted)
				f.ask() // it may be there for a tool that is still to come
				p.Report(f)
			}
		}
	})
}

// offeredByAll are the tools that the project's agents offer, and whether those
// are all: a block without allow, the code behind a python block, and what a
// misspelt builtin or file is meant to be may offer others.
func offeredByAll(project *declaration.Project) (names map[string]bool, known bool) {
	names = map[string]bool{}
	if !project.Complete || len(project.Agents) == 0 || len(project.Misnamed) > 0 || !project.AgentsDirKnown() {
		return nil, false
	}
	for _, a := range project.Agents {
		if a.Root() == nil || a.Refused(a.Root()) || !a.BlocksKnown {
			return nil, false
		}
		for _, b := range a.Blocks {
			if b.Python != nil || b.Builtin != nil && !slices.Contains(Builtins(), b.Builtin.Value) || b.MCP != nil && !b.MCP.Allow.Known || b.OpenAPI != nil && !b.OpenAPI.Operations.Known {
				return nil, false
			}
			for _, n := range offered(b) {
				names[n.Value] = true
			}
		}
	}
	return names, true
}

func patternGroup(p *Pass) {
	eachPolicy(p, func(policy declaration.Policy) {
		for _, entry := range policy.Patterns {
			if entry.Pattern == nil || entry.Replacement == nil {
				continue
			}
			pattern, err := pyregex.Parse(entry.Pattern.Value)
			if err != nil {
				continue // the schema refuses such a pattern
			}
			var missing *pyregex.GroupError
			switch err := pattern.Template(entry.Replacement.Value); {
			case errors.As(err, &missing):
				p.Report(Finding{
					At: entry.Replacement, Message: fmt.Sprintf("the replacement refers to the group %s, and the pattern has %s", redact.Name(missing.Group), groups(pattern.Groups)),
					Help: "refer to a group that the pattern has, or add the group", Related: entry.Pattern, Note: "the pattern " + redact.Node(entry.Pattern),
				})
			case err != nil:
				p.Report(Finding{
					At: entry.Replacement, Message: fmt.Sprintf("Python refuses the replacement: %v", err),
					Help: `write \\ for a backslash, and \g<1> for a group`, Related: entry.Pattern, Note: "the pattern",
				})
			}
		}
	})
}

func groups(n int) string {
	switch n {
	case 0:
		return "no group"
	case 1:
		return "one group"
	}
	return fmt.Sprintf("%d groups", n)
}
