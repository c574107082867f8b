package narrow

import (
	"maps"
	"slices"
)

// needed are the arguments that a schema requires and that no call would have:
// certainly, or only in some case that cannot be told.
type needed struct{ certain, perhaps map[string]bool }

func (n *needed) add(other needed) {
	n.certain = union(n.certain, other.certain)
	n.perhaps = union(n.perhaps, other.perhaps)
}

// doubt turns what is certain into what may be.
func (n needed) doubt() needed {
	return needed{perhaps: union(n.perhaps, n.certain)}
}

func union(a, b map[string]bool) map[string]bool {
	if len(b) == 0 {
		return a
	}
	both := map[string]bool{}
	for name := range a {
		both[name] = true
	}
	for name := range b {
		both[name] = true
	}
	return both
}

// needs are the arguments that a schema, or a part of it, requires and that the
// declaration does not send.
func (r rewriter) needs(schema map[string]any) needed {
	n := needed{certain: r.missing(names(schema["required"]))}
	for _, part := range members(schema, "allOf") {
		if part != nil {
			n.add(r.needs(part))
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := schema[keyword].([]any); ok && len(branches) > 0 {
			n.add(r.needsOne(branches))
		}
	}
	r.eachDependency(schema, func(trigger string, part map[string]any) {
		switch {
		case r.declaration.fixes(trigger):
			n.add(r.needs(part))
		case !r.declaration.takesOut(trigger):
			n.add(r.needs(part).doubt())
		}
	})
	if condition := mapOf(schema["if"]); condition != nil {
		then, otherwise := r.needs(mapOf(schema["then"])), r.needs(mapOf(schema["else"]))
		switch holds, decided := r.decide(condition); {
		case decided && holds:
			n.add(then)
		case decided:
			n.add(otherwise)
		default:
			n.add(either([]needed{then, otherwise}))
		}
	}
	return n
}

// missing are those of some arguments that the declaration does not send.
func (r rewriter) missing(required []string) map[string]bool {
	var found map[string]bool
	for _, name := range required {
		if !r.declaration.sends(name) {
			found = union(found, map[string]bool{name: true})
		}
	}
	return found
}

// needsOne are the arguments without which no branch of several can be satisfied.
func (r rewriter) needsOne(branches []any) needed {
	var each []needed
	for _, branch := range branches {
		part := mapOf(branch)
		switch {
		case branch == false, part != nil && r.contradicts(part):
			continue // it can never be satisfied
		case part == nil:
			return needed{}
		}
		n := r.needs(part)
		if len(n.certain) == 0 {
			return needed{}
		}
		each = append(each, n)
	}
	if len(each) == 0 {
		return needed{}
	}
	n := either(each)
	if len(n.certain) == 0 {
		// No branch can be satisfied, each for want of something else: what the
		// one lacks that lacks least.
		least := each[0]
		for _, other := range each {
			if len(other.certain) < len(least.certain) {
				least = other
			}
		}
		return needed{certain: least.certain}
	}
	return needed{certain: n.certain}
}

// either is what is needed when one of several applies, and none knows which.
func either(each []needed) needed {
	var n needed
	for _, one := range each {
		n.perhaps = union(union(n.perhaps, one.certain), one.perhaps)
	}
	for name := range n.perhaps {
		everywhere := true
		for _, one := range each {
			everywhere = everywhere && one.certain[name]
		}
		if everywhere {
			n.certain = union(n.certain, map[string]bool{name: true})
		}
	}
	for name := range n.certain {
		delete(n.perhaps, name)
	}
	return n
}

// eachDependency visits what a schema asks for when an argument is there.
func (r rewriter) eachDependency(schema map[string]any, visit func(trigger string, part map[string]any)) {
	for _, keyword := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		dependents := mapOf(schema[keyword])
		for _, trigger := range slices.Sorted(maps.Keys(dependents)) {
			part := dependents[trigger]
			if list, ok := part.([]any); ok {
				part = map[string]any{"required": list}
			}
			if m := mapOf(part); m != nil {
				visit(trigger, m)
			}
		}
	}
}

// contradicts says whether the fixed values rule a part out.
func (r rewriter) contradicts(part map[string]any) bool {
	for name, value := range r.declaration.Fixed {
		if schemas := argument(part, name); len(schemas) > 0 && refuses(r.original, schemas, value) != "" {
			return true
		}
	}
	return false
}

// decide says whether a condition holds for every call, and whether that can be
// told: it can where it speaks only of what the model does not write.
func (r rewriter) decide(condition map[string]any) (holds, decided bool) {
	if mentions(condition, func(name string) bool { return !r.declaration.takesOut(name) }) || len(mapOf(condition["patternProperties"])) > 0 {
		return false, false
	}
	if !mentions(condition, r.declaration.takesOut) {
		return false, false // about the call as a whole
	}
	return refuses(r.original, []any{condition}, r.declaration.Fixed) == "", true
}
