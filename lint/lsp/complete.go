package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/schema/source"
)

// Completion implements protocol.Server.
func (s *server) Completion(ctx context.Context, p *protocol.CompletionParams) (protocol.CompletionResult, error) {
	around := s.surroundings(ctx, p.TextDocumentPositionParams)
	if around == nil {
		return nil, nil
	}
	d := around.document
	start, end := wordAround(d.text, around.offset)
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	seen := map[string]bool{}
	add := func(c candidate, text string) {
		if seen[c.name] {
			return
		}
		seen[c.name] = true
		item := protocol.CompletionItem{
			Label: c.name, Kind: c.kind,
			// As they come, and not by the alphabet.
			SortText: protocol.NewOptional(fmt.Sprintf("%04d", len(list.Items))),
			TextEdit: &protocol.TextEdit{Range: rangeOf(d.file(), start, end), NewText: text},
		}
		if c.detail != "" {
			item.Detail = protocol.NewOptional(c.detail)
		}
		if c.about != "" {
			item.Documentation = &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: c.about}
		}
		list.Items = append(list.Items, item)
	}
	line := d.text[strings.LastIndexAny(d.text[:start], "\r\n")+1 : start]
	if comment := strings.LastIndexByte(line, '#'); comment >= 0 && lint.NamesRules(line[comment:]) {
		for _, c := range ruleCandidates() {
			add(c, c.name)
		}
		return list, nil
	}
	colon := strings.HasPrefix(strings.TrimLeft(d.text[end:], " \t\"'"), ":")
	for _, n := range around.openings(start, end) {
		for _, c := range around.candidates(n) {
			text := written(c.name, d.text[:start])
			if n.IsKey() && !colon {
				if text += ":"; !c.opens {
					text += " "
				}
			}
			add(c, text)
		}
	}
	return list, nil
}

// written is a name as it stands behind some text: in quotes where it needs them and is
// not in some already.
func written(name, before string) string {
	if strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'") {
		return name
	}
	return source.Scalar(name)
}

// wordAround is the word that an offset of a text is in, or at an end of.
func wordAround(text string, offset int) (start, end int) {
	const apart = " \t\r\n[]{},:'\"#"
	start = strings.LastIndexAny(text[:offset], apart) + 1
	end = len(text)
	if i := strings.IndexAny(text[offset:], apart); i >= 0 {
		end = offset + i
	}
	return start, end
}

// marker stands for what is to be completed.
const marker = "gete-completes-this"

// openings are the nodes that the text between two offsets may become: a scalar, a key.
// What is being written is seldom whole, so that it is tried with what may be missing,
// and, where the text behind it is broken, without that.
func (s *surroundings) openings(start, end int) []*source.Node {
	text := s.document.text
	rest := text[end:]
	line := rest
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		line = rest[:i]
	}
	for _, behind := range []string{rest, line, ""} {
		var found []*source.Node
		for _, missing := range []string{"", ":", "]", "}", ": ]}", "\"", "'", "\"]", "']"} {
			f := source.Parse(s.document.path, text[:start]+marker+missing+behind, source.Declarations)
			if n := f.At(start); n != nil && n.Value == marker && f.Root != nil {
				found = append(found, n)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}
