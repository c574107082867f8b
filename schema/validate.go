package schema

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// Validate holds a document against the schema of its kind.
func Validate(k Kind, root *source.Node) *Shape {
	c := &checker{
		schema: compiled[k](),
		shape: &Shape{
			refused: map[*source.Node]bool{},
			faulty:  map[*source.Node]bool{},
			unknown: map[*source.Node]bool{},
			claims:  map[claim]*source.Node{},
		},
		indexes: map[*source.Node]map[string]*source.Node{},
		scopes:  map[*source.Node]*scope{},
		meant:   map[*source.Node]suggest.Match{},
		belongs: map[*source.Node]string{},
		failing: map[*source.Node]bool{},
		moved:   map[*source.Node]bool{},
	}
	var found []finding
	var failed *jsonschema.ValidationError
	if errors.As(c.schema.Validate(JSON(root)), &failed) {
		c.collect(root, failed, &found)
	}
	inTreeOrder(root, found)
	for _, f := range found {
		for n := f.node; n != nil && !c.failing[n]; n = n.Parent {
			c.failing[n] = true
		}
	}
	// Where a key belongs is settled first: what follows from it is no fault.
	for _, f := range found {
		c.settleLostChildren(f.node)
	}
	for _, f := range found {
		if _, ok := f.kind.(*kind.AdditionalProperties); ok {
			c.settleUnknown(f.node)
		}
	}
	for _, f := range found {
		c.settleStray(f.node)
	}
	if k == Agent {
		c.settleAllowInOnly(root)
	}
	for _, f := range found {
		c.report(f)
	}
	c.sort()
	return c.shape
}

// A checker turns what the validator says of one document into violations.
type checker struct {
	schema  *jsonschema.Schema
	shape   *Shape
	indexes map[*source.Node]map[string]*source.Node
	scopes  map[*source.Node]*scope
	meant   map[*source.Node]suggest.Match // the key that a misspelt one counts as
	belongs map[*source.Node]string        // where a key on the wrong level should be
	// failing are the nodes that the validator found a fault on or in.
	failing map[*source.Node]bool
	// moved are the keys, and the values, that a violation about a key's place
	// already speaks for.
	moved map[*source.Node]bool
}

// A finding is one failed keyword, on the node that it failed for.
type finding struct {
	node *source.Node
	kind jsonschema.ErrorKind
}

// inTreeOrder sorts findings, which the validator has in random order, as their
// nodes come in the tree. Repeated items come last: one that is refused otherwise
// is no repetition.
func inTreeOrder(root *source.Node, found []finding) {
	if len(found) < 2 {
		return
	}
	// Places would not do: all that one alias brings in has the same.
	order := map[*source.Node]int{}
	var walk func(n *source.Node)
	walk = func(n *source.Node) {
		order[n] = len(order)
		for _, item := range n.Items {
			walk(item)
		}
		for _, f := range n.Fields {
			walk(f.Value)
		}
	}
	walk(root)
	rank := func(f finding) int {
		if _, repeated := f.kind.(*kind.UniqueItems); repeated {
			return len(order)
		}
		return order[f.node]
	}
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			cmp.Compare(order[a.node], order[b.node]),
			cmp.Compare(fmt.Sprintf("%T", a.kind), fmt.Sprintf("%T", b.kind)),
		)
	})
}

// collect gathers the leaves of the validator's tree of errors.
func (c *checker) collect(root *source.Node, e *jsonschema.ValidationError, found *[]finding) {
	if _, negated := e.ErrorKind.(*kind.Not); len(e.Causes) > 0 && !negated {
		for _, cause := range e.Causes {
			c.collect(root, cause, found)
		}
		return
	}
	n := root
	for _, token := range e.InstanceLocation {
		n = c.child(n, token)
	}
	*found = append(*found, finding{n, e.ErrorKind})
}

// manyFields is from how many fields on a mapping gets an index.
const manyFields = 32

// child is the value of a key, or the item of a number.
func (c *checker) child(n *source.Node, token string) *source.Node {
	if n.Kind == source.Sequence {
		i, err := strconv.Atoi(token)
		if err != nil {
			panic("the validator names the item " + token)
		}
		return n.Items[i]
	}
	if len(n.Fields) < manyFields {
		return n.Get(token)
	}
	index := c.indexes[n]
	if index == nil {
		index = make(map[string]*source.Node, len(n.Fields))
		for _, f := range n.Fields {
			index[f.Key.Value] = f.Value
		}
		c.indexes[n] = index
	}
	return index[token]
}

// add reports a violation, one for each token. refused is the value that no
// rule may speak about any more; it may be nil.
func (c *checker) add(v Violation, refused *source.Node) {
	if refused != nil {
		if c.shape.refused[refused] {
			return
		}
		c.shape.refused[refused] = true
	}
	for n := v.Node; n != nil; n = n.Parent {
		c.shape.faulty[n] = true
	}
	if v.Code == UnknownKey {
		c.shape.unknown[v.Node] = true
	}
	c.shape.Violations = append(c.shape.Violations, v)
}

// report turns a finding into its violations.
func (c *checker) report(f finding) {
	for n := f.node; n != nil; n = n.Parent {
		if c.moved[n] {
			return
		}
	}
	switch e := f.kind.(type) {
	case *kind.Required:
		for _, key := range e.Missing {
			c.missing(f.node, key)
		}
	case *kind.AdditionalProperties:
		c.unknown(f.node, e.Properties)
	case *kind.MaxProperties, *kind.Not:
		c.exclusive(f.node)
	case *kind.MinProperties:
		c.tooFew(f.node)
	case *kind.UniqueItems:
		c.duplicates(f.node)
	case *kind.Type:
		c.wrongType(f.node, e.Want)
	case *kind.InvalidJsonValue:
		// The list around such a value is told of it as well.
		if f.node.Kind == source.Float {
			c.wrongType(f.node, c.types(f.node))
		}
	case *kind.MinItems:
		c.empty(f.node)
	default:
		c.wrongValue(f)
	}
}

func (c *checker) missing(mapping *source.Node, key string) {
	if c.shape.Claimed(mapping, key) != nil {
		return
	}
	at := mapping
	switch {
	case mapping.Key != nil:
		at = mapping.Key
	case len(mapping.Fields) > 0:
		at = mapping.Fields[0].Key
	}
	v := Violation{Code: MissingKey, Node: at, Message: fmt.Sprintf("%s has no `%s`, which is required", place(mapping), key), Label: "`" + key + "` is missing"}
	if s := c.property(mapping, key); s != nil && describe(s) != "" {
		v.Help = fmt.Sprintf("add `%s`: %s", key, describe(s))
	}
	c.add(v, nil)
}

// describe is what a schema says of itself for people.
func describe(s *jsonschema.Schema) string {
	return strings.TrimSuffix(s.Description, ".")
}

func (c *checker) tooFew(mapping *source.Node) {
	if c.isChoice(mapping) {
		c.noKind(mapping, c.scope(mapping).keys)
		return
	}
	c.empty(mapping)
}

func (c *checker) empty(n *source.Node) {
	help := "write at least one, or leave the key out"
	if n.IsScalar() {
		help = "write a text, or leave it out"
	}
	c.add(Violation{Code: Empty, Node: n, Message: place(n) + " must not be empty", Help: help}, n)
}

// exclusive reports the second of the keys that cannot stand together.
func (c *checker) exclusive(mapping *source.Node) {
	var group []string
	if c.isChoice(mapping) {
		group = c.scope(mapping).keys
	}
	for _, s := range c.scope(mapping).schemas {
		if s.Not != nil && present(mapping, s.Not.Required) == len(s.Not.Required) {
			group = append(group, s.Not.Required...)
		}
	}
	var first *source.Node
	for _, f := range inOrder(mapping.Fields) {
		switch {
		case !slices.Contains(group, f.Key.Value):
		case first == nil:
			first = f.Key
		default:
			c.add(Violation{
				Code: OneOf, Node: f.Key,
				Message: fmt.Sprintf("`%s` cannot stand beside `%s`", f.Key.Value, first.Value),
				Help:    "keep one of the two", Related: first, Note: "the other is here",
			}, mapping)
			return
		}
	}
}

func present(mapping *source.Node, keys []string) int {
	n := 0
	for _, key := range keys {
		if mapping.Get(key) != nil {
			n++
		}
	}
	return n
}

// inOrder are fields in the order of the text; those of merge keys stand where
// the alias does.
func inOrder(fields []source.Field) []source.Field {
	fields = slices.Clone(fields)
	sort.SliceStable(fields, func(i, j int) bool { return fields[i].Key.Start < fields[j].Key.Start })
	return fields
}

// duplicates reports every item that equals one before it.
func (c *checker) duplicates(list *source.Node) {
	first := map[string]*source.Node{}
	for _, item := range list.Items {
		if c.shape.refused[item] {
			continue
		}
		key := fmt.Sprintf("%T %v", JSON(item), JSON(item))
		if before := first[key]; before != nil {
			c.add(Violation{
				Code: Duplicate, Node: item, Message: fmt.Sprintf("%s is in %s already", redact.Node(item), place(list)),
				Help: "remove it", Related: before, Note: "first named here",
			}, item)
			continue
		}
		first[key] = item
	}
}

// sort puts the violations in the order of the text; the validator's own order
// is random.
func (c *checker) sort() {
	sort.SliceStable(c.shape.Violations, func(i, j int) bool {
		a, b := c.shape.Violations[i], c.shape.Violations[j]
		if a.Node.Start != b.Node.Start {
			return a.Node.Start < b.Node.Start
		}
		if a.Code != b.Code {
			return a.Code < b.Code
		}
		return a.Message < b.Message
	})
}
