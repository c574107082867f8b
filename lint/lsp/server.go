// Package lsp is a language server: it lints what an editor has open while it is being
// written, and helps to write it. The protocol is version 3.17 of
// https://microsoft.github.io/language-server-protocol.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/gete-lint/gete/lint"
)

// ErrNoShutdown is that a client went away without taking leave, as the protocol asks
// it to.
var ErrNoShutdown = errors.New("the client went away without shutting the server down")

// A server serves one client. What the client sends is handled one message after the
// other, in the order in which it came; checks run beside that.
type server struct {
	protocol.UnimplementedServer
	client  protocol.Client
	version string
	// ctx ends with the connection.
	ctx context.Context

	// watches says that the client can tell of changed files.
	watches  bool
	shutdown bool

	// mu guards what a check and the messages share.
	mu        sync.Mutex
	documents map[string]*document // by path
	// due are the projects to check, and timer the check that is to come.
	due   map[string]bool
	timer *time.Timer

	// checking is held by a check, and guards what checks know.
	checking sync.Mutex
	checked  map[string]*checked // by the key of the project
	told     string              // the last failure that the user was told of

	cache lint.Cache
}

// Serve speaks the protocol over a connection until the client ends it. The error is
// ErrNoShutdown, or says how the connection failed.
func Serve(ctx context.Context, version string, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(&pipe{in, out}), jsonrpc2.WithCodec(codec{}))
	s := &server{
		client: protocol.ClientDispatcher(conn), version: version, ctx: ctx,
		documents: map[string]*document{}, due: map[string]bool{}, checked: map[string]*checked{},
	}
	handle := protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler)
	exit := make(chan struct{})
	conn.Go(ctx, func(ctx context.Context, r *jsonrpc2.Request) (any, error) {
		switch {
		case s.shutdown && r.IsCall():
			return nil, jsonrpc2.ErrInvalidRequest
		case r.Method() == protocol.MethodExit:
			close(exit)
			<-ctx.Done() // nothing more is read
			return nil, nil
		}
		// The context of the request is used again for others once it is answered, while
		// what was derived from it may still look at it.
		result, err := handle(jsonrpc2.DetachContext(ctx), r)
		if err != nil && !r.IsCall() {
			// Nobody waits for an answer, and as an error it would end the connection.
			s.tell(fmt.Errorf("%s: %w", r.Method(), err))
			return nil, nil
		}
		return result, err
	})
	select {
	case <-exit:
		if s.shutdown {
			return nil
		}
		return ErrNoShutdown
	case <-conn.Done():
	}
	if err := conn.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return ErrNoShutdown
}

// A pipe is the two ends of a connection. Closing it stops nothing: reads end with the
// process.
type pipe struct {
	io.Reader
	io.Writer
}

func (*pipe) Close() error { return nil }

// codec encodes messages as package protocol has it.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error)      { return protocol.Marshal(v) }
func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }

// Initialize implements protocol.Server.
func (s *server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if w := p.Capabilities.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		dynamic := w.DidChangeWatchedFiles.DynamicRegistration
		s.watches = dynamic != nil && *dynamic
	}
	whole := protocol.TextDocumentSyncKindFull
	return &protocol.InitializeResult{
		ServerInfo: protocol.ServerInfo{Name: "gete", Version: protocol.NewOptional(s.version)},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: protocol.PositionEncodingKindUTF16,
			TextDocumentSync: &protocol.TextDocumentSyncOptions{OpenClose: new(true), Change: &whole, Save: protocol.Boolean(true)},
			HoverProvider:    protocol.Boolean(true),
			CompletionProvider: &protocol.CompletionOptions{
				TriggerCharacters: []string{" ", "[", "\""},
			},
			CodeActionProvider: &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, fixAll},
			},
		},
	}, nil
}

// Initialized implements protocol.Server.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	if !s.watches {
		return nil
	}
	// What a declaration names may be any file, and its folder, too.
	options, err := json.Marshal(protocol.DidChangeWatchedFilesRegistrationOptions{
		Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern("**/*.{yaml,yml,json,md,txt,py}")}},
	})
	if err != nil {
		return err
	}
	registration := protocol.Registration{ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options}
	go func() { // the answer is read where this was called from
		if err := s.client.RegisterCapability(s.ctx, &protocol.RegistrationParams{Registrations: []protocol.Registration{registration}}); err != nil {
			s.tell(fmt.Errorf("the client does not tell of changed files: %w", err))
		}
	}()
	return nil
}

// Shutdown implements protocol.Server.
func (s *server) Shutdown(context.Context) error {
	s.shutdown = true
	return nil
}

// tell logs what the user should know and no declaration is at fault for.
func (s *server) tell(err error) {
	if s.ctx.Err() == nil {
		// Where even that cannot be sent, the connection is gone.
		_ = s.client.LogMessage(s.ctx, &protocol.LogMessageParams{Type: protocol.MessageTypeError, Message: "gete: " + err.Error()})
	}
}

// options are those to lint what a file belongs to, with the texts of the editor.
func (s *server) options(path string) (lint.Options, bool) {
	o, ok := lint.Around(path)
	o.Overlay, o.Cache = overlay(s.open()), &s.cache
	return o, ok
}
