package openapi_test

import (
	"encoding/json"
	"strings"

	"github.com/gete-lint/gete/schema/source"
)

// blockYAML writes a JSON text in the style that most YAML descriptions have:
// blocks, plain keys, plain scalars where they can be, block scalars for texts of
// several lines, and lists indented as their key.
func blockYAML(text string) string {
	var b strings.Builder
	writeYAML(&b, source.Parse("api.json", text, source.Descriptions).Root, "")
	return b.String()
}

// writeYAML writes a collection whose first line is indented already.
func writeYAML(b *strings.Builder, n *source.Node, indent string) {
	for i, f := range n.Fields {
		if i > 0 {
			b.WriteString(indent)
		}
		b.WriteString(scalarYAML(f.Key, indent) + ":")
		writeValue(b, f.Value, indent)
	}
	for i, item := range n.Items {
		if i > 0 {
			b.WriteString(indent)
		}
		b.WriteString("-")
		if len(item.Fields) > 0 {
			b.WriteString(" ")
			writeYAML(b, item, indent+"  ")
			continue
		}
		writeValue(b, item, indent+"  ")
	}
}

// writeValue writes a value behind its colon or dash; a list is indented as told.
func writeValue(b *strings.Builder, n *source.Node, indent string) {
	switch {
	case len(n.Items) > 0:
		b.WriteString("\n" + indent)
		writeYAML(b, n, indent)
	case len(n.Fields) > 0:
		b.WriteString("\n  " + indent)
		writeYAML(b, n, indent+"  ")
	case n.Kind == source.Sequence:
		b.WriteString(" []\n")
	case n.Kind == source.Mapping:
		b.WriteString(" {}\n")
	default:
		b.WriteString(" " + scalarYAML(n, indent+"  ") + "\n")
	}
}

// scalarYAML writes a scalar whose further lines have an indentation.
func scalarYAML(n *source.Node, indent string) string {
	if n.Kind != source.String {
		return n.Value
	}
	quoted, err := json.Marshal(n.Value)
	if err != nil {
		panic(err)
	}
	switch lines := strings.Split(n.Value, "\n"); {
	case len(lines) > 1 && !n.IsKey() && strings.TrimSpace(lines[0]) != "" && lines[0][0] != ' ' && !strings.ContainsAny(n.Value, "\r\u0085\u2028\u2029"):
		return "|-\n" + indent + strings.Join(lines, "\n"+indent)
	case isPlain(n.Value):
		return n.Value
	}
	return string(quoted)
}

// isPlain says whether a text is a string when it is written plainly.
func isPlain(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\r\t") || strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	if strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>%@`'\"") {
		return false
	}
	f := source.Parse("", s, source.Declarations)
	return f.Root != nil && f.Root.Kind == source.String && f.Root.Value == s
}
