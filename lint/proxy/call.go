package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gete-lint/gete/lint/live"
	"github.com/gete-lint/gete/schema/redact"
)

// How a call ended, in the log.
const (
	outcomeOK         = "ok"          // the tool did its job
	outcomeToolError  = "tool error"  // the tool says that it failed
	outcomeRefused    = "refused"     // by the server
	outcomeNotOffered = "not offered" // and never sent
	outcomeInvalid    = "invalid"     // arguments, and never sent
	outcomeTimeout    = "timeout"
	outcomeCancelled  = "cancelled" // by the client
	outcomeGone       = "server gone"
)

// reserved begins the keys of _meta that are about one connection (MCP specification
// 2025-11-25, basic, "_meta").
const reserved = "io.modelcontextprotocol/"

// call enforces the declaration on one call, and passes it on.
func (p *Proxy) call(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	begin := time.Now()
	name := req.Params.Name
	var dropped, set []string
	end := func(outcome string) {
		level := slog.LevelInfo
		if outcome != outcomeOK {
			level = slog.LevelWarn
		}
		p.log.Log(ctx, level, "call", "tool", shown(name), "dropped", allShown(dropped), "set", allShown(set),
			"duration", time.Since(begin).Round(time.Microsecond), "outcome", outcome)
	}
	t, session := p.find(name)
	if t == nil { // which it may be yet
		within, cancel := context.WithTimeout(ctx, patience)
		p.wait(within)
		cancel()
		t, session = p.find(name)
	}
	if t == nil {
		end(outcomeNotOffered)
		return nil, errNotOffered(name)
	}
	sent, dropped, set, why := t.arguments(req.Params.Arguments)
	if why != "" {
		end(outcomeInvalid)
		return failed("not called: " + why), nil
	}

	ctx, remove := p.running.add(ctx, req.Session.ID())
	defer remove()
	limit := t.upstream.Target.Timeout
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	defer timer.Stop()
	call := live.Call{Tool: name, Arguments: sent, Meta: passedOn(req.Params.Meta)}
	if token := req.Params.GetProgressToken(); token != nil {
		call.Progress = func(params map[string]json.RawMessage) {
			timer.Reset(limit) // it is alive
			notice := &mcp.ProgressNotificationParams{ProgressToken: token}
			// A field that is not as MCP has it is left out.
			_ = json.Unmarshal(params["progress"], &notice.Progress)
			_ = json.Unmarshal(params["total"], &notice.Total)
			_ = json.Unmarshal(params["message"], &notice.Message)
			_ = req.Session.NotifyProgress(ctx, notice) // a client that is away misses it
		}
	}
	result, err := session.Call(ctx, call)
	var refusal *jsonrpc.Error
	switch {
	case err == nil:
		return p.answer(result, end)
	case errors.As(err, &refusal):
		end(outcomeRefused)
		return nil, refusal
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		end(outcomeTimeout)
		return failed(fmt.Sprintf("%s did not answer within %s; the tool may or may not have done its job", t.upstream.URL, limit)), nil
	case ctx.Err() != nil:
		end(outcomeCancelled)
		return nil, ctx.Err()
	}
	end(outcomeGone)
	return failed(fmt.Sprintf("%s %s; the tool may or may not have done its job", t.upstream.URL, err)), nil
}

// answer is what a server answered, whole.
func (p *Proxy) answer(result json.RawMessage, end func(outcome string)) (mcp.Result, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(result, &fields); err != nil || fields == nil {
		end(outcomeRefused)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server answered with a result that is no JSON object"}
	}
	if string(fields["isError"]) == "true" {
		end(outcomeToolError)
	} else {
		end(outcomeOK)
	}
	return callResult{&mcp.CallToolResult{Content: []mcp.Content{}}, result}, nil
}

// passedOn is what is sent of a call's _meta: what is not about the connection to the
// client.
func passedOn(meta mcp.Meta) map[string]any {
	var sent map[string]any
	for key, value := range meta {
		if key == "progressToken" || strings.HasPrefix(key, reserved) {
			continue
		}
		if sent == nil {
			sent = map[string]any{}
		}
		sent[key] = value
	}
	return sent
}

// failed is a result that says to the model what went wrong, so that it can do better
// (MCP specification 2025-11-25, tools, "Error Handling").
func failed(message string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: message}}}
}

// errNotOffered refuses a call, whether the server has the tool or not.
func errNotOffered(name string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no tool %q here", redact.Name(name))}
}
