package source

import (
	"fmt"
	"strings"
)

// alias puts a copy of what an anchor names in the place of an alias.
func (p *parser) alias(t token) *Node {
	a := p.anchors[t.value]
	switch {
	case a == nil:
		fail(t.start, t.end, "no anchor of this name stands before the alias", "define the anchor above, or quote the value if the * is part of it")
	case a.node == nil:
		fail(t.start, t.end, "the alias stands inside the value that its own anchor names", "write out what is meant")
	case p.depth+a.node.height > p.limits.Depth:
		failDepth(t.start, t.end, p.limits)
	}
	p.spend(a.node.size, t.start, t.end)
	return p.copyNode(a.node, a.node, t)
}

func failDepth(start, end int, limits Limits) {
	fail(start, end, fmt.Sprintf("more than %d collections lie inside one another, aliases followed", limits.Depth), "make the file flatter")
}

// copyNode copies n, a part of what target's anchor names, to the place of an
// alias. Its height was checked, so the recursion is bounded.
func (p *parser) copyNode(n, target *Node, at token) *Node {
	c := p.slab.new()
	*c = *n
	c.Start, c.End = at.start, at.end
	c.Anchor = target.Anchor
	c.Parent, c.Key = nil, nil
	c.isKey = false
	if c.Origin == nil {
		c.Origin = n
	}
	c.Items, c.Fields = nil, nil
	c.size, c.height = 1, 0
	for _, item := range n.Items {
		c.add(p.copyNode(item, target, at))
	}
	for _, f := range n.Fields {
		c.addField(p.copyNode(f.Key, target, at), p.copyNode(f.Value, target, at))
	}
	return c
}

// finish ends a mapping: repeated keys are reported and dropped, and merge keys
// are replaced by what they bring in.
func (p *parser) finish(n *Node) {
	fields := n.Fields
	n.Fields = fields[:0]
	var merged *Node
	size := len(fields)
	for _, f := range fields {
		if f.Key.merge {
			size += f.Value.size
		}
	}
	known := newFieldIndex(size)
	for _, f := range fields {
		if first := known.find(n.Fields, f.Key.Value); first != nil {
			p.duplicate(f.Key, first)
			continue
		}
		if f.Key.merge && merged != nil {
			p.duplicate(f.Key, merged.Key)
			continue
		}
		if f.Key.merge {
			merged = f.Value
			continue
		}
		known.note(f.Key)
		n.Fields = append(n.Fields, f)
	}
	if merged != nil {
		p.mergeInto(n, merged, known)
	}
}

func (p *parser) duplicate(key, first *Node) {
	p.file.Faults = append(p.file.Faults, Fault{
		Code: DuplicateKey, Start: key.Start, End: key.End,
		Message: "the key " + Printable(key.Value) + " is named twice in this map, and one of the two would be lost",
		Help:    "keep one of them",
		Related: first, Note: "named first here",
	})
}

// mergeInto adds the fields of a merge key's value that the mapping does not
// have itself (yaml.org/type/merge.html).
func (p *parser) mergeInto(n, merged *Node, known fieldIndex) {
	sources := []*Node{merged}
	if merged.Kind == Sequence {
		sources = merged.Items
	}
	for _, source := range sources {
		if source.Kind != Mapping {
			at := source
			if at.Style == Implicit && at.Key != nil {
				at = at.Key
			}
			fail(at.Start, at.End, "a merge key takes a map or a list of maps, not "+source.Kind.String(), "name an anchor of a map, as in <<: *name")
		}
		for _, f := range source.Fields {
			if known.find(n.Fields, f.Key.Value) != nil {
				continue
			}
			known.note(f.Key)
			n.addField(f.Key, f.Value)
		}
	}
}

// A fieldIndex finds keys in a mapping that may be large. Small ones are
// searched, which is faster than to fill a map.
type fieldIndex map[string]*Node

func newFieldIndex(fields int) fieldIndex {
	if fields <= 16 {
		return nil
	}
	return make(fieldIndex, fields)
}

func (x fieldIndex) note(key *Node) {
	if x != nil {
		x[key.Value] = key
	}
}

func (x fieldIndex) find(fields []Field, key string) *Node {
	if x != nil {
		return x[key]
	}
	for _, f := range fields {
		if f.Key.Value == key {
			return f.Key
		}
	}
	return nil
}

const coreTags = "tag:yaml.org,2002:"

// applyTag gives a node the kind that its tag names (YAML 1.2.2, section 10).
func (p *parser) applyTag(n *Node, tag token) {
	name := p.expandTag(tag.value)
	want, known := map[string]Kind{
		"!": String, coreTags + "str": String, coreTags + "null": Null, coreTags + "bool": Bool,
		coreTags + "int": Int, coreTags + "float": Float, coreTags + "seq": Sequence, coreTags + "map": Mapping,
	}[name]
	switch {
	case !known:
		p.file.Faults = append(p.file.Faults, Fault{
			Code: Syntax, Start: tag.start, End: tag.end,
			Message: "this tag has no meaning here, and the agents' runtime refuses it",
			Help:    "remove the tag, or quote the value if the ! is part of it",
		})
	case name == "!" && !n.IsScalar():
	case want == String && n.IsScalar():
		n.Kind = String
	case want == Float && n.Kind == Int:
		n.Kind = Float
	case want != n.Kind && !(n.Style != Implicit && n.IsScalar() && resolve(n.Value) == want):
		fail(n.Start, max(n.End, n.Start), "the value is not what its tag says", "remove the tag, or write a value of its kind")
	default:
		n.Kind = want
	}
}

// expandTag undoes the shorthand of a tag.
func (p *parser) expandTag(tag string) string {
	if verbatim, ok := strings.CutPrefix(tag, "!<"); ok {
		return strings.TrimSuffix(verbatim, ">")
	}
	end := strings.LastIndexByte(tag, '!') + 1
	handle, suffix := tag[:end], tag[end:]
	if prefix, ok := p.tags[handle]; ok {
		return prefix + suffix
	}
	if handle == "!!" {
		return coreTags + suffix
	}
	return tag
}
