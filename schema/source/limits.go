package source

// Limits bound what a file may cost. They are checked before memory is taken
// or a recursion goes deeper, because neither running out of memory nor a
// stack overflow can be recovered from in Go.
type Limits struct {
	// Bytes is the size of the largest file that is read.
	Bytes int64
	// Depth is how many collections may lie inside one another, aliases
	// followed.
	Depth int
	// Nodes is how many keys, values and items one document may have, those
	// that aliases and merge keys bring in counted each time.
	Nodes int
}

// Declarations are the limits for what people write by hand: gete.yaml,
// agent.yaml, policy files and the configuration.
var Declarations = Limits{Bytes: 4 << 20, Depth: 100, Nodes: 100_000}
