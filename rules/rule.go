// Package rules says what is right and wrong in a project's declarations. A
// rule is a pure function of what it is given: it reads no files but through an
// interface, and knows nothing of how its findings are printed.
package rules

import (
	"embed"
	"fmt"
	"slices"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/openapi"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

// A Rule is one thing that gete checks. Of Document, Agent, Project and Listed those
// are set that the rule has something to ask of; none is for the rules about
// suppressions, which the linter finds broken itself when it applies them.
type Rule struct {
	ID       string
	Severity Severity // unless the configuration says otherwise
	Summary  string   // one line, for lists
	// Outage says that the rule finds what keeps gete from looking, and no fault of
	// a declaration.
	Outage bool

	Document func(*Pass, *declaration.Document) // asked of every file
	Agent    func(*Pass, *declaration.Agent)
	Project  func(*Pass)
	// Listed is asked of every agent once it is known what its servers list.
	Listed func(*Pass, *declaration.Agent)
}

// All are the rules, in the order of their documentation. This is the one table
// of them; each group stands with its functions.
func All() []Rule {
	return slices.Concat(reading(), shape(), mcp(), openapiBlock(), agent(), connection(), policy(), drift(), linter())
}

//go:embed pages/*.md
var pages embed.FS

// Page is the rule's documentation, in Markdown.
func (r Rule) Page() (string, error) {
	text, err := pages.ReadFile("pages/" + r.ID + ".md")
	if err != nil {
		return "", fmt.Errorf("the rule %s has no page: %w", r.ID, err)
	}
	return string(text), nil
}

// PageURL is where the page of a rule can be read.
func PageURL(id string) string {
	return "https://github.com/gete-lint/gete/blob/main/rules/pages/" + id + ".md"
}

// A FileKind is what is found at a path.
type FileKind uint8

// The kinds of file. A link is what it leads to.
const (
	NoFile FileKind = iota
	RegularFile
	Folder
)

// Files is what rules may ask about the file system.
type Files interface {
	Kind(path string) FileKind
	// List names what is in a folder; nothing where it cannot be read.
	List(path string) []string
	// Description is the OpenAPI description in a file, read once however often
	// it is asked for. The error is an *openapi.Invalid, also where the file
	// cannot be read.
	Description(path string) (*openapi.Description, error)
}

// A Pass is one run of one rule.
type Pass struct {
	Project *declaration.Project
	Files   Files
	// Listings are what the servers of mcp blocks list; nil where there is nothing
	// to hold the declarations against.
	Listings *Listings

	rule      Rule
	report    func(Diagnostic)
	suggested int // how many near misses were looked for
	consulted *source.File
}

// maxSuggestions bounds how many near misses one run of a rule looks for: each
// is compared with every name that there is, and nobody reads so many.
const maxSuggestions = 50

// like is the name among some that another is likely meant to be.
func (p *Pass) like(name string, among []string) suggest.Match {
	if p.suggested++; p.suggested > maxSuggestions {
		return suggest.Match{}
	}
	return suggest.Like(name, among)
}

// NewPass prepares a run of a rule over a project. report is called for each
// finding, with the rule's own severity.
func NewPass(rule Rule, project *declaration.Project, files Files, report func(Diagnostic)) *Pass {
	return &Pass{Project: project, Files: files, rule: rule, report: report}
}

// PlaceOf is where a node is written.
func PlaceOf(n *source.Node) Place {
	return Place{File: n.File, Span: n.Span(), Pointer: n.Pointer(), node: n}
}
