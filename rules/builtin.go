package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/source"
)

func eachBuiltin(check func(*Pass, *source.Node)) func(*Pass, *declaration.Agent) {
	return func(p *Pass, a *declaration.Agent) {
		for _, b := range a.Blocks {
			if b.Builtin != nil {
				check(p, b.Builtin)
			}
		}
	}
}

// Builtins are what google.adk.tools exports that a bare name makes a tool of.
func Builtins() []string {
	return []string{
		"enterprise_web_search", "exit_loop", "get_user_choice", "google_maps_grounding", "google_search",
		"load_artifacts", "load_memory", "preload_memory", "transfer_to_agent", "url_context",
	}
}

// otherExports are what google.adk.tools exports beside the ready tools.
func otherExports() []string {
	return []string{
		"AgentTool", "APIHubToolset", "AuthToolArguments", "BaseTool", "DiscoveryEngineSearchTool", "ExampleTool",
		"FunctionTool", "LongRunningFunctionTool", "MCPToolset", "McpToolset", "ToolContext", "TransferToAgentTool",
		"VertexAiSearchTool",
	}
}

func builtinUnusable(p *Pass, n *source.Node) {
	if slices.Contains(otherExports(), n.Value) {
		p.Report(Finding{
			At: n, Message: fmt.Sprintf("`%s` is a class or a type of google.adk.tools, and its name alone makes no tool", n.Value),
			Help: "make the tool in Python and name it in a python block, or use one of " + strings.Join(Builtins(), ", "),
		})
	}
}

func builtinUnknown(p *Pass, n *source.Node) {
	if slices.Contains(Builtins(), n.Value) || slices.Contains(otherExports(), n.Value) {
		return
	}
	f := Finding{
		At: n, Message: fmt.Sprintf("google.adk.tools has no `%s`", n.Value),
		Help: "the ready tools are " + strings.Join(Builtins(), ", "),
	}
	f.Suggest(p.like(n.Value, Builtins()), Backquoted)
	p.Report(f)
}
