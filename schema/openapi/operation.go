package openapi

import (
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// An Operation is one operation of a description (OpenAPI 3.0.4, section 4.7.10).
type Operation struct {
	// ID is the value of its operationId.
	ID *source.Node
	// Path is the key of its path item among the paths: the path as a template.
	Path *source.Node
	// Method is the key it has in the path item: get, put, post, delete, options,
	// head, patch, trace or query.
	Method string
	// Parameters are those of the path item and its own. Of two with one name and
	// place its own counts, names of headers compared without case. Those behind a
	// dead reference are nothing.
	Parameters []Parameter
	// Partial says that there are parameters outside the file, so that any name
	// may be one's.
	Partial bool
	// Body is what the requestBody says; nil without one, or when it is a
	// reference that leads to nothing.
	Body *Body
	// External are the values of the $refs to outside the file that it reaches:
	// its parameters, its body, and the schemas of both to any depth. Each is there
	// once, in the order of the text.
	External []*source.Node
}

// A Parameter is one parameter of an operation (section 4.7.12).
type Parameter struct {
	// Name is as it is written; In is the place: path, query, header or cookie.
	Name, In string
	// Required is also true of a parameter in the path that does not say so.
	Required bool
	// Schema is that of the parameter or of its content; one that says nothing if
	// there is none.
	Schema *Schema
	// Node is the parameter, references followed.
	Node *source.Node
}

// A Body is the request body of an operation (section 4.7.13).
type Body struct {
	// Required is whether a request must have one.
	Required bool
	// JSON says that one of its media types is JSON: application/json, or else the
	// first whose name ends in +json. Parameters and letter case do not count.
	JSON bool
	// Schema is that of the JSON media type; one that says nothing if there is
	// none. Of a body outside the file its External is true, and nothing else of
	// the body is known.
	Schema *Schema
	// Node is the body, references followed up to one that leads outside.
	Node *source.Node
}

// A found operation is one that the index has.
type found struct {
	id     string
	path   place   // the path item among the paths
	items  []place // the path item, and those that it refers to
	method string
	at     place // the operation
}

// OperationIDs are the ids of all operations, in the order of the text; one that
// several have is there as often. An operation without an id, or whose id is no
// scalar, is not there.
func (d *Description) OperationIDs() []string {
	ids := make([]string, len(d.found))
	for i, f := range d.found {
		ids[i] = f.id
	}
	return ids
}

// ExternalPaths are the values of the $refs by which path items lie outside the
// file: operations that nothing is known of, their ids included.
func (d *Description) ExternalPaths() []*source.Node { return d.externalPaths }

// Operations are those that have the id, in the order of the text; more than one
// is a fault of the description. The error, if there is one, is an *Invalid: the
// text is broken in something that they reach. They are read once, however often
// they are asked for.
func (d *Description) Operations(id string) ([]*Operation, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.read[id]
	if !ok {
		broken := d.tree.try(func() {
			for _, i := range d.byID[id] {
				known.operations = append(known.operations, d.operation(d.found[i]))
			}
		})
		if broken != nil {
			known = selection{err: broken}
		}
		d.read[id] = known
	}
	return known.operations, known.err
}

// A selection is what Operations found for an id.
type selection struct {
	operations []*Operation
	err        error
}

// index finds all operations that have an id.
func (d *Description) index() {
	t := d.tree
	paths, _ := t.get(t.top, "paths")
	outside := &away{}
	t.noteExternal(paths, outside)
	for _, path := range t.fields(paths) {
		if strings.HasPrefix(path.name, "x-") {
			continue // an extension
		}
		items := t.pathItems(path.value, outside)
		known := map[string]bool{}
		for _, item := range items {
			for _, f := range t.fields(item) {
				if !isMethod(f.name) || known[f.name] {
					continue
				}
				known[f.name] = true
				t.noteExternal(f.value, outside)
				id, _ := t.get(f.value, "operationId")
				if name, ok := t.scalar(id); ok {
					d.found = append(d.found, found{name, path.value, items, f.name, f.value})
				}
			}
		}
	}
	d.externalPaths = outside.refs
	for i, f := range d.found {
		d.byID[f.id] = append(d.byID[f.id], i)
	}
}

// noteExternal notes a $ref to outside the file in a place where OpenAPI has
// none, as tools write them that split a description over files.
func (t *tree) noteExternal(p place, outside *away) {
	at, _ := t.get(p, "$ref")
	if ref := t.node(at); ref != nil && ref.IsScalar() && !isLocal(ref) {
		outside.add(ref)
	}
}

// isMethod says whether a field of a path item is an operation. OpenAPI 3.2 has
// query, too.
func isMethod(name string) bool {
	switch name {
	case "get", "put", "post", "delete", "options", "head", "patch", "trace", "query":
		return true
	}
	return false
}

// pathItems are the path item at a place and those that it refers to, one after
// the other. What the first says comes before what it refers to.
func (t *tree) pathItems(p place, outside *away) []place {
	items := []place{p}
	seen := map[*source.Node]bool{}
	for {
		at, _ := t.get(p, "$ref")
		ref := t.node(at)
		switch {
		case ref == nil || !ref.IsScalar():
			return items
		case !isLocal(ref):
			outside.add(ref)
			return items
		}
		target := t.target(ref)
		if target == nil || seen[target] {
			return items
		}
		seen[target] = true
		p = place{node: target}
		items = append(items, p)
	}
}

// operation reads one operation.
func (d *Description) operation(f found) *Operation {
	t := d.tree
	id, _ := t.get(f.at, "operationId")
	o := &Operation{ID: t.node(id), Path: t.key(f.path), Method: f.method}
	outside := &away{}
	t.pathItems(f.path, outside)

	schemas := d.parameters(o, append([]place{f.at}, f.items...), outside)
	o.Partial = len(outside.refs) > 0
	if p, ok := t.get(f.at, "requestBody"); ok {
		var schema *source.Node
		o.Body, schema = d.body(t.node(p), outside)
		schemas = append(schemas, schema)
	}
	outside.schemas(d, schemas)
	o.External = outside.refs
	slices.SortStableFunc(o.External, func(a, b *source.Node) int { return a.Start - b.Start })
	return o
}

// parameters reads the parameters of an operation from the places that have some,
// the operation first and then its path items; what comes first counts. They are
// listed the other way round, as the path has them. Their schemas are returned.
func (d *Description) parameters(o *Operation, from []place, outside *away) (schemas []*source.Node) {
	t := d.tree
	type identity struct{ name, in string }
	known := map[identity]bool{}
	for _, p := range from {
		at, _ := t.get(p, "parameters")
		list, leads := t.follow(t.node(at))
		if leads != nil {
			outside.add(leads)
		}
		if list == nil {
			continue
		}
		var parameters []Parameter
		for _, item := range list.Items {
			n, leads := t.follow(item)
			if leads != nil {
				outside.add(leads)
			}
			if n == nil {
				continue
			}
			name, in := n.Get("name"), n.Get("in")
			if !isText(name) || !isText(in) {
				continue
			}
			same := identity{name.Value, in.Value}
			if in.Value == "header" {
				same.name = strings.ToLower(name.Value)
			}
			if known[same] {
				continue
			}
			known[same] = true
			schema := parameterSchema(n)
			schemas = append(schemas, schema)
			parameters = append(parameters, Parameter{
				Name: name.Value, In: in.Value, Required: isTrue(n.Get("required")) || in.Value == "path",
				Schema: d.schema(n, schema), Node: n,
			})
		}
		o.Parameters = append(parameters, o.Parameters...)
	}
	return schemas
}

// parameterSchema is the schema of a parameter: its own, or that of the one media
// type of its content.
func parameterSchema(n *source.Node) *source.Node {
	if content := n.Get("content"); content != nil && len(content.Fields) > 0 {
		return content.Fields[0].Value.Get("schema")
	}
	return n.Get("schema")
}

// body reads what the requestBody of an operation says, and its schema.
func (d *Description) body(n *source.Node, outside *away) (*Body, *source.Node) {
	external := func(ref *source.Node) (*Body, *source.Node) {
		outside.add(ref)
		return &Body{Schema: &Schema{of: d, at: n, external: true}, Node: n}, nil
	}
	followed, leads := d.tree.follow(n)
	if leads != nil {
		return external(leads)
	}
	if followed == nil || followed.Kind != source.Mapping {
		return nil, nil
	}
	b := &Body{Required: isTrue(followed.Get("required")), Node: followed}
	content, leads := d.tree.follow(followed.Get("content"))
	if leads != nil {
		return external(leads)
	}
	media, leads := d.tree.follow(jsonMedia(content))
	if leads != nil {
		return external(leads)
	}
	var schema *source.Node
	if media != nil {
		b.JSON = true
		schema = media.Get("schema")
	}
	b.Schema = d.schema(followed, schema)
	return b, schema
}

// jsonMedia is what a body's content has for JSON, or nil.
func jsonMedia(content *source.Node) *source.Node {
	if content == nil {
		return nil
	}
	var other *source.Node
	for _, f := range content.Fields {
		name, _, _ := strings.Cut(f.Key.Value, ";")
		switch name = strings.ToLower(strings.TrimSpace(name)); {
		case name == "application/json":
			return f.Value
		case strings.HasSuffix(name, "+json") && other == nil:
			other = f.Value
		}
	}
	return other
}

// isText says whether a node, which may be nil, is a scalar with a text.
func isText(n *source.Node) bool { return n != nil && n.IsScalar() && n.Kind != source.Null }

// isTrue says whether a node, which may be nil, is the boolean true.
func isTrue(n *source.Node) bool {
	return n != nil && n.Kind == source.Bool && strings.EqualFold(n.Value, "true")
}
