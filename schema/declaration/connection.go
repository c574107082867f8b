package declaration

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/catalog"
	"github.com/gete-lint/gete/schema/source"
)

// A Connection is one connection of the registry.
type Connection struct {
	ID string
	// Key is the key that gete.yaml declares it under; nil where only the
	// catalog has it.
	Key *source.Node
	// Own is what gete.yaml says of it; nil where only the catalog has it.
	Own *source.Node
	// Node is the definition: the catalog's with what gete.yaml says applied.
	Node *source.Node
	// InCatalog says that the catalog has the id.
	InCatalog bool
	// Sound says that the definition can be judged: the schema found no fault in
	// what gete.yaml says of it, and nothing is missing.
	Sound bool
	// Missing are the required keys that a definition of the project's own lacks.
	Missing []string
}

// A Registry is the connections that a project can use, by id.
type Registry map[string]*Connection

// IDs are the ids, sorted.
func (r Registry) IDs() []string {
	ids := make([]string, 0, len(r))
	for id := range r {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Shipped are the ids that the catalog has, sorted.
func (r Registry) Shipped() []string {
	return slices.DeleteFunc(r.IDs(), func(id string) bool { return !r[id].InCatalog })
}

// Sound says whether all its connections are.
func (r Registry) Sound() bool {
	for _, c := range r {
		if !c.Sound {
			return false
		}
	}
	return true
}

// newRegistry is the catalog with the connections of a gete.yaml applied; own
// may be nil.
func newRegistry(d *Document, own *source.Node) Registry {
	r := Registry{}
	for _, f := range catalog.Connections().Fields {
		r[f.Key.Value] = &Connection{ID: f.Key.Value, Node: f.Value, InCatalog: true, Sound: true}
	}
	if own == nil {
		return r
	}
	for _, f := range own.Fields {
		if d.Unknown(f.Key) {
			continue // not an id
		}
		id := f.Key.Value
		shipped := r[id]
		c := &Connection{ID: id, Key: f.Key, Own: f.Value, InCatalog: shipped != nil, Sound: !d.Faulty(f.Value)}
		if shipped == nil {
			shipped = &Connection{Node: &source.Node{Kind: source.Mapping}}
			c.Missing = missing(d, f.Value)
			c.Sound = c.Sound && len(c.Missing) == 0
		}
		c.Node = shipped.Node
		if c.Sound {
			c.Node = merge(shipped.Node, f.Value)
		}
		r[id] = c
	}
	return r
}

// missing are the keys that a definition must have and does not state.
func missing(d *Document, own *source.Node) []string {
	if own.Kind != source.Mapping {
		return nil // the schema refuses it
	}
	var keys []string
	if !d.States(own, "display_name") {
		keys = append(keys, "display_name")
	}
	if !d.States(own, "oauth") && !d.States(own, "app") {
		keys = append(keys, "oauth or app")
	}
	if oauth := own.Get("oauth"); oauth != nil && oauth.Kind == source.Mapping {
		for _, key := range []string{"authorization_url", "token_url", "scopes"} {
			if !d.States(oauth, key) {
				keys = append(keys, "oauth."+key)
			}
		}
	}
	return keys
}

// merge applies a connection of gete.yaml to the catalog's: its keys replace
// those there, a map is merged one level deep, anything deeper is replaced.
func merge(shipped, own *source.Node) *source.Node {
	merged := &source.Node{Kind: source.Mapping}
	for _, f := range shipped.Fields {
		over := own.Get(f.Key.Value)
		switch {
		case over == nil:
			merged.Fields = append(merged.Fields, f)
		case over.Kind == source.Mapping && f.Value.Kind == source.Mapping:
			inner := &source.Node{Kind: source.Mapping, Fields: slices.Clone(over.Fields)}
			for _, g := range f.Value.Fields {
				if over.Get(g.Key.Value) == nil {
					inner.Fields = append(inner.Fields, g)
				}
			}
			merged.Fields = append(merged.Fields, source.Field{Key: f.Key, Value: inner})
		default:
			merged.Fields = append(merged.Fields, source.Field{Key: f.Key, Value: over})
		}
	}
	for _, f := range own.Fields {
		if shipped.Get(f.Key.Value) == nil {
			merged.Fields = append(merged.Fields, f)
		}
	}
	return merged
}

// Get follows keys into the definition; nil where there is no such value.
func (c *Connection) Get(keys ...string) *source.Node {
	n := c.Node
	for _, key := range keys {
		if n == nil {
			return nil
		}
		n = n.Get(key)
	}
	return n
}

// Text is the scalar that keys lead to, or "".
func (c *Connection) Text(keys ...string) string {
	if n := c.Get(keys...); n != nil {
		return n.Value
	}
	return ""
}

// Items is the list that keys lead to.
func (c *Connection) Items(keys ...string) []*source.Node {
	if n := c.Get(keys...); n != nil {
		return n.Items
	}
	return nil
}

// Keys are the keys of the map that keys lead to.
func (c *Connection) Keys(keys ...string) []string {
	n := c.Get(keys...)
	if n == nil {
		return nil
	}
	names := make([]string, len(n.Fields))
	for i, f := range n.Fields {
		names[i] = f.Key.Value
	}
	return names
}

// rootMark stands for base_url in the other URLs of a connection.
const rootMark = "{base_url}"

// urls are the URLs that may stand for base_url.
func (c *Connection) urls() []string {
	return []string{c.Text("oauth", "authorization_url"), c.Text("oauth", "token_url"), c.Text("mcp", "url")}
}

// NeedsRoot says whether the connection cannot be used without a base_url, and
// has none.
func (c *Connection) NeedsRoot() bool {
	if c.Text("base_url") != "" {
		return false
	}
	for _, u := range c.urls() {
		if strings.HasPrefix(u, rootMark) {
			return true
		}
	}
	return false
}

// Resolve fills the root into a URL of the connection.
func (c *Connection) Resolve(u string) string {
	if rest, ok := strings.CutPrefix(u, rootMark); ok {
		return strings.TrimSuffix(c.Text("base_url"), "/") + rest
	}
	return u
}

// Entries are where the connection's token may go: hosts, and paths on hosts.
func (c *Connection) Entries() []string {
	var entries []string
	for _, item := range c.Items("hosts") {
		entries = append(entries, item.Value)
	}
	if host := HostOf(c.Text("base_url")); host != "" && !slices.Contains(entries, host) {
		entries = append(entries, host)
	}
	return entries
}

// Allows says whether the connection's token may go to a URL.
func (c *Connection) Allows(target string) bool {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "https" {
		return false
	}
	host := HostOf(target)
	for _, entry := range c.Entries() {
		entryHost, path, bounded := strings.Cut(entry, "/")
		if host != entryHost {
			continue
		}
		if !bounded || below(u.EscapedPath(), "/"+path) {
			return true
		}
	}
	return false
}

// HostOf is the host of an https URL in lower case, with its port unless that
// is 443; "" where there is none.
func HostOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Host), ":443")
}

// below says whether a path, as it is written in a URL, stays below another that
// ends in a slash. One with a segment or a separator that a server could
// resolve to somewhere else is refused, however often it is encoded.
func below(path, prefix string) bool {
	if !strings.HasPrefix(path, prefix) {
		return false
	}
	for decoded := path; ; {
		for _, segment := range strings.Split(decoded, "/") {
			if segment == "." || segment == ".." {
				return false
			}
		}
		lower := strings.ToLower(decoded)
		if strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") || strings.Contains(decoded, `\`) {
			return false
		}
		next, err := url.PathUnescape(decoded)
		if err != nil || next == decoded {
			return true
		}
		decoded = next
	}
}
