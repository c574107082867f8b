package lsp

import (
	"context"
	"maps"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/gete-lint/gete/schema/source"
)

// A document is a file that the editor has open, saved or not. It is never changed: the
// next version is another.
type document struct {
	uri     uri.URI
	path    string // absolute
	version int32
	text    string
}

// file is the document as a file without nodes.
func (d *document) file() *source.File { return &source.File{Path: d.path, Text: d.text} }

// pathOf is the path of a file; false for what is no file, such as an untitled document.
func pathOf(u uri.URI) (string, bool) {
	if !u.IsFile() {
		return "", false
	}
	return filepath.Clean(u.FsPath()), true
}

// document is what the editor has open under a URI; nil for nothing.
func (s *server) document(u uri.URI) *document {
	path, _ := pathOf(u)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents[path]
}

// uriOf is the URI of a file: the client's own where it has the file open, since one
// path has several.
func (s *server) uriOf(path string) uri.URI {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[path]; d != nil {
		return d.uri
	}
	return uri.File(path)
}

// open are the documents that are open, by path.
func (s *server) open() map[string]*document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.documents)
}

// overlay are the texts of documents, by path.
func overlay(documents map[string]*document) map[string][]byte {
	texts := make(map[string][]byte, len(documents))
	for path, d := range documents {
		texts[path] = []byte(d.text)
	}
	return texts
}

// DidOpen implements protocol.Server.
func (s *server) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	d := &document{uri: p.TextDocument.URI, version: p.TextDocument.Version, text: p.TextDocument.Text}
	var ok bool
	if d.path, ok = pathOf(d.uri); !ok {
		return nil
	}
	s.mu.Lock()
	s.documents[d.path] = d
	s.mu.Unlock()
	s.checkSoon(d.path, atOnce)
	return nil
}

// DidChange implements protocol.Server.
func (s *server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	before := s.document(p.TextDocument.URI)
	if before == nil {
		return nil
	}
	d := *before
	d.version = p.TextDocument.Version
	for _, change := range p.ContentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			d.text = c.Text
		case *protocol.TextDocumentContentChangePartial:
			// Not asked for, but what some clients send all the same.
			f := d.file()
			d.text = source.Apply(d.text, []source.Edit{{Start: offsetOf(f, c.Range.Start), End: offsetOf(f, c.Range.End), Text: c.Text}})
		}
	}
	s.mu.Lock()
	s.documents[d.path] = &d
	s.mu.Unlock()
	s.checkSoon(d.path, debounce)
	return nil
}

// DidSave implements protocol.Server.
func (s *server) DidSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	if path, ok := pathOf(p.TextDocument.URI); ok {
		s.checkSoon(path, atOnce)
	}
	return nil
}

// DidClose implements protocol.Server.
func (s *server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	path, ok := pathOf(p.TextDocument.URI)
	if !ok {
		return nil
	}
	s.mu.Lock()
	delete(s.documents, path)
	s.mu.Unlock()
	s.checkSoon(path, atOnce)
	return nil
}

// DidChangeWatchedFiles implements protocol.Server.
func (s *server) DidChangeWatchedFiles(context.Context, *protocol.DidChangeWatchedFilesParams) error {
	for path := range s.open() {
		s.checkSoon(path, debounce)
	}
	return nil
}
