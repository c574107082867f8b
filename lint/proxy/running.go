package proxy

import (
	"context"
	"net/http"
	"sync"
)

// running are the calls that are under way, by the id of their session over HTTP.
type running struct {
	mu     sync.Mutex
	ending map[string]map[*context.CancelFunc]bool
}

// add has a call end when its session does. The call has to end with remove.
func (r *running) add(ctx context.Context, session string) (within context.Context, remove func()) {
	ctx, cancel := context.WithCancel(ctx)
	if session == "" {
		return ctx, cancel
	}
	key := &cancel
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ending == nil {
		r.ending = map[string]map[*context.CancelFunc]bool{}
	}
	if r.ending[session] == nil {
		r.ending[session] = map[*context.CancelFunc]bool{}
	}
	r.ending[session][key] = true
	return ctx, func() {
		cancel()
		r.mu.Lock()
		defer r.mu.Unlock()
		if delete(r.ending[session], key); len(r.ending[session]) == 0 {
			delete(r.ending, session)
		}
	}
}

// cancelOnDelete cancels the calls of a session that its client ends (MCP specification
// 2025-11-25, transports, "Session Management"). The SDK would wait for them.
func (r *running) cancelOnDelete(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodDelete {
			r.mu.Lock()
			for cancel := range r.ending[req.Header.Get("Mcp-Session-Id")] {
				(*cancel)()
			}
			r.mu.Unlock()
		}
		next.ServeHTTP(w, req)
	})
}
