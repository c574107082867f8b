package rules

import (
	"fmt"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
)

func driftUnreachable(p *Pass, b *declaration.MCP, a Answer) {
	if a.Fault == Unreachable {
		p.Report(Finding{
			At: b.URL, Message: "the server " + a.Reason,
			Help: "try again; or speak to another with `--server URL=TARGET`",
		})
	}
}

func driftUnauthorized(p *Pass, b *declaration.MCP, a Answer) {
	if a.Fault != Unauthorized {
		return
	}
	f := Finding{
		At: b.URL, Message: "the server " + a.Reason,
		Help: "give the block a connection, or a header with what the server wants",
	}
	if b.Connection != nil {
		f.Help = fmt.Sprintf("put a token that the server takes into %s", TokenVariable(b.Connection.Value))
		f.Related, f.Note = b.Connection, "whose token was sent"
	}
	p.Report(f)
}

func driftUnchecked(p *Pass, _ *declaration.MCP, a Answer) {
	if a.Fault == Unchecked {
		p.Report(Finding{
			At: a.At, Message: "this block was not checked: " + a.Reason,
			Help: "set the variable where gete runs; a token goes only where its connection allows",
		})
	}
}

// TokenVariable is the variable of the environment that holds a connection's token.
func TokenVariable(connection string) string {
	return "GETE_TOKEN_" + strings.ToUpper(strings.ReplaceAll(connection, "-", "_"))
}
