package openapi

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// reference is the value of a mapping's $ref, or nil for a node that is none. A
// $ref with a collection for a value is a property of that name.
func reference(n *source.Node) *source.Node {
	if ref := n.Get("$ref"); ref != nil && ref.IsScalar() {
		return ref
	}
	return nil
}

// isLocal says whether a $ref points into its own file.
func isLocal(ref *source.Node) bool {
	return ref.Kind != source.String || ref.Value == "" || ref.Value[0] == '#'
}

// target is what a local $ref points to, or nil when it is a dead end.
func (t *tree) target(ref *source.Node) *source.Node {
	fragment, ok := strings.CutPrefix(ref.Value, "#/")
	if !ok || ref.Kind != source.String {
		return nil // also #name, which anchors in schemas have
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n, known := t.pointers[fragment]
	if !known {
		var ok bool
		if n, ok = t.walk(strings.Split(fragment, "/")); ok {
			t.pointers[fragment] = n
		}
	}
	return n
}

var unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")

// walk follows the tokens of a JSON Pointer (RFC 6901) from the top. What it leads
// to is nil if there is nothing; it is not ok when that is broken.
func (t *tree) walk(tokens []string) (n *source.Node, ok bool) {
	// What is parsed at a time: one of the components, or a field of the second
	// level elsewhere, such as a path item.
	apart := 2
	if tokens[0] == "components" {
		apart = 3
	}
	at := t.top
	for i, token := range tokens {
		if at.node == nil && (i == apart || len(t.mapping(at).fields) == 0) {
			at = place{node: t.parse(at)}
			if at.node == nil {
				return nil, false
			}
		}
		token = unescapeToken.Replace(token)
		if at.node != nil && at.node.Kind == source.Sequence {
			index, ok := item(token, len(at.node.Items))
			if !ok {
				return nil, true
			}
			at = place{node: at.node.Items[index]}
			continue
		}
		if at, ok = t.mapping(at).get(token); !ok {
			return nil, true
		}
	}
	n = t.parse(at)
	return n, n != nil
}

// item reads the index of one of some items of a list.
func item(token string, items int) (index int, ok bool) {
	index, err := strconv.Atoi(token)
	return index, err == nil && index >= 0 && index < items && strconv.Itoa(index) == token
}

// follow is the node that a node leads to through references: itself, if it is
// none. It is nil where that is nothing, at a dead end or in a loop, and where it
// is outside the file: away is then the $ref that leads there.
func (t *tree) follow(n *source.Node) (target, away *source.Node) {
	seen := map[*source.Node]bool{}
	for n != nil && !seen[n] {
		ref := reference(n)
		if ref == nil {
			return n, nil
		}
		if !isLocal(ref) {
			return nil, ref
		}
		seen[n] = true
		n = t.target(ref)
	}
	return nil, nil
}
