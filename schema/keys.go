package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// synonyms are names that other tools and earlier habits give to a key.
var synonyms = map[string][]string{
	"allow":        {"allowed", "allowedTools", "allowed_tools", "allow_tools", "tool_filter", "include", "include_tools", "tools"},
	"scopes":       {"scope"},
	"instruction":  {"instructions", "prompt", "system_prompt", "system_instruction"},
	"params":       {"parameters", "fixed", "args", "arguments"},
	"only":         {"only_params", "allowed_params", "allow_params"},
	"url":          {"endpoint", "server", "server_url"},
	"spec":         {"schema", "file", "openapi_spec"},
	"operations":   {"operation", "operationIds", "operation_ids"},
	"connection":   {"connector", "auth"},
	"display_name": {"title", "displayName"},
	"effect":       {"effects", "mode"},
	"deny_tools":   {"deny", "denied_tools"},
	"hosts":        {"host", "allowed_hosts"},
}

// settleUnknown finds out what the unknown keys of a mapping are meant to be.
func (c *checker) settleUnknown(mapping *source.Node) {
	in := c.scope(mapping)
	lacking := c.lacking(mapping)
	kind := len(in.present) > 0
	var open []*source.Node // unknown keys of which nothing is known yet
	for _, f := range inOrder(mapping.Fields) {
		key := f.Key
		if slices.Contains(in.keys, key.Value) || c.moved[key] {
			continue
		}
		meant := meantKey(key.Value, lacking)
		if meant.Name == "" {
			open = append(open, key)
			continue
		}
		kind = true
		c.shape.claims[claim{mapping, meant.Name}] = key
		c.meant[key] = meant
		lacking = slices.DeleteFunc(lacking, func(k string) bool { return k == meant.Name })
	}
	if !kind && c.isChoice(mapping) {
		c.noKind(mapping, in.keys)
		return
	}
	for _, key := range open {
		c.claimMisplaced(mapping, key)
	}
}

// noKind reports a block that has none of the keys that it takes one of. What
// it has instead is no fault of its own.
func (c *checker) noKind(mapping *source.Node, known []string) {
	at := mapping
	if len(mapping.Fields) > 0 {
		at = mapping.Fields[0].Key
	}
	v := Violation{
		Code: MissingKey, Node: at, Label: "no kind of block",
		Message: fmt.Sprintf("%s has no kind: it takes one of %s", place(mapping), strings.Join(known, ", ")),
	}
	for _, kind := range known {
		if slices.Contains(c.mapKeys(mapping, kind), at.Value) {
			v.Help = fmt.Sprintf("write `%s:` above, and indent what belongs to it", kind)
			break
		}
	}
	for _, f := range mapping.Fields {
		c.moved[f.Key] = true
	}
	c.add(v, mapping)
}

// lacking are the keys that a mapping may have and does not.
func (c *checker) lacking(mapping *source.Node) []string {
	in := c.scope(mapping)
	var keys []string
	for _, key := range in.keys {
		if in.present[key] == nil && c.shape.Claimed(mapping, key) == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// meantKey is which of some keys another is a slip or a synonym for.
func meantKey(key string, among []string) suggest.Match {
	for _, k := range among {
		if slices.Contains(synonyms[k], key) {
			return suggest.Match{Name: k, Alone: true}
		}
	}
	return suggest.Closest(key, among)
}

// claimMisplaced lets an unknown key count where it belongs, one level up or
// down.
func (c *checker) claimMisplaced(mapping, key *source.Node) {
	if up := outer(mapping); up != nil && c.lacks(up, key.Value) {
		c.shape.claims[claim{up, key.Value}] = key
		c.belongs[key] = place(up)
		return
	}
	in := c.scope(mapping)
	for _, k := range in.keys {
		inner := in.present[k]
		switch {
		case inner == nil && slices.Contains(c.mapKeys(mapping, k), key.Value):
			c.shape.claims[claim{mapping, k}] = key // then k counts as being there, too
		case inner != nil && inner.Kind == source.Mapping && c.lacks(inner, key.Value):
			c.shape.claims[claim{inner, key.Value}] = key
		default:
			continue
		}
		c.belongs[key] = "`" + k + "`"
		return
	}
}

// settleLostChildren recognizes a key whose children slid to its own level:
//
//	mcp:
//	url: https://mcp.example.com/mcp
//
// It is one fault, at that key, which n is the value of. What is right where it
// stands is no child, nor is a slip of a key that is missing there.
func (c *checker) settleLostChildren(n *source.Node) {
	if n.Style != source.Implicit || n.Key == nil || c.moved[n] {
		return
	}
	mapping := n.Parent
	var lost []string
	for _, beside := range mapping.Fields {
		if c.moved[beside.Key] || !c.astray(mapping, beside) || !c.takesChild(n, beside) {
			continue
		}
		lost = append(lost, "`"+redact.Name(beside.Key.Value)+"`")
		c.moved[beside.Key], c.moved[beside.Value] = true, true
		c.shape.unknown[beside.Key] = true
	}
	if len(lost) == 0 {
		return
	}
	help := "indent what belongs to %s deeper than it"
	if c.find(n, func(s *jsonschema.Schema) bool { return s.Items2020 != nil }) != nil {
		help += ", behind a dash"
	}
	c.add(Violation{
		Code: Type, Node: n.Key,
		Message: fmt.Sprintf("%s is empty, and what belongs inside stands beside it: %s", place(n), strings.Join(lost[:min(len(lost), 5)], ", ")),
		Help:    fmt.Sprintf(help, place(n)),
	}, n)
	c.moved[n] = true
}

// astray says whether a field cannot be meant for the mapping that it stands in:
// its key is none of the mapping's and no slip of one, or, where any key may
// stand, its value is at fault.
func (c *checker) astray(mapping *source.Node, f source.Field) bool {
	in := c.scope(mapping)
	if len(in.keys) > 0 {
		return !slices.Contains(in.keys, f.Key.Value) && meantKey(f.Key.Value, c.lacking(mapping)).Name == ""
	}
	for _, s := range in.schemas {
		if property(s, f.Key.Value) != nil {
			return c.failing[f.Value]
		}
	}
	return true
}

// takesChild says whether a field would fit into a value that is missing: into
// the map, or into the maps of the list, that its schema asks for.
func (c *checker) takesChild(missing *source.Node, f source.Field) bool {
	asMap := &source.Node{Kind: source.Mapping}
	for _, s := range c.scope(missing).schemas {
		for _, sub := range expand(asMap, s) {
			if sub.Items2020 != nil {
				for _, item := range expand(asMap, sub.Items2020) {
					if item.Properties[f.Key.Value] != nil {
						return true
					}
				}
			}
			child := property(sub, f.Key.Value)
			closed := len(c.scope(missing.Parent).keys) > 0 && sub.Properties[f.Key.Value] != nil
			if closed || child != nil && f.Key.Start > missing.Key.Start && child.Validate(JSON(f.Value)) == nil {
				return true
			}
		}
	}
	return false
}

// settleStray recognizes a key of the mapping around that stands among the
// names of a free map: allow as an entry of params. A value that fits where it
// stands is a name like any other.
func (c *checker) settleStray(n *source.Node) {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if n.Key == nil || c.moved[n] {
			continue
		}
		free, key := n.Parent, n.Key
		if len(c.scope(free).keys) > 0 {
			continue
		}
		c.stray(free, key, n)
	}
}

func (c *checker) stray(free, key, n *source.Node) {
	up := outer(free)
	if up == nil || !c.lacks(up, key.Value) {
		return
	}
	s := c.property(up, key.Value)
	if s == nil || s.Validate(JSON(n)) != nil {
		return
	}
	c.shape.claims[claim{up, key.Value}] = key
	c.moved[n] = true
	c.add(misplaced(key, place(up)), n)
}

// settleAllowInOnly recognizes the one stray key whose value fits both places:
// allow among the tools of only, in a block that has no allow.
func (c *checker) settleAllowInOnly(agent *source.Node) {
	tools := agent.Get("tools")
	if tools == nil {
		return
	}
	for _, block := range tools.Items {
		mcp := block.Get("mcp")
		if mcp == nil {
			continue
		}
		if only := mcp.Get("only"); only != nil {
			if f, ok := only.Field("allow"); ok && f.Value.Kind == source.Sequence && !c.moved[f.Value] {
				c.stray(only, f.Key, f.Value)
			}
		}
	}
}

func misplaced(key *source.Node, belongs string) Violation {
	return Violation{
		Code: UnknownKey, Node: key, Label: "on the wrong level",
		Message: fmt.Sprintf("`%s` does not belong here but in %s", redact.Name(key.Value), belongs),
		Help:    fmt.Sprintf("indent `%s` as a key of %s", redact.Name(key.Value), belongs),
	}
}

// unknown reports the keys that a mapping does not have.
func (c *checker) unknown(mapping *source.Node, unknown []string) {
	names := make(map[string]bool, len(unknown))
	for _, name := range unknown {
		names[name] = true
	}
	known := c.scope(mapping).keys
	for _, f := range mapping.Fields {
		if names[f.Key.Value] && !c.moved[f.Key] {
			c.add(c.unknownKey(mapping, f.Key, known), nil)
		}
	}
}

func (c *checker) unknownKey(mapping, key *source.Node, known []string) Violation {
	if belongs := c.belongs[key]; belongs != "" {
		return misplaced(key, belongs)
	}
	v := Violation{Code: UnknownKey, Node: key, Label: "unknown key"}
	where := place(mapping)
	v.Message = fmt.Sprintf("%s has no key `%s`", where, redact.Name(key.Value))
	if i := strings.IndexFunc(key.Value, suggest.Invisible); i >= 0 {
		v.Message += fmt.Sprintf(", which holds an invisible character (%U)", []rune(key.Value[i:])[0])
	}
	switch meant := c.meant[key]; {
	case meant.Name != "":
		v.Meant, v.Help = meant, fmt.Sprintf("write `%s`", meant.Name)
	case len(known) == 0:
		if s := c.find(mapping, func(s *jsonschema.Schema) bool { return len(s.PatternProperties) > 0 }); s != nil {
			for pattern := range s.PatternProperties {
				v.Message = fmt.Sprintf("`%s` is no name for a key of %s, which match %s", redact.Name(key.Value), where, pattern)
			}
		}
	default:
		if near := meantKey(key.Value, known).Name; near != "" {
			v.Message += fmt.Sprintf("; did you mean `%s`, which is there already?", near)
		}
		v.Help = "it takes " + strings.Join(known, ", ")
	}
	return v
}
