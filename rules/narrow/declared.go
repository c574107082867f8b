package narrow

import "regexp"

// declared are the arguments that a schema, its references put in place, declares:
// the properties of it and of the parts that it is composed of, even of one that
// only may apply.
func declared(schema map[string]any) map[string]bool {
	found := map[string]bool{}
	walk(schema, func(part map[string]any) {
		for name := range mapOf(part["properties"]) {
			found[name] = true
		}
	})
	return found
}

// matchesPattern says whether a pattern of the schema may cover an argument.
func matchesPattern(schema map[string]any, name string) bool {
	found := false
	walk(schema, func(part map[string]any) {
		for pattern := range mapOf(part["patternProperties"]) {
			found = found || mayMatch(pattern, name)
		}
	})
	return found
}

// mayMatch says whether a pattern matches a name, or cannot be told.
func mayMatch(pattern, name string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(name)
}

// walk visits a schema and the parts it is composed of, but for what is under not,
// which declares nothing.
func walk(schema map[string]any, visit func(map[string]any)) {
	if schema == nil {
		return
	}
	visit(schema)
	for _, keyword := range listed {
		for _, part := range members(schema, keyword) {
			walk(part, visit)
		}
	}
	for _, keyword := range []string{"if", "then", "else"} {
		walk(mapOf(schema[keyword]), visit)
	}
	for _, keyword := range keyed {
		for _, part := range mapOf(schema[keyword]) {
			walk(mapOf(part), visit)
		}
	}
}

// argument is what certainly holds for the value of an argument: its schemas at
// the root and in the parts that always apply.
func argument(schema map[string]any, name string) []any {
	var found []any
	if s, ok := mapOf(schema["properties"])[name]; ok {
		found = append(found, s)
	}
	for _, part := range members(schema, "allOf") {
		if part != nil {
			found = append(found, argument(part, name)...)
		}
	}
	return found
}

// mentions says whether a schema speaks of an argument for which is holds, in any
// of its parts.
func mentions(schema map[string]any, is func(string) bool) bool {
	found := false
	see := func(name string) { found = found || is(name) }
	var look func(part map[string]any)
	look = func(part map[string]any) {
		for name := range mapOf(part["properties"]) {
			see(name)
		}
		for _, name := range names(part["required"]) {
			see(name)
		}
		for _, keyword := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
			for name, needed := range mapOf(part[keyword]) {
				see(name)
				for _, other := range names(needed) {
					see(other)
				}
			}
		}
		walk(mapOf(part["not"]), look)
	}
	walk(schema, look)
	return found
}
