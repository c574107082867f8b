package narrow

import (
	"slices"
	"strings"
)

// definitions are the keywords that hold schemas for references to lead to; the
// second is the first before JSON Schema 2019-09.
var definitions = []string{"$defs", "definitions"}

// serversOwn is the definition that the server's own schema becomes where a value
// refers to it: the value of an argument may be of the shape of all of them.
const serversOwn = "whole"

// relocate makes the references that are left in a narrowed schema lead to what
// they led to in the server's own, and leaves out the definitions that nothing
// leads to.
func relocate(schema, original map[string]any) map[string]any {
	held := map[string]any{}
	for _, keyword := range definitions {
		delete(schema, keyword)
	}
	reached := map[string]bool{}
	var pending []string
	follow := func(ref string) string {
		for _, keyword := range definitions {
			rest, ok := strings.CutPrefix(ref, "#/"+keyword+"/")
			if !ok {
				continue
			}
			key := keyword + "/" + rest[:cutAt(rest)]
			if !reached[key] {
				reached[key] = true
				pending = append(pending, key)
			}
			return ref
		}
		if !strings.HasPrefix(ref, "#/") && ref != "#" {
			return ref
		}
		if !reached[serversOwn] {
			reached[serversOwn] = true
			pending = append(pending, serversOwn)
		}
		return "#/$defs/" + serversOwn + ref[1:]
	}
	redirect(schema, follow)
	for len(pending) > 0 {
		key := pending[0]
		pending = pending[1:]
		keyword, name, isDefinition := strings.Cut(key, "/")
		var target any
		if !isDefinition {
			keyword, name = "$defs", serversOwn
			own := mapOf(clone(original))
			for _, k := range definitions {
				delete(own, k)
			}
			target = own
		} else {
			name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
			target = clone(mapOf(original[keyword])[name])
		}
		if target == nil {
			continue
		}
		redirect(target, follow)
		group := mapOf(held[keyword])
		if group == nil {
			group = map[string]any{}
			held[keyword] = group
		}
		group[name] = target
	}
	for keyword, group := range held {
		schema[keyword] = group
	}
	return schema
}

// cutAt is where the first step of a pointer ends.
func cutAt(pointer string) int {
	if i := strings.IndexByte(pointer, '/'); i >= 0 {
		return i
	}
	return len(pointer)
}

// redirect changes the references of a schema where they stand. What looks like
// one inside a value is left alone.
func redirect(v any, follow func(string) string) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			v["$ref"] = follow(ref)
		}
		for k, x := range v {
			if !slices.Contains([]string{"const", "enum", "default", "examples"}, k) {
				redirect(x, follow)
			}
		}
	case []any:
		for _, x := range v {
			redirect(x, follow)
		}
	}
}
