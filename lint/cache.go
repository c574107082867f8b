package lint

import (
	"sync"

	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
)

// A Cache keeps the documents that a run has read, so that the next run need not parse
// those again whose text is the same. Its zero value is empty; a nil Cache keeps
// nothing.
type Cache struct {
	documents sync.Map // cached -> *declaration.Document
}

type cached struct {
	kind        schema.Kind
	path, shown string
}

func (c *Cache) read(kind schema.Kind, path, shown, text string) *declaration.Document {
	if c == nil {
		return declaration.Read(kind, shown, text)
	}
	key := cached{kind, path, shown}
	if known, ok := c.documents.Load(key); ok {
		if d, ok := known.(*declaration.Document); ok && d.File.Text == text {
			return d
		}
	}
	d := declaration.Read(kind, shown, text)
	c.documents.Store(key, d)
	return d
}
