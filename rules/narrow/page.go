package narrow

import (
	"encoding/json"
	"errors"
)

// Page decodes the result of one tools/list (MCP specification 2025-11-25, tools,
// "Listing Tools"), tool by tool, so that an odd one neither hides nor changes the
// others. What is no object with a name is left out: no declaration could mean it.
// Next is the cursor of the next page; "" after the last. An error has the result for
// its subject, as in "has no tools".
//
// What is nested too deep to be walked counts as left out of its tool.
func Page(result json.RawMessage) (tools []Listed, next string, err error) {
	// Maps, since decoding into a struct would take "Name" for "name".
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(result, &fields); err != nil || fields == nil {
		return nil, "", errors.New("is no JSON object")
	}
	list, ok := fields["tools"]
	if !ok {
		return nil, "", errors.New("has no tools")
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(list, &entries); err != nil {
		return nil, "", errors.New("has tools that are no array")
	}
	for _, entry := range entries {
		if tool, ok := listedTool(entry); ok {
			tools = append(tools, tool)
		}
	}
	return tools, cursor(fields["nextCursor"]), nil
}

func listedTool(raw json.RawMessage) (Listed, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return Listed{}, false
	}
	name := Text(fields["name"])
	return Listed{
		Name: name, Description: Text(fields["description"]),
		InputSchema: walkable(fields["inputSchema"]), Annotations: walkable(fields["annotations"]),
		Raw: walkable(raw),
	}, name != ""
}

func walkable(raw json.RawMessage) json.RawMessage {
	if !shallow(raw) {
		return nil
	}
	return raw
}

// Text is a JSON string; "" where it is none.
func Text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// cursor is where the next page starts. Some servers count their pages, and
// take the number back as text.
func cursor(raw json.RawMessage) string {
	var n json.Number
	if s := Text(raw); s != "" || len(raw) == 0 || json.Unmarshal(raw, &n) != nil {
		return s
	}
	return n.String()
}
