package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A client is an editor that waits for the diagnostics of one file.
type client struct {
	protocol.UnimplementedClient
	of      uri.URI
	version chan int32
}

// PublishDiagnostics implements protocol.Client.
func (c *client) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	if version, ok := p.Version.Get(); ok && p.URI == c.of {
		c.version <- version
	}
	return nil
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// benchEditor measures an editor's session over a project: how long after it is opened
// the first diagnostics of a file come, the start of the server included, and how long
// after a key is pressed.
func benchEditor(linter, dir string, agents int) error {
	if err := writeProject(dir, agents); err != nil {
		return err
	}
	var first, key []time.Duration
	for range runs {
		f, k, err := editorSession(linter, dir)
		if err != nil {
			return err
		}
		first, key = append(first, f), append(key, k...)
	}
	slices.Sort(first)
	slices.Sort(key)
	fmt.Printf("\nan editor over %d agents has the first diagnostics after %.1f ms, and after a key new ones after %.1f ms (%.1f ms at the 95th percentile)\n",
		agents, milliseconds(first[len(first)/2]), milliseconds(key[len(key)/2]), milliseconds(key[len(key)*95/100]))
	return nil
}

// editorSession is one session, with several keys pressed.
func editorSession(linter, dir string) (first time.Duration, key []time.Duration, err error) {
	path := filepath.Join(dir, "agents", "agent-0007", "agent.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, nil, err
	}
	ctx := context.Background()
	begin := time.Now()
	cmd := exec.Command(linter, "lsp")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, nil, err
	}
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	c := &client{of: uri.File(path), version: make(chan int32, 100)}
	_, _, server := protocol.NewClient(ctx, c, jsonrpc2.NewStream(pipes{out, in}))
	wait := func(version int32) error {
		timeout := time.After(time.Minute)
		for {
			select {
			case v := <-c.version:
				if v == version {
					return nil
				}
			case <-timeout:
				return fmt.Errorf("no diagnostics of version %d come", version)
			}
		}
	}
	if _, err := server.Initialize(ctx, &protocol.InitializeParams{}); err != nil {
		return 0, nil, err
	}
	if err := server.DidOpen(ctx, &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: c.of, LanguageID: "yaml", Text: string(text)}}); err != nil {
		return 0, nil, err
	}
	if err := wait(0); err != nil {
		return 0, nil, err
	}
	first = time.Since(begin)
	const keys = 10
	for version := int32(1); version <= keys; version++ {
		changed := strings.Replace(string(text), "search_0, get", "search_0"+strings.Repeat("x", int(version))+", get", 1)
		begin := time.Now()
		if err := server.DidChange(ctx, &protocol.DidChangeTextDocumentParams{
			TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: c.of}, Version: version},
			ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: changed}},
		}); err != nil {
			return 0, nil, err
		}
		if err := wait(version); err != nil {
			return 0, nil, err
		}
		key = append(key, time.Since(begin))
	}
	if err := server.Shutdown(ctx); err != nil {
		return 0, nil, err
	}
	if err := server.Exit(ctx); err != nil {
		return 0, nil, err
	}
	return first, key, cmd.Wait()
}
