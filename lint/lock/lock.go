// Package lock reads and writes gete.lock.json, the record of what the MCP servers
// of a project list.
package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gete-lint/gete/rules/narrow"
)

// Name is the name of the lock file, beside gete.yaml.
const Name = "gete.lock.json"

// MaxBytes bounds a lock file.
const MaxBytes = 64 << 20

// version is the one version of the file's form.
const version = 1

// The form of the file. It holds no time and no address that was dialled, so that
// the same listings always give the same bytes.
type (
	file struct {
		Version int               `json:"version"`
		Servers map[string]server `json:"servers"`
	}
	server struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Tools   []tool `json:"tools"`
	}
	tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"inputSchema,omitempty"`
		Annotations json.RawMessage `json:"annotations,omitempty"`
	}
)

// Parse reads a lock file: the listings by declared url. The error says what is
// wrong with it.
func Parse(text []byte) (map[string]*narrow.Listing, error) {
	var f file
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("not a lock file: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a lock file: there is more behind its end")
	}
	if f.Version != version {
		return nil, fmt.Errorf("of version %d, and this gete reads version %d", f.Version, version)
	}
	listings := make(map[string]*narrow.Listing, len(f.Servers))
	for url, s := range f.Servers {
		l := &narrow.Listing{Server: s.Name, Version: s.Version}
		for _, t := range s.Tools {
			l.Tools = append(l.Tools, narrow.Listed{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Annotations: t.Annotations})
		}
		listings[url] = l
	}
	return listings, nil
}

// Format is the lock file of listings by declared url. It is sorted, and the same
// listings give the same bytes.
func Format(listings map[string]*narrow.Listing) ([]byte, error) {
	f := file{Version: version, Servers: map[string]server{}}
	for url, l := range listings {
		f.Servers[url] = server{Name: l.Server, Version: l.Version, Tools: inForm(l.Tools)}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return nil, fmt.Errorf("cannot write the listings as JSON: %w", err)
	}
	return text.Bytes(), nil
}

// inForm are tools as the file holds them: in order, with the keys of their schemas
// sorted.
func inForm(tools []narrow.Listed) []tool {
	all := make([]tool, len(tools))
	for i, t := range tools {
		all[i] = tool{t.Name, t.Description, sortKeys(t.InputSchema), sortKeys(t.Annotations)}
	}
	slices.SortStableFunc(all, compare)
	return all
}

// compare puts tools in order by name, and those of one name by what else there is
// of them, so that the order in which a server lists them does not matter.
func compare(a, b tool) int {
	return cmp.Or(
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Description, b.Description),
		bytes.Compare(a.InputSchema, b.InputSchema), bytes.Compare(a.Annotations, b.Annotations),
	)
}

// sortKeys is a JSON value with the keys of its objects sorted; its numbers keep
// their digits. What is no JSON stays, for the encoder of the file to refuse.
func sortKeys(raw json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if raw == nil || d.Decode(&v) != nil {
		return raw
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return raw
	}
	return bytes.TrimSpace(text.Bytes())
}

// Recorded reads a recorded tools/list: the response, or its result alone. The error
// has the recording for its subject.
func Recorded(text []byte) (*narrow.Listing, error) {
	var response struct{ Result json.RawMessage }
	if err := json.Unmarshal(text, &response); err != nil {
		return nil, fmt.Errorf("is no JSON object: %w", err)
	}
	if response.Result != nil {
		text = response.Result
	}
	tools, next, err := narrow.Page(text)
	if err != nil {
		return nil, err
	}
	if next != "" {
		return nil, errors.New("is one page of several, and the other tools would pass for gone")
	}
	return &narrow.Listing{Tools: tools}, nil
}
