package declaration

import (
	"path/filepath"
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// An Agent is an agent.yaml. Values that are left out, or that the schema
// refuses, are nil.
type Agent struct {
	*Document
	// Dir is the agent's folder.
	Dir string
	// NoFolder says that the folder's name does not matter: the text came
	// without one.
	NoFolder bool

	Name              *source.Node
	Instruction       *source.Node
	Source            *source.Node
	Requirements      *source.Node
	Connections       []Use
	SharedCredentials []*source.Node
	// Env and SecretEnv are the variables that are set, whatever to.
	Env, SecretEnv []source.Field
	Blocks         []Block

	// ConnectionsKnown says that no connection of the agent was lost to a fault.
	ConnectionsKnown bool
	// BlocksKnown says that no tool block was.
	BlocksKnown bool
}

// A Use is a connection that an agent names.
type Use struct {
	ID     *source.Node
	Scopes []*source.Node // those selected beyond the default ones
	// Repeated says that the agent has named the connection before.
	Repeated bool
}

// A Block is one tool block; exactly one of its fields is not nil.
type Block struct {
	Builtin *source.Node
	Python  *source.Node // the pkg.module:ATTR
	MCP     *MCP
	OpenAPI *OpenAPI
}

// Names is a list of names, such as allow.
type Names struct {
	// Key is the key that the list stands under; nil where there is none.
	Key *source.Node
	// Stated says that the declaration has such a list, in whatever shape.
	Stated bool
	// Known says that all its items are.
	Known bool
	Items []*source.Node

	index map[string]bool // of the items; nil for few
}

// manyNames is from how many names on a list gets an index.
const manyNames = 16

func indexNames(items []*source.Node) map[string]bool {
	if len(items) < manyNames {
		return nil
	}
	index := make(map[string]bool, len(items))
	for _, item := range items {
		index[item.Value] = true
	}
	return index
}

// Has says whether the list names something.
func (n Names) Has(name string) bool {
	if n.index != nil {
		return n.index[name]
	}
	for _, item := range n.Items {
		if item.Value == name {
			return true
		}
	}
	return false
}

// Strings are the names.
func (n Names) Strings() []string {
	names := make([]string, len(n.Items))
	for i, item := range n.Items {
		names[i] = item.Value
	}
	return names
}

// An Entry is what a block says of one tool under params, only or describe.
type Entry struct {
	Tool *source.Node // the key
	// Known says that the entry has the right shape; an item of it may not.
	Known bool
	// Params are the arguments under params; values are maps of value, prefix
	// and suffix.
	Params []source.Field
	// Broken are the arguments under params of which the schema refuses something.
	Broken []*source.Node
	// Only are the arguments under only.
	Only []*source.Node
	// Lost says that an argument under only was lost to a fault.
	Lost bool
}

// Entries is one of the maps by tool: params, only or describe.
type Entries struct {
	Key    *source.Node // the key of the map; nil where there is none
	Stated bool         // the declaration has such a map, in whatever shape
	// Known says that the map has the right shape; an entry in it may not.
	Known bool
	Tools []Entry

	index map[string]int // of the tools
}

// Entry is what the map says of a tool.
func (e Entries) Entry(tool string) (Entry, bool) {
	i, ok := e.index[tool]
	if !ok {
		return Entry{}, false
	}
	return e.Tools[i], true
}

// Calls is what mcp and openapi blocks have in common.
type Calls struct {
	Key          *source.Node // mcp or openapi
	Connection   *source.Node
	Params, Only Entries
	// Writes says that the tools may change something; EffectKnown is false
	// where the declaration's effect is refused.
	Writes, EffectKnown bool
	// DoesNot is what the description of each tool is to end with.
	DoesNot *source.Node
}

// MCP is an mcp block.
type MCP struct {
	Calls
	URL     *source.Node
	Headers []source.Field
	Allow   Names
	Timeout *source.Node // in seconds
}

// OpenAPI is an openapi block.
type OpenAPI struct {
	Calls
	Spec    *source.Node
	BaseURL *source.Node
	// BaseURLStated says that the block has a base_url, in whatever shape.
	BaseURLStated bool
	Operations    Names
	Describe      Entries
}

// Calls is what an mcp or openapi block has in common; nil for other blocks.
func (b Block) Calls() *Calls {
	switch {
	case b.MCP != nil:
		return &b.MCP.Calls
	case b.OpenAPI != nil:
		return &b.OpenAPI.Calls
	}
	return nil
}

// Target is the URL that a block itself sends its connection's token to, or nil.
func (b Block) Target() *source.Node {
	switch {
	case b.MCP != nil:
		return b.MCP.URL
	case b.OpenAPI != nil:
		return b.OpenAPI.BaseURL
	}
	return nil
}

// NewAgent is the agent that an agent.yaml in a folder declares.
func NewAgent(dir string, d *Document) *Agent {
	a := &Agent{
		Document: d, Dir: dir,
		Name: d.at("name"), Instruction: d.at("instruction"),
		Source: d.at("source"), Requirements: d.at("requirements"),
		SharedCredentials: d.items(d.at("shared_credentials")),
		Env:               variables(d.at("runtime", "agent_engine", "env")),
		SecretEnv:         variables(d.at("runtime", "agent_engine", "secret_env")),
	}
	if d.File.Root == nil || d.Refused(d.File.Root) {
		return a
	}
	a.readConnections()
	a.readBlocks()
	return a
}

func variables(n *source.Node) []source.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// Folder is the name of the agent's folder.
func (a *Agent) Folder() string { return filepath.Base(a.Dir) }

// InstructionFile is the path of the file that the instruction is in, and
// whether it is in one: it has no line end, and begins or ends as a path does.
func (a *Agent) InstructionFile() (string, bool) {
	if a.Instruction == nil {
		return "", false
	}
	text := a.Instruction.Value
	if strings.ContainsAny(text, "\r\n") {
		return "", false
	}
	for _, prefix := range []string{"./", "../", "/"} {
		if strings.HasPrefix(text, prefix) {
			return text, true
		}
	}
	return text, strings.HasSuffix(text, ".md") || strings.HasSuffix(text, ".txt")
}

// StatesSource says whether the agent has a source, in whatever shape.
func (a *Agent) StatesSource() bool { return a.States(a.File.Root, "source") }

func (a *Agent) readConnections() {
	root := a.File.Root
	list := a.get(root, "connections")
	a.ConnectionsKnown = list != nil && !a.Faulty(list) || !a.States(root, "connections")
	named := map[string]bool{}
	for _, item := range a.items(list) {
		use := Use{ID: item}
		if item.Kind == source.Mapping {
			use = Use{ID: a.get(item, "id"), Scopes: a.items(a.get(item, "scopes"))}
		}
		if use.ID != nil {
			use.Repeated = named[use.ID.Value]
			named[use.ID.Value] = true
			a.Connections = append(a.Connections, use)
		}
	}
}

func (a *Agent) readBlocks() {
	root := a.File.Root
	list := a.get(root, "tools")
	a.BlocksKnown = list != nil || !a.States(root, "tools")
	for _, item := range a.items(list) {
		b := Block{Builtin: a.get(item, "builtin"), Python: a.get(item, "python")}
		if b.Python != nil && b.Python.Kind == source.Mapping {
			b.Python = a.get(b.Python, "ref")
		}
		if f, ok := item.Field("mcp"); ok && a.isMap(f.Value) {
			b.MCP = a.readMCP(f)
		}
		if f, ok := item.Field("openapi"); ok && a.isMap(f.Value) {
			b.OpenAPI = a.readOpenAPI(f)
		}
		if b == (Block{}) {
			a.BlocksKnown = false
			continue
		}
		a.Blocks = append(a.Blocks, b)
	}
	if list != nil && len(a.Blocks) < len(list.Items) {
		a.BlocksKnown = false
	}
}

func (a *Agent) isMap(n *source.Node) bool { return n.Kind == source.Mapping && !a.Refused(n) }

func (a *Agent) readMCP(f source.Field) *MCP {
	return &MCP{
		Calls:   a.readCalls(f),
		URL:     a.get(f.Value, "url"),
		Headers: a.fields(a.get(f.Value, "headers")),
		Allow:   a.names(f.Value, "allow"),
		Timeout: a.get(f.Value, "timeout"),
	}
}

func (a *Agent) readOpenAPI(f source.Field) *OpenAPI {
	return &OpenAPI{
		Calls:         a.readCalls(f),
		Spec:          a.get(f.Value, "spec"),
		BaseURL:       a.get(f.Value, "base_url"),
		BaseURLStated: a.States(f.Value, "base_url"),
		Operations:    a.names(f.Value, "operations"),
		Describe:      a.entries(f.Value, "describe"),
	}
}

func (a *Agent) readCalls(f source.Field) Calls {
	effect := a.get(f.Value, "effect")
	return Calls{
		Key:         f.Key,
		Connection:  a.get(f.Value, "connection"),
		Params:      a.entries(f.Value, "params"),
		Only:        a.entries(f.Value, "only"),
		Writes:      effect == nil || effect.Value == "write",
		EffectKnown: effect != nil || !a.States(f.Value, "effect"),
		DoesNot:     a.get(f.Value, "does_not"),
	}
}

func (a *Agent) names(mapping *source.Node, key string) Names {
	f, _ := mapping.Field(key)
	list := a.get(mapping, key)
	n := Names{Key: f.Key, Stated: a.States(mapping, key), Items: a.items(list)}
	if list == nil {
		return n
	}
	n.index = indexNames(n.Items)
	n.Known = true
	for _, item := range list.Items {
		// A repeated name is a fault of the list, but no name is lost by it.
		if a.Refused(item) && !n.Has(item.Value) {
			n.Known = false
		}
	}
	return n
}

func (a *Agent) entries(mapping *source.Node, key string) Entries {
	f, _ := mapping.Field(key)
	e := Entries{Key: f.Key, Stated: a.States(mapping, key)}
	tools := a.get(mapping, key)
	if tools == nil {
		return e
	}
	e.Known = true
	e.index = make(map[string]int, len(tools.Fields))
	for _, tool := range tools.Fields {
		if a.Unknown(tool.Key) {
			continue // no tool, but a key on the wrong level
		}
		entry := Entry{Tool: tool.Key}
		if !a.Refused(tool.Value) {
			entry.Known = true
			for _, f := range tool.Value.Fields {
				if a.Faulty(f.Value) || a.Faulty(f.Key) {
					entry.Broken = append(entry.Broken, f.Key)
				} else {
					entry.Params = append(entry.Params, f)
				}
			}
			entry.Only = a.items(tool.Value)
			for _, item := range tool.Value.Items {
				// A repeated argument is a fault of the list, but none is lost by it.
				entry.Lost = entry.Lost || a.Refused(item) && !(Names{Items: entry.Only}).Has(item.Value)
			}
		}
		e.index[tool.Key.Value] = len(e.Tools)
		e.Tools = append(e.Tools, entry)
	}
	return e
}

// Key is the key of an argument under params; nil where it is not there.
func (e Entry) Key(argument string) *source.Node {
	for _, f := range e.Params {
		if f.Key.Value == argument {
			return f.Key
		}
	}
	return nil
}
