package source

// The collections of a document. Each function is called with the token that
// begins the collection next.

func (p *parser) blockSequence() *Node {
	n := p.begin(Sequence, Block)
	for p.scanner.peek().kind == blockEntry {
		p.blockItem(n)
	}
	if t := p.scanner.peek(); t.kind != blockEnd {
		p.unexpected(*t)
	}
	p.scanner.next()
	return n
}

// indentlessSequence reads a list that is indented as the key it belongs to.
func (p *parser) indentlessSequence() *Node {
	t := p.scanner.peek()
	n := p.newNode(Sequence, Block, t.start, t.end)
	for p.scanner.peek().kind == blockEntry {
		p.blockItem(n)
	}
	return n
}

func (p *parser) blockItem(n *Node) {
	dash := p.scanner.next()
	item := p.node(blockNode, dash.start)
	if item.Style == Implicit && item.Start == dash.start {
		item.End = dash.end
	}
	n.add(item)
}

func (p *parser) blockMapping() *Node {
	n := p.begin(Mapping, Block)
	for {
		switch t := p.scanner.peek(); t.kind {
		case keyToken:
			mark := p.scanner.next()
			key := p.node(blockValue, mark.end)
			n.addField(key, p.value(blockValue, key))
		case valueToken:
			key := p.newNode(Null, Implicit, t.start, t.start)
			n.addField(key, p.value(blockValue, key))
		case blockEnd:
			p.scanner.next()
			p.finish(n)
			return n
		default:
			p.unexpected(*t)
		}
	}
}

// value reads a ":" and what stands behind it, or the nothing that a key
// without one has for a value.
func (p *parser) value(c context, key *Node) *Node {
	if t := p.scanner.peek(); t.kind != valueToken {
		return p.newNode(Null, Implicit, key.End, key.End)
	}
	colon := p.scanner.next()
	return p.node(c, colon.end)
}

func (p *parser) flowSequence() *Node {
	n := p.begin(Sequence, Flow)
	for p.more(n, len(n.Items) > 0, flowSequenceEnd) {
		switch t := p.scanner.peek(); t.kind {
		case keyToken, valueToken:
			n.add(p.nested(p.pair))
		default:
			n.add(p.flowItem())
		}
	}
	return n
}

// flowItem reads a node inside brackets that must be there.
func (p *parser) flowItem() *Node {
	t := *p.scanner.peek()
	n := p.node(flowNode, t.start)
	if n.Style == Implicit && n.Start == t.start {
		p.unexpected(t)
	}
	return n
}

// pair reads a mapping of one field that has no braces around it: [a: 1].
func (p *parser) pair() *Node {
	t := p.scanner.peek()
	n := p.newNode(Mapping, Flow, t.start, t.start)
	p.flowField(n)
	p.finish(n)
	return n
}

func (p *parser) flowMapping() *Node {
	n := p.begin(Mapping, Flow)
	for p.more(n, len(n.Fields) > 0, flowMappingEnd) {
		p.flowField(n)
	}
	p.finish(n)
	return n
}

func (p *parser) flowField(n *Node) {
	t := p.scanner.peek()
	var key *Node
	switch t.kind {
	case keyToken:
		mark := p.scanner.next()
		key = p.node(flowNode, mark.end)
	case valueToken:
		key = p.newNode(Null, Implicit, t.start, t.start)
	default:
		key = p.flowItem()
	}
	n.addField(key, p.value(flowNode, key))
}

// more says whether another entry of a collection in brackets follows, and
// takes the comma before it or the bracket that ends the collection.
func (p *parser) more(n *Node, comma bool, end tokenKind) bool {
	t := p.scanner.peek()
	if comma && t.kind == flowEntry {
		p.scanner.next()
		t = p.scanner.peek()
	} else if comma && t.kind != end {
		if t.kind != valueToken && t.kind != streamEnd {
			fail(t.start, max(t.end, t.start+1), "a comma is missing before this", "write one, or quote the value before")
		}
		p.unexpected(*t)
	}
	if t.kind != end {
		return true
	}
	n.End = p.scanner.next().end
	return false
}

// begin takes the token that a collection begins with.
func (p *parser) begin(kind Kind, style Style) *Node {
	t := p.scanner.next()
	return p.newNode(kind, style, t.start, t.end)
}

// add appends an item to a sequence.
func (n *Node) add(item *Node) {
	item.Parent, item.index = n, len(n.Items)
	n.Items = append(n.Items, item)
	n.grow(item)
}

// addField appends a field to a mapping.
func (n *Node) addField(key, value *Node) {
	key.Parent, key.isKey = n, true
	value.Parent, value.Key = n, key
	if !key.IsScalar() && key.Origin == nil {
		key.Value = key.File.Text[key.Start:key.End]
	}
	key.merge = key.Style == Plain && key.Value == "<<"
	n.Fields = append(n.Fields, Field{key, value})
	n.grow(key)
	n.grow(value)
}

// grow makes a collection reach to the end of a node in it.
func (n *Node) grow(in *Node) {
	n.End = max(n.End, in.End)
	n.height = max(n.height, in.height+1)
	n.size += in.size
}
