package narrow

import (
	"strconv"
	"strings"
)

// Where schemas stand that speak of the arguments themselves, and not of what is
// in one of them.
var (
	listed = []string{"allOf", "anyOf", "oneOf"}
	single = []string{"if", "then", "else", "not"}
	// "dependencies" is what dependentSchemas and dependentRequired were before
	// JSON Schema 2019-09.
	keyed = []string{"dependentSchemas", "dependencies"}
)

// An inliner puts in place of each reference of a schema what it leads to, as far
// as that speaks of the arguments. Then a part can be changed where it stands,
// however many others refer to it.
type inliner struct {
	root map[string]any
	open []string // the references that are being followed
	left int      // how many parts may still be looked at
	// lost says that a part could not be had: it lies elsewhere, is not there, or
	// there are too many.
	lost bool
}

// maxParts bounds the composed parts of one schema: references can double them
// with each step.
const maxParts = 5_000

func (in *inliner) inline(schema map[string]any) map[string]any {
	if in.left--; in.left < 0 {
		in.lost = true
		return map[string]any{}
	}
	out := make(map[string]any, len(schema))
	for k, v := range schema {
		out[k] = v
	}
	delete(out, "$ref")
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if _, ok := out[keyword]; ok {
			delete(out, keyword)
			in.lost = true
		}
	}
	for _, keyword := range listed {
		if parts, ok := schema[keyword].([]any); ok {
			out[keyword] = in.each(parts)
		}
	}
	for _, keyword := range single {
		if part := mapOf(schema[keyword]); part != nil {
			out[keyword] = in.inline(part)
		}
	}
	for _, keyword := range keyed {
		if parts := mapOf(schema[keyword]); parts != nil {
			inlined := make(map[string]any, len(parts))
			for name, part := range parts {
				inlined[name] = in.one(part)
			}
			out[keyword] = inlined
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		if target := in.follow(ref); target != nil {
			all, _ := out["allOf"].([]any)
			out["allOf"] = append(append([]any{}, all...), target)
		}
	}
	return out
}

func (in *inliner) each(parts []any) []any {
	inlined := make([]any, len(parts))
	for i, part := range parts {
		inlined[i] = in.one(part)
	}
	return inlined
}

func (in *inliner) one(part any) any {
	if m := mapOf(part); m != nil {
		return in.inline(m)
	}
	return part
}

// follow is what a reference leads to; nil where that is nothing, or what is being
// read already, which says nothing new.
func (in *inliner) follow(ref string) map[string]any {
	for _, open := range in.open {
		if open == ref {
			return nil
		}
	}
	target := mapOf(lookup(in.root, ref))
	if target == nil {
		in.lost = true
		return nil
	}
	in.open = append(in.open, ref)
	defer func() { in.open = in.open[:len(in.open)-1] }()
	return in.inline(target)
}

// lookup is what a local reference leads to (RFC 6901 in a URI fragment), or nil.
func lookup(root map[string]any, ref string) any {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if pointer != "" && pointer[0] != '/' {
		return nil // an anchor
	}
	var v any = root
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = unescape(step)
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}
