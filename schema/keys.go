package schema

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

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

// schemas are those that apply to a node itself: the one at its place, and
// what that refers to.
func (c *checker) schemas(n *source.Node) []*jsonschema.Schema {
	if n.Parent == nil {
		return expand(n, c.schema)
	}
	var found []*jsonschema.Schema
	for _, s := range c.schemas(n.Parent) {
		if sub := step(s, n); sub != nil {
			found = append(found, expand(n, sub)...)
		}
	}
	return found
}

// step is the schema of a value or item in what s describes.
func step(s *jsonschema.Schema, n *source.Node) *jsonschema.Schema {
	if n.Key == nil {
		return s.Items2020
	}
	return property(s, n.Key.Value)
}

// property is what s says of the value of a key.
func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	if sub := s.Properties[key]; sub != nil {
		return sub
	}
	for pattern, sub := range s.PatternProperties {
		if pattern.MatchString(key) {
			return sub
		}
	}
	sub, _ := s.AdditionalProperties.(*jsonschema.Schema)
	return sub
}

// expand is a schema and all that it applies to the same node. Only keywords
// that the schemas of this package use are followed.
func expand(n *source.Node, s *jsonschema.Schema) []*jsonschema.Schema {
	found := []*jsonschema.Schema{s}
	if s.Ref != nil {
		found = append(found, expand(n, s.Ref)...)
	}
	for _, sub := range s.AllOf {
		found = append(found, expand(n, sub)...)
	}
	if s.If != nil && s.If.Types != nil {
		branch := s.Else
		if slices.Contains(s.If.Types.ToStrings(), jsonType(n)) {
			branch = s.Then
		}
		if branch != nil {
			found = append(found, expand(n, branch)...)
		}
	}
	return found
}

func jsonType(n *source.Node) string {
	return [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}[n.Kind]
}

// find is the first schema of a node that has a property.
func (c *checker) find(n *source.Node, has func(*jsonschema.Schema) bool) *jsonschema.Schema {
	for _, s := range c.schemas(n) {
		if has(s) {
			return s
		}
	}
	return nil
}

// property is the schema for the value of a mapping's key, with what it refers to.
func (c *checker) property(mapping *source.Node, key string) *jsonschema.Schema {
	for _, s := range c.schemas(mapping) {
		if sub := s.Properties[key]; sub != nil {
			return sub
		}
	}
	return nil
}

// keys are the keys that a mapping may have, sorted; none where it is free.
func (c *checker) keys(mapping *source.Node) []string {
	var keys []string
	for _, s := range c.schemas(mapping) {
		keys = append(keys, schemaKeys(s)...)
	}
	sort.Strings(keys)
	return keys
}

func schemaKeys(s *jsonschema.Schema) []string {
	var keys []string
	for key := range s.Properties {
		keys = append(keys, key)
	}
	return keys
}

// settleUnknown finds out what the unknown keys of a mapping are meant to be.
func (c *checker) settleUnknown(mapping *source.Node, unknown []string) {
	if c.settleLostChildren(mapping, unknown) {
		return
	}
	known := c.keys(mapping)
	for _, f := range inOrder(mapping.Fields) {
		if !slices.Contains(known, f.Key.Value) {
			c.claimNear(mapping, f.Key, known)
		}
	}
	for _, f := range mapping.Fields {
		if !slices.Contains(known, f.Key.Value) && c.claimedBy(mapping, f.Key) == "" {
			c.claimMisplaced(mapping, f)
		}
	}
}

// claimNear lets a misspelt key or a synonym count as the key that it is meant
// to be, where the mapping lacks that.
func (c *checker) claimNear(mapping, key *source.Node, known []string) {
	var lacking []string
	for _, k := range known {
		if mapping.Get(k) == nil && c.shape.Claimed(mapping, k) == nil {
			lacking = append(lacking, k)
		}
	}
	if meant := meantKey(key.Value, lacking); meant != "" {
		c.shape.claims[claim{mapping, meant}] = key
	}
}

// meantKey is which of some keys another is a slip or a synonym for, or "".
func meantKey(key string, among []string) string {
	for _, k := range among {
		if slices.Contains(synonyms[k], key) {
			return k
		}
	}
	return suggest.Closest(key, among)
}

// claimedBy is the key of a mapping that an unknown one counts as, or "".
func (c *checker) claimedBy(mapping, key *source.Node) string {
	for claim, by := range c.shape.claims {
		if by == key && claim.mapping == mapping {
			return claim.key
		}
	}
	return ""
}

// claimMisplaced lets an unknown key count where it belongs, one level up or
// down.
func (c *checker) claimMisplaced(mapping *source.Node, f source.Field) {
	if up := outer(mapping); up != nil && c.lacks(up, f.Key.Value) {
		c.shape.claims[claim{up, f.Key.Value}] = f.Key
		return
	}
	for _, beside := range mapping.Fields {
		if beside.Value.Kind == source.Mapping && c.lacks(beside.Value, f.Key.Value) {
			c.shape.claims[claim{beside.Value, f.Key.Value}] = f.Key
			return
		}
	}
}

// outer is the mapping around a mapping.
func outer(mapping *source.Node) *source.Node {
	for n := mapping.Parent; n != nil; n = n.Parent {
		if n.Kind == source.Mapping {
			return n
		}
	}
	return nil
}

// lacks says whether a mapping may have a key and does not.
func (c *checker) lacks(mapping *source.Node, key string) bool {
	return mapping.Get(key) == nil && c.shape.Claimed(mapping, key) == nil && slices.Contains(c.keys(mapping), key)
}

// settleLostChildren recognizes a key whose children slid to its own level:
//
//   - mcp:
//     url: https://mcp.example.com/mcp
//
// It is one fault, at that key.
func (c *checker) settleLostChildren(mapping *source.Node, unknown []string) bool {
	for _, f := range mapping.Fields {
		if f.Value.Style != source.Implicit {
			continue
		}
		s := c.property(mapping, f.Key.Value)
		if s == nil {
			continue
		}
		// What the value would be as a map is what its schema says of one.
		asMap := &source.Node{Kind: source.Mapping}
		var children []string
		for _, sub := range expand(asMap, s) {
			children = append(children, schemaKeys(sub)...)
		}
		var lost []string
		for _, key := range unknown {
			if slices.Contains(children, key) {
				lost = append(lost, key)
			}
		}
		if len(lost) == 0 {
			continue
		}
		c.add(Violation{
			Code: Type, Node: f.Key,
			Message: fmt.Sprintf("`%s` is empty, and %s beside it belongs inside", f.Key.Value, list(sorted(lost))),
			Help:    fmt.Sprintf("indent what belongs to `%s` deeper than it", f.Key.Value),
		}, f.Value)
		c.moved[f.Value] = true
		c.moved[mapping] = true
		return true
	}
	return false
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	sort.Strings(s)
	return s
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
		if len(c.keys(free)) > 0 {
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
	if s == nil || s.Validate(value(n)) != nil {
		return
	}
	c.shape.claims[claim{up, key.Value}] = key
	c.moved[n] = true
	c.add(c.misplaced(key, up), n)
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

func (c *checker) misplaced(key, belongs *source.Node) Violation {
	where := "the top level"
	switch owner := belongs.Owner(); {
	case belongs.Key != nil:
		where = "`" + belongs.Key.Value + "`"
	case owner != nil:
		where = "an item of `" + owner.Value + "`"
	}
	return Violation{
		Code: UnknownKey, Node: key,
		Message: fmt.Sprintf("`%s` does not belong here but in %s", key.Value, where),
		Label:   "on the wrong level",
		Help:    fmt.Sprintf("indent `%s` as a key of %s", key.Value, where),
	}
}

// unknown reports the keys that a mapping does not have.
func (c *checker) unknown(mapping *source.Node, unknown []string) {
	names := make(map[string]bool, len(unknown))
	for _, name := range unknown {
		names[name] = true
	}
	claims := map[*source.Node]claim{}
	for claim, by := range c.shape.claims {
		claims[by] = claim
	}
	known := c.keys(mapping)
	for _, f := range mapping.Fields {
		if names[f.Key.Value] && !c.moved[f.Key] {
			c.add(c.unknownKey(mapping, f.Key, known, claims), nil)
		}
	}
}

func (c *checker) unknownKey(mapping, key *source.Node, known []string, claims map[*source.Node]claim) Violation {
	claimed, isClaimed := claims[key]
	if isClaimed && claimed.mapping != mapping {
		return c.misplaced(key, claimed.mapping)
	}
	v := Violation{Code: UnknownKey, Node: key, Label: "unknown key"}
	where := "the document"
	if owner := mapping.Owner(); owner != nil {
		where = "`" + source.Printable(owner.Value) + "`"
	}
	v.Message = fmt.Sprintf("%s has no key `%s`", where, source.Printable(key.Value))
	if i := strings.IndexFunc(key.Value, suggest.Invisible); i >= 0 {
		v.Message += fmt.Sprintf(", which holds an invisible character (%U)", []rune(key.Value[i:])[0])
	}
	switch {
	case isClaimed:
		v.Message += fmt.Sprintf("; did you mean `%s`?", claimed.key)
		v.Help = fmt.Sprintf("write `%s`", claimed.key)
	case len(known) == 0:
		if s := c.find(mapping, func(s *jsonschema.Schema) bool { return len(s.PatternProperties) > 0 }); s != nil {
			for pattern := range s.PatternProperties {
				v.Message = fmt.Sprintf("`%s` is no name for a key of %s, which match %s", source.Printable(key.Value), where, pattern)
			}
		}
	default:
		if near := suggest.Closest(key.Value, known); near != "" {
			v.Message += fmt.Sprintf("; did you mean `%s`, which is there already?", near)
		}
		v.Help = "the keys are " + strings.Join(known, ", ")
	}
	return v
}
