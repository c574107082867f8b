// Package catalog holds the connections that ship with gete.
package catalog

import (
	_ "embed" // for the catalog itself
	"sync"

	"github.com/gete-lint/gete/schema/source"
)

//go:embed catalog.yaml
var text string

// Connections is the mapping of connection ids to their definitions.
func Connections() *source.Node { return parsed() }

// parsed reads the catalog when it is first asked for.
var parsed = sync.OnceValue(func() *source.Node {
	return source.Parse("catalog.yaml", text, source.Declarations).Root
})
