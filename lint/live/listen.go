package live

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tmaxmax/go-sse"
)

// How long a stream that ended is left alone: at first, and at most where it ends at once
// each time.
const (
	again        = time.Second
	longestAgain = 30 * time.Second
)

// listen takes what a server sends of its own accord over Streamable HTTP: the SDK does
// so only for connections that it has not lent out (MCP specification 2025-11-25,
// transports, "Listening for Messages from the Server").
func (s *Session) listen() {
	client, err := s.target.client(s.ctx, &seen{version: s.seen.agreed()})
	if err != nil {
		return // the address was good enough to get here
	}
	wait := again
	for opened := false; ; opened = true {
		begin := time.Now()
		offered, err := s.stream(client)
		switch {
		case !offered && opened, transportPhrase(err) != "":
			s.fail() // the server has forgotten the session, or is away
			return
		case !offered:
			return
		}
		if time.Since(begin) > longestAgain {
			wait = again
		}
		select {
		case <-s.ctx.Done():
			return
		case <-s.done:
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, longestAgain)
	}
}

// stream reads one stream to its end. It is false where the server has none.
func (s *Session) stream(client *http.Client) (offered bool, err error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, s.target.URL, nil)
	if err != nil {
		return false, err
	}
	req.Header.Set("Accept", "text/event-stream")
	if id := s.client.ID(); id != "" {
		req.Header.Set("Mcp-Session-Id", id)
	}
	resp, err := client.Do(req)
	if err != nil {
		return !errors.Is(err, context.Canceled), err
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	if resp.StatusCode != http.StatusOK || mediaType(resp) != "text/event-stream" {
		return resp.StatusCode >= http.StatusInternalServerError, nil
	}
	s.change() // what changed before it opened was not heard
	for event, err := range sse.Read(resp.Body, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		if err != nil {
			return true, err
		}
		if m, err := jsonrpc.DecodeMessage([]byte(event.Data)); err == nil {
			s.tapped.conn.merge(m)
		}
	}
	return true, nil
}
