package live

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gete-lint/gete/rules/narrow"
)

// ParsePage decodes the result of one tools/list, tool by tool, so that an odd
// one neither hides nor changes the others. What is no object with a name is left
// out: no declaration could mean it. Next is the cursor of the next page; "" after
// the last.
func ParsePage(raw json.RawMessage) (tools []narrow.Listed, next string, err error) {
	if nesting(raw) > maxNesting {
		return nil, "", fmt.Errorf("it nests deeper than %d levels", maxNesting)
	}
	// Maps, since decoding into a struct would take "Name" for "name".
	var result map[string]json.RawMessage
	if err := json.Unmarshal(raw, &result); err != nil || result == nil {
		return nil, "", errors.New("it is not an object")
	}
	list, ok := result["tools"]
	if !ok {
		return nil, "", errors.New("it has no tools")
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(list, &entries); err != nil {
		return nil, "", errors.New("its tools are not an array")
	}
	for _, entry := range entries {
		if tool, ok := narrow.Decode(entry); ok {
			tools = append(tools, tool)
		}
	}
	return tools, cursor(result["nextCursor"]), nil
}

// text is a JSON string, and whether it is one.
func text(raw json.RawMessage) (string, bool) {
	var s *string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// cursor is where the next page starts. Some servers count their pages, and
// take the number back as text.
func cursor(raw json.RawMessage) string {
	if s, ok := text(raw); ok {
		return s
	}
	var n *json.Number
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || n == nil {
		return ""
	}
	return n.String()
}

// nesting is how deep arrays and objects stand within each other.
func nesting(raw []byte) int {
	depth, deepest := 0, 0
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
