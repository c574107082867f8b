package narrow

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// A rewriter takes arguments out of a schema. It changes copies only.
type rewriter struct {
	declaration Declaration
	original    map[string]any  // the server's own
	declared    map[string]bool // the arguments that it declares
}

// narrow is the schema that the model is shown, of the server's own with its
// references put in place.
func (r rewriter) narrow(whole map[string]any) map[string]any {
	d := r.declaration
	if len(d.Fixed) == 0 && !d.Bounded {
		return mapOf(clone(r.original))
	}
	schema, _ := r.rewrite(whole)
	if _, ok := schema["type"]; !ok {
		schema["type"] = "object"
	}
	if d.Bounded {
		properties := mapOf(schema["properties"])
		if properties == nil {
			properties = map[string]any{}
		}
		for _, name := range d.Only {
			// What only a part declares must be named here, too: additionalProperties
			// sees the properties beside it and no others (JSON Schema 2020-12, Core,
			// section 10.3.2.3).
			if _, ok := properties[name]; !ok && !d.fixes(name) && (r.declared[name] || matchesPattern(whole, name)) {
				properties[name] = map[string]any{}
			}
		}
		schema["properties"] = properties
		schema["additionalProperties"] = false
		delete(schema, "unevaluatedProperties")
	}
	return relocate(schema, r.original)
}

// composed are the keywords that a part is composed of others with.
var composed = slices.Concat(listed, single, keyed, []string{"dependentRequired"})

// rewrite is a copy of a schema, or of a part of it, without the arguments that are
// taken out; and whether it differs.
func (r rewriter) rewrite(part map[string]any) (map[string]any, bool) {
	out := make(map[string]any, len(part))
	for keyword, v := range part {
		// What is composed is written anew below, each part once.
		if !slices.Contains(composed, keyword) {
			out[keyword] = clone(v)
		}
	}
	changed := r.properties(out)
	changed = r.require(out, part) || changed
	changed = r.least(out) || changed
	if all, ok := part["allOf"].([]any); ok {
		var kept []any
		for _, one := range all {
			m := mapOf(one)
			if m == nil {
				kept = append(kept, one)
				continue
			}
			narrowed, differs := r.rewrite(m)
			changed = changed || differs
			if len(narrowed) > 0 {
				kept = append(kept, narrowed)
			}
		}
		set(out, "allOf", kept)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := part[keyword].([]any); ok {
			changed = r.branches(out, keyword, branches) || changed
		}
	}
	changed = r.dependencies(out, part) || changed
	changed = r.condition(out, part) || changed
	switch not, ok := part["not"]; {
	case ok && mentions(mapOf(not), r.declaration.takesOut):
		changed = true // it would come to refuse more than it did
	case ok:
		out["not"] = clone(not)
	}
	return out, changed
}

func set(schema map[string]any, keyword string, list []any) {
	if len(list) == 0 {
		delete(schema, keyword)
		return
	}
	schema[keyword] = list
}

func appendTo(schema map[string]any, keyword string, part any) {
	list, _ := schema[keyword].([]any)
	schema[keyword] = append(list, part)
}

func (r rewriter) properties(out map[string]any) (changed bool) {
	properties := mapOf(out["properties"])
	for name := range properties {
		if r.declaration.takesOut(name) {
			delete(properties, name)
			changed = true
		}
	}
	patterns := mapOf(out["patternProperties"])
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		schema, covers := patterns[pattern], false
		for name := range r.declaration.Fixed {
			covers = covers || mayMatch(pattern, name)
		}
		if !r.declaration.Bounded && !covers {
			continue
		}
		delete(patterns, pattern)
		changed = true
		for _, name := range r.declaration.Only {
			if !mayMatch(pattern, name) || r.declaration.fixes(name) {
				continue
			}
			if properties == nil {
				properties = map[string]any{}
				out["properties"] = properties
			}
			if own, ok := properties[name]; ok {
				properties[name] = map[string]any{"allOf": []any{own, clone(schema)}}
			} else {
				properties[name] = clone(schema)
			}
		}
	}
	if patterns != nil && len(patterns) == 0 {
		delete(out, "patternProperties")
	}
	return changed
}

// require leaves of the required arguments those that the model writes.
func (r rewriter) require(out, part map[string]any) (changed bool) {
	var kept []any
	for _, name := range names(part["required"]) {
		if r.declaration.takesOut(name) {
			changed = true
			continue
		}
		kept = append(kept, name)
	}
	set(out, "required", kept)
	return changed
}

// least counts what is fixed out of how many arguments there must be.
func (r rewriter) least(out map[string]any) bool {
	number, ok := out["minProperties"].(json.Number)
	if !ok || len(r.declaration.Fixed) == 0 {
		return false
	}
	n, err := strconv.Atoi(number.String())
	if n -= len(r.declaration.Fixed); err != nil || n <= 0 {
		delete(out, "minProperties")
	} else {
		out["minProperties"] = json.Number(strconv.Itoa(n))
	}
	return true
}

// branches narrows the branches of an anyOf or oneOf, without those that no call
// can satisfy. Branches that have lost what told them apart overlap, so that of a
// oneOf with such only an anyOf is left.
func (r rewriter) branches(out map[string]any, keyword string, branches []any) (changed bool) {
	var kept []any
	for _, branch := range branches {
		part := mapOf(branch)
		if part == nil {
			kept = append(kept, branch)
			continue
		}
		if len(r.needs(part).certain) > 0 || r.contradicts(part) {
			changed = true
			continue
		}
		narrowed, differs := r.rewrite(part)
		changed = changed || differs
		kept = append(kept, narrowed)
	}
	switch {
	case len(kept) == 0:
	case changed && keyword == "oneOf":
		appendTo(out, "allOf", map[string]any{"anyOf": kept})
	default:
		out[keyword] = kept
	}
	return changed
}

// dependencies settles what is asked for beside an argument: always, where that is
// fixed, and never, where it is not sent.
func (r rewriter) dependencies(out, part map[string]any) (changed bool) {
	kept := map[string]any{}
	r.eachDependency(part, func(trigger string, dependent map[string]any) {
		narrowed, differs := r.rewrite(dependent)
		changed = changed || differs || r.declaration.takesOut(trigger)
		switch {
		case len(narrowed) == 0, r.declaration.takesOut(trigger) && !r.declaration.fixes(trigger):
		case r.declaration.fixes(trigger):
			appendTo(out, "allOf", narrowed)
		case kept[trigger] != nil:
			kept[trigger] = map[string]any{"allOf": []any{kept[trigger], narrowed}}
		default:
			kept[trigger] = narrowed
		}
	})
	if len(kept) > 0 {
		out["dependentSchemas"] = kept
	}
	return changed
}

// condition settles if, then and else where what is taken out decides it. Where it
// is only one part of the condition, either outcome is let through.
func (r rewriter) condition(out, part map[string]any) (changed bool) {
	condition := mapOf(part["if"])
	if condition == nil {
		return false
	}
	outcome := func(keyword string) map[string]any {
		m := mapOf(part[keyword])
		if m == nil {
			return nil
		}
		narrowed, differs := r.rewrite(m)
		changed = changed || differs
		return narrowed
	}
	then, otherwise := outcome("then"), outcome("else")
	if !mentions(condition, r.declaration.takesOut) && len(mapOf(condition["patternProperties"])) == 0 {
		out["if"] = clone(condition)
		for keyword, part := range map[string]map[string]any{"then": then, "else": otherwise} {
			if part != nil {
				out[keyword] = part
			}
		}
		return changed
	}
	holds, decided := r.decide(condition)
	var applies map[string]any
	switch {
	case decided && holds:
		applies = then
	case decided:
		applies = otherwise
	case len(then) > 0 && len(otherwise) > 0:
		applies = map[string]any{"anyOf": []any{then, otherwise}}
	}
	if len(applies) > 0 {
		appendTo(out, "allOf", applies)
	}
	return true
}
