package lint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
)

// files is the file system as the linter sees it: standard input and the texts of
// Options.Overlay take the place of files on disk.
type files struct {
	dir     string // the working folder
	overlay map[string][]byte

	mu           sync.Mutex
	descriptions map[string]func() (*openapi.Description, error) // by path
}

func newFiles(o Options) (*files, error) {
	f := &files{dir: o.Dir, overlay: maps.Clone(o.Overlay), descriptions: map[string]func() (*openapi.Description, error){}}
	if f.overlay == nil {
		f.overlay = map[string][]byte{}
	}
	for _, path := range o.Paths {
		if path != "-" {
			continue
		}
		limit := source.Descriptions.Bytes // it may stand for any file
		text, err := io.ReadAll(io.LimitReader(o.Stdin, limit+1))
		if err != nil {
			return nil, fmt.Errorf("cannot read standard input: %w", err)
		}
		f.overlay[f.abs(stdinName(o))] = text
	}
	return f, nil
}

// stdinName is the path that standard input stands for.
func stdinName(o Options) string {
	if o.StdinFilename != "" {
		return o.StdinFilename
	}
	return agentFile
}

func (f *files) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(f.dir, path)
}

// shown is a path as reports print it: relative to the working folder with
// slashes, and absolute only outside it.
func (f *files) shown(path string) string {
	if rel, err := filepath.Rel(f.dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// Kind implements rules.Files.
func (f *files) Kind(path string) rules.FileKind {
	if _, ok := f.overlay[path]; ok {
		return rules.RegularFile
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return rules.NoFile
	case info.IsDir():
		return rules.Folder
	}
	return rules.RegularFile
}

// List implements rules.Files.
func (f *files) List(path string) []string {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil // then there is nothing to suggest
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// Description implements rules.Files.
func (f *files) Description(path string) (*openapi.Description, error) {
	f.mu.Lock()
	open := f.descriptions[path]
	if open == nil {
		open = sync.OnceValues(func() (*openapi.Description, error) {
			text, err := f.read(path, source.Descriptions)
			if err != nil {
				file := &source.File{Path: f.shown(path)}
				return nil, &openapi.Invalid{Message: fmt.Sprintf("it cannot be read: %v", err), File: file}
			}
			return openapi.Open(f.shown(path), text)
		})
		f.descriptions[path] = open
	}
	f.mu.Unlock()
	return open()
}

// read is the text of a file within limits. The error says, without the path, why there is
// none; it wraps fs.ErrNotExist where the file is not there.
func (f *files) read(path string, limits source.Limits) (string, error) {
	text, ok := f.overlay[path]
	if !ok {
		var err error
		if text, err = readBounded(path, limits.Bytes); err != nil {
			return "", err
		}
	}
	if int64(len(text)) > limits.Bytes {
		return "", tooLarge(limits.Bytes)
	}
	if err := source.CheckText(text); err != nil {
		return "", err
	}
	return string(text), nil
}

func tooLarge(limit int64) error {
	return fmt.Errorf("over the size limit of %d MiB", limit>>20)
}

func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, reason(err)
	case info.IsDir():
		return nil, errors.New("a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file") // reading a pipe might never end
	case info.Size() > limit:
		return nil, tooLarge(limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer file.Close()
	text := make([]byte, 0, info.Size()+1)
	for {
		n, err := file.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, reason(err)
		case int64(len(text)) > limit:
			return nil, tooLarge(limit)
		case len(text) == cap(text):
			text = append(text, 0)[:len(text)]
		}
	}
}

// reason is an error of the file system without its operation and path.
func reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
