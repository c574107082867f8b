package lint

import (
	"maps"
	"sync"

	"github.com/gete-lint/gete/lint/live"
	"github.com/gete-lint/gete/rules/narrow"
)

// A memory is what targets said.
type memory struct {
	mu   sync.Mutex
	said []said
}

type said struct {
	target  live.Target
	listing *narrow.Listing
	fault   error
}

// remembering is the dialer that asks each target once, however often a project is
// linted.
func (d Dialer) remembering() *Dialer {
	d.memory = &memory{}
	return &d
}

// recall is what a target said to the same headers.
func (m *memory) recall(target live.Target) (said, bool) {
	if m == nil {
		return said{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.said {
		if s.target.URL == target.URL && maps.Equal(s.target.Headers, target.Headers) {
			return s, true
		}
	}
	return said{}, false
}

// keep remembers what a target said.
func (m *memory) keep(s said) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = append(m.said, s)
}
