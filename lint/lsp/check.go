package lsp

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules"
)

// How long a check waits for more to come. Keys come slower than the debounce, but what
// one of them does to several documents comes at once.
const (
	atOnce   = 0
	debounce = 15 * time.Millisecond
)

// checked is what the last check of a project found.
type checked struct {
	options lint.Options
	// published are the diagnostics that the client has, by path.
	published map[string]published
}

type published struct {
	version     int32 // of the open document; 0 for a file that is not open
	diagnostics []protocol.Diagnostic
}

// keyOf tells the projects and lone agents apart.
func keyOf(o lint.Options) string { return strings.Join(append([]string{o.Dir}, o.Paths...), "\x00") }

// checkSoon has the project of a file checked, after a delay.
func (s *server) checkSoon(path string, delay time.Duration) {
	o, ok := lint.Around(path)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := len(s.due) > 0
	s.due[keyOf(o)] = true
	switch {
	case s.timer == nil:
		s.timer = time.AfterFunc(delay, s.check)
	case !waiting || delay == atOnce:
		s.timer.Reset(delay)
	}
}

// check lints the projects that are due, with all that is open of them, and forgets
// those of which nothing is open any more.
func (s *server) check() {
	s.checking.Lock()
	defer s.checking.Unlock()
	s.mu.Lock()
	due := s.due
	s.due = map[string]bool{}
	documents := maps.Clone(s.documents)
	s.mu.Unlock()

	open := map[string]lint.Options{}
	for path := range documents {
		if o, ok := lint.Around(path); ok {
			open[keyOf(o)] = o
		}
	}
	for key := range due {
		o, ok := open[key]
		if !ok {
			if c := s.checked[key]; c != nil {
				s.publish(c, nil, documents)
				delete(s.checked, key)
			}
			continue
		}
		o.Overlay, o.Cache = overlay(documents), &s.cache
		result, err := lint.Run(s.ctx, o)
		if err != nil {
			if message := err.Error(); message != s.told {
				s.told = message
				s.tell(err)
			}
			continue
		}
		s.told = ""
		c := s.checked[key]
		if c == nil {
			c = &checked{options: o, published: map[string]published{}}
			s.checked[key] = c
		}
		s.publish(c, result.Diagnostics, documents)
	}
}

// publish sends the client what has changed among the diagnostics of a project.
func (s *server) publish(c *checked, found []rules.Diagnostic, documents map[string]*document) {
	now := map[string]published{}
	for path := range c.published {
		now[path] = published{}
	}
	for _, d := range found {
		path := c.options.Abs(d.File.Path)
		p := now[path]
		p.diagnostics = append(p.diagnostics, s.diagnosticOf(c.options, d))
		now[path] = p
	}
	for path := range documents {
		if o, ok := lint.Around(path); ok && keyOf(o) == keyOf(c.options) {
			p := now[path]
			p.version = documents[path].version
			now[path] = p
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		p := now[path]
		if before, ok := c.published[path]; ok && reflect.DeepEqual(before, p) {
			continue
		}
		params := &protocol.PublishDiagnosticsParams{URI: s.uriOf(path), Diagnostics: p.diagnostics}
		if params.Diagnostics == nil {
			params.Diagnostics = []protocol.Diagnostic{} // none, where null would not do
		}
		if d := documents[path]; d != nil {
			params.Version = protocol.NewOptional(d.version)
		}
		if err := s.client.PublishDiagnostics(s.ctx, params); err != nil {
			s.tell(err)
			continue
		}
		if len(p.diagnostics) == 0 && documents[path] == nil {
			delete(c.published, path)
		} else {
			c.published[path] = p
		}
	}
}

// diagnosticOf is a finding as the client shows it.
func (s *server) diagnosticOf(o lint.Options, d rules.Diagnostic) protocol.Diagnostic {
	message := d.Message
	if d.Help != "" {
		message += "\nhelp: " + d.Help
	}
	shown := protocol.Diagnostic{
		Range:           spanOf(d.File, d.Span),
		Severity:        severities[d.Severity],
		Code:            protocol.String(d.Rule),
		CodeDescription: protocol.CodeDescription{Href: uri.URI(rules.PageURL(d.Rule))},
		Source:          protocol.NewOptional("gete"),
		Message:         protocol.String(message),
	}
	for _, r := range d.Related {
		shown.RelatedInformation = append(shown.RelatedInformation, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: s.uriOf(o.Abs(r.File.Path)), Range: spanOf(r.File, r.Span)}, Message: r.Message,
		})
	}
	return shown
}

var severities = map[rules.Severity]protocol.DiagnosticSeverity{
	rules.Error: protocol.DiagnosticSeverityError, rules.Warning: protocol.DiagnosticSeverityWarning,
	rules.Advice: protocol.DiagnosticSeverityInformation,
}
