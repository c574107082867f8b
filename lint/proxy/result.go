package proxy

import (
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A callResult and a listResult hold fields that the SDK's types would lose, or not keep
// to the digit, in raw, a JSON object.
type (
	callResult struct {
		*mcp.CallToolResult
		raw json.RawMessage
	}
	listResult struct {
		*mcp.ListToolsResult
		raw json.RawMessage
	}
)

// MarshalJSON implements json.Marshaler.
func (r callResult) MarshalJSON() ([]byte, error) { return merged(r.CallToolResult, r.raw) }

// MarshalJSON implements json.Marshaler.
func (r listResult) MarshalJSON() ([]byte, error) { return merged(r.ListToolsResult, r.raw) }

// merged is a raw result with the fields that the SDK has added to its own. The raw ones
// outrank them, but for _meta, which is of both.
func merged(own mcp.Result, raw json.RawMessage) ([]byte, error) {
	added, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	var fields, sent map[string]json.RawMessage
	if err := json.Unmarshal(added, &fields); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, err
	}
	meta, err := both(sent["_meta"], fields["_meta"])
	if err != nil { // the server's is no object, which MCP has it be
		delete(sent, "_meta")
		meta = nil
	}
	maps.Copy(fields, sent)
	if meta != nil {
		if fields["_meta"], err = json.Marshal(meta); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}

// both are the fields of two objects, of which either may be missing; the second
// outranks the first.
func both(first, second json.RawMessage) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	for _, raw := range []json.RawMessage{first, second} {
		if raw == nil {
			continue
		}
		if err := json.Unmarshal(raw, &fields); err != nil {
			return nil, err
		}
	}
	return fields, nil
}
