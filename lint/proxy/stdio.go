package proxy

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message, in bytes. It is more than a call may hold, so that most that
// are too large still get an answer that says so.
const maxLine = 2 * maxArguments

// lastAnswers is how long what was asked before the input ended may still take: who pipes
// a session in wants to read its answers, and who went away does not.
const lastAnswers = 10 * time.Second

// A stdio is a connection to one client over a pair of streams, a message a line (MCP
// specification 2025-11-25, transports, "stdio"). A line that is no message is answered,
// where that of the SDK would end.
type stdio struct {
	lines  chan line
	closed chan struct{}
	close  sync.Once

	mu    sync.Mutex // one message at a time
	out   io.Writer
	asked map[jsonrpc.ID]bool // and not answered yet
	idle  chan struct{}       // closed once all is answered; nil before the input ended
}

// A line is what was read, without its end.
type line struct {
	text    []byte // what fits
	id      json.RawMessage
	tooLong bool
	err     error
}

func newStdio(in io.Reader, out io.Writer) *stdio {
	s := &stdio{lines: make(chan line), closed: make(chan struct{}), out: out, asked: map[jsonrpc.ID]bool{}}
	go s.read(bufio.NewReaderSize(in, 64<<10))
	return s
}

// Connect implements mcp.Transport.
func (s *stdio) Connect(context.Context) (mcp.Connection, error) { return s, nil }

// SessionID implements mcp.Connection.
func (s *stdio) SessionID() string { return "" }

// Close implements mcp.Connection. What waits for input is left to it: a read of
// standard input cannot be called off.
func (s *stdio) Close() error {
	s.close.Do(func() { close(s.closed) })
	return nil
}

func (s *stdio) read(in *bufio.Reader) {
	for {
		l := readLine(in)
		select {
		case s.lines <- l:
		case <-s.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

func readLine(in *bufio.Reader) line {
	var l line
	var id idScanner
	for {
		part, err := in.ReadSlice('\n')
		id.scan(part)
		if l.tooLong = l.tooLong || len(l.text)+len(part) > maxLine; l.tooLong {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if l.id = id.id; err != nil && len(l.text) == 0 && !l.tooLong {
			l.err = err
		}
		return l
	}
}

// Read implements mcp.Connection.
func (s *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case l = <-s.lines:
		case <-s.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case l.err != nil:
			s.finish(ctx)
			return nil, l.err
		case l.tooLong:
			if err := s.refuse(l.id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is over the limit of %d MiB", maxLine>>20)); err != nil {
				return nil, err
			}
			continue
		case blank(l.text):
			continue
		}
		m, err := jsonrpc.DecodeMessage(l.text)
		if err == nil {
			s.ask(m)
			return m, nil
		}
		code := int64(jsonrpc.CodeInvalidRequest)
		if !json.Valid(l.text) {
			code = jsonrpc.CodeParseError
		}
		if err := s.refuse(l.id, code, fmt.Sprintf("not a message of JSON-RPC 2.0: %v", err)); err != nil {
			return nil, err
		}
	}
}

func blank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// refuse answers what is no message, by its id as far as that can be told (JSON-RPC 2.0,
// section 5: null where it cannot).
func (s *stdio) refuse(id json.RawMessage, code int64, message string) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	return s.write(text)
}

// Write implements mcp.Connection.
func (s *stdio) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	err = s.write(text)
	if r, ok := m.(*jsonrpc.Response); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		if delete(s.asked, r.ID); s.idle != nil && len(s.asked) == 0 {
			close(s.idle)
			s.idle = nil
		}
	}
	return err
}

func (s *stdio) ask(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[r.ID] = true
	}
}

// finish waits for the answers to what was asked, but not for long.
func (s *stdio) finish(ctx context.Context) {
	idle := make(chan struct{})
	s.mu.Lock()
	if len(s.asked) == 0 {
		close(idle)
	} else {
		s.idle = idle
	}
	s.mu.Unlock()
	select {
	case <-idle:
	case <-s.closed:
	case <-ctx.Done():
	case <-time.After(lastAnswers):
	}
}

func (s *stdio) write(text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.out.Write(append(text, '\n'))
	return err
}
