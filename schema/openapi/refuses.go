package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gete-lint/gete/schema/source"
)

// typeNames are the types of JSON Schema, as messages name them.
var typeNames = map[string]string{
	"string": "a string", "integer": "an integer", "number": "a number", "boolean": "a boolean",
	"array": "a list", "object": "a map", "null": "null",
}

// Refuses says why the schema certainly refuses a value, as in "it must be an
// integer", or "`ids[2]` in it must be an integer" of a value within. It is empty
// where the value fits, and where that is not certain. Judged are type, enum,
// const, minimum and maximum, the lengths of strings and lists, pattern, and so
// the items and properties within. Alternatives (oneOf, anyOf) refuse what each of
// them does.
func (s *Schema) Refuses(value *source.Node) string {
	const budget = 10_000 // alternatives may refer to one another without end
	j := judge{left: budget}
	return j.judge(s, value).String()
}

// A refusal is why a value is refused; the zero refusal is none.
type refusal struct {
	within string // where in the value, as in .a.b[2]
	reason string // what it must be, as in "must be an integer"
}

func (r refusal) String() string {
	switch {
	case r.reason == "":
		return ""
	case r.within == "":
		return "it " + r.reason
	}
	return "`" + source.Printable(strings.TrimPrefix(r.within, ".")) + "` in it " + r.reason
}

type judge struct {
	left int // how many schemas and parts of schemas may still be judged
}

// judge says why a schema refuses a value.
func (j *judge) judge(s *Schema, v *source.Node) refusal {
	j.left -= 1 + len(s.parts)
	switch {
	case j.left < 0:
		return refusal{}
	case s.never:
		return refusal{reason: "cannot be given"}
	case v.Kind == source.Null && s.mayBe("nullable"):
		return refusal{}
	}
	for _, part := range s.parts {
		reason := refusesType(part, v)
		if reason == "" {
			reason = s.refusesOne(part, v)
		}
		if reason == "" {
			reason = refusesScalar(part, v)
		}
		if reason != "" {
			return refusal{reason: reason}
		}
		if r := j.alternatives(s, part, v); r.reason != "" {
			return r
		}
	}
	return j.within(s, v)
}

// within judges the items and properties of a value.
func (j *judge) within(s *Schema, v *source.Node) refusal {
	for _, f := range v.Fields {
		p, found := s.Property(f.Key.Value)
		if !found {
			continue
		}
		if r := j.judge(p, f.Value); r.reason != "" {
			r.within = "." + f.Key.Value + r.within
			return r
		}
	}
	for _, part := range s.parts {
		items := part.Get("items")
		if items == nil || v.Kind != source.Sequence || part.Get("prefixItems") != nil {
			continue
		}
		each := s.of.schema(items, items)
		for i, item := range v.Items {
			if r := j.judge(each, item); r.reason != "" {
				r.within = "[" + strconv.Itoa(i) + "]" + r.within
				return r
			}
		}
	}
	return refusal{}
}

// alternatives says why all alternatives that a part of a schema offers refuse a
// value. With one alternative beside null, that is its own reason.
func (j *judge) alternatives(s *Schema, part, v *source.Node) refusal {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		list := part.Get(keyword)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		var reasons []refusal
		for _, item := range list.Items {
			alternative := s.of.schema(item, item)
			r := j.judge(alternative, v)
			if r.reason == "" {
				reasons = nil
				break
			}
			if !slices.Equal(alternative.Types(), []string{"null"}) {
				reasons = append(reasons, r)
			}
		}
		switch len(reasons) {
		case 0:
		case 1:
			return reasons[0]
		default:
			return refusal{reason: "must fit one of the alternatives that the description lists, and fits none"}
		}
	}
	return refusal{}
}

// refusesType judges the type of a value.
func refusesType(part, v *source.Node) string {
	types := partTypes(part)
	if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return isOfType(v, t) }) {
		return ""
	}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = typeNames[t]
	}
	return "must be " + strings.Join(names, " or ")
}

func isOfType(v *source.Node, name string) bool {
	switch name {
	case "string":
		return v.Kind == source.String
	case "integer":
		x, ok := number(v)
		return ok && x.IsInt() || v.Kind == source.Int
	case "number":
		return v.Kind == source.Int || v.Kind == source.Float
	case "boolean":
		return v.Kind == source.Bool
	case "array":
		return v.Kind == source.Sequence
	case "object":
		return v.Kind == source.Mapping
	}
	return v.Kind == source.Null
}

// refusesOne judges enum, and const, which version 3.0 does not have.
func (s *Schema) refusesOne(part, v *source.Node) string {
	if list := part.Get("enum"); list != nil && len(list.Items) > 0 {
		if slices.ContainsFunc(list.Items, func(item *source.Node) bool { return mayEqual(item, v) }) {
			return ""
		}
		return "must be " + oneOf(list.Items)
	}
	if one := part.Get("const"); one != nil && s.of.draft2020 && !mayEqual(one, v) {
		return "must be " + quoted(one)
	}
	return ""
}

// oneOf lists values, the first of them if they are many.
func oneOf(items []*source.Node) string {
	const most = 8
	names := make([]string, 0, most)
	for _, item := range items[:min(most, len(items))] {
		names = append(names, quoted(item))
	}
	list := strings.Join(names, ", ")
	switch more := len(items) - most; {
	case more > 0:
		return fmt.Sprintf("one of %s and %d more", list, more)
	case len(items) > 1:
		return "one of " + list
	}
	return list
}

func quoted(n *source.Node) string {
	if n.IsScalar() && n.Style != source.Implicit {
		return "`" + source.Printable(n.Value) + "`"
	}
	return n.Kind.String()
}

// mayEqual says whether a value may be the one that a description lists. Scalars
// that are spelled alike are: descriptions write numbers and strings without care.
// So is a boolean and a word that YAML 1.1 takes for one.
func mayEqual(listed, v *source.Node) bool {
	if listed.IsScalar() != v.IsScalar() || !v.IsScalar() && listed.Kind != v.Kind {
		return false
	}
	if v.IsScalar() {
		if listed.Value == v.Value || listed.Kind == v.Kind && (v.Kind == source.Null || v.Kind == source.Bool && strings.EqualFold(listed.Value, v.Value)) {
			return true
		}
		if v.Kind == source.Bool && listed.YAML11() != "" || listed.Kind == source.Bool && v.YAML11() != "" {
			return true
		}
		a, ok := number(listed)
		b, both := number(v)
		return ok && both && a.Cmp(b) == 0
	}
	if len(listed.Items) != len(v.Items) || len(listed.Fields) != len(v.Fields) {
		return false
	}
	for i, item := range listed.Items {
		if !mayEqual(item, v.Items[i]) {
			return false
		}
	}
	for _, f := range listed.Fields {
		if other := v.Get(f.Key.Value); other == nil || !mayEqual(f.Value, other) {
			return false
		}
	}
	return true
}

// refusesScalar judges the range of a number, and the length and pattern of a
// string; and the length of a list.
func refusesScalar(part, v *source.Node) string {
	switch v.Kind {
	case source.Int, source.Float:
		return refusesNumber(part, v)
	case source.String:
		length := utf8.RuneCountInString(v.Value)
		if reason := refusesLength(part, "minLength", "maxLength", length, "character"); reason != "" {
			return reason
		}
		if pattern := part.Get("pattern"); pattern != nil && pattern.Kind == source.String && refusesPattern(pattern.Value, v.Value) {
			return "must match the pattern " + quoted(pattern)
		}
	case source.Sequence:
		return refusesLength(part, "minItems", "maxItems", len(v.Items), "item")
	}
	return ""
}

func refusesLength(part *source.Node, least, most string, length int, unit string) string {
	for _, bound := range []struct{ keyword, words string }{{least, "at least"}, {most, "at most"}} {
		n := part.Get(bound.keyword)
		if n == nil || n.Kind != source.Int {
			continue
		}
		limit, err := strconv.Atoi(n.Value)
		if err != nil || bound.keyword == least && length >= limit || bound.keyword == most && length <= limit {
			continue
		}
		if limit != 1 {
			unit += "s"
		}
		return fmt.Sprintf("must have %s %d %s", bound.words, limit, unit)
	}
	return ""
}

// refusesNumber judges a number by its range. What excludes a bound is a boolean
// beside it in version 3.0, and a bound of its own later; either is taken for what
// it is, whatever the version.
func refusesNumber(part, v *source.Node) string {
	x, ok := number(v)
	if !ok {
		return ""
	}
	for _, side := range []struct {
		sign                 int // of what lies beyond the bound, compared with it
		inclusive, exclusive string
		within, inside       string // the bound itself allowed, and not
	}{
		{-1, "minimum", "exclusiveMinimum", "at least", "more than"},
		{1, "maximum", "exclusiveMaximum", "at most", "less than"},
	} {
		inclusive, exclusive := part.Get(side.inclusive), part.Get(side.exclusive)
		if isTrue(exclusive) {
			inclusive, exclusive = nil, inclusive
		}
		if bound, ok := number(inclusive); ok && x.Cmp(bound) == side.sign {
			return "must be " + side.within + " " + inclusive.Value
		}
		if bound, ok := number(exclusive); ok && x.Cmp(bound) != -side.sign {
			return "must be " + side.inside + " " + exclusive.Value
		}
	}
	return ""
}
