package live

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxTail is how much is kept of what a command writes to its standard error.
const maxTail = 2 << 10

func commandOpener(line, dir string) (opener, error) {
	args, ok := split(line)
	if !ok {
		return nil, plain("has a quote in its command that does not end")
	}
	if len(args) == 0 {
		return nil, plain("names no command after stdio:")
	}
	return func(ctx context.Context, s *seen) (mcp.Transport, error) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = dir
		// What clients of gete proxy must carry is none of the server's business.
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GETE_PROXY_TOKEN=") })
		s.stderr = &tail{}
		cmd.Stderr = s.stderr
		cmd.WaitDelay = grace / 2 // a child of the command may keep its output open
		return &mcp.CommandTransport{Command: cmd, TerminateDuration: grace / 2}, nil
	}, nil
}

// split splits a command at its spaces, except those within quotes. It says
// whether the quotes end.
func split(line string) (args []string, ok bool) {
	var arg strings.Builder
	var quote rune
	inArg := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inArg = r, true // "" is an argument too
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if inArg {
				args = append(args, arg.String())
			}
			arg.Reset()
			inArg = false
		default:
			arg.WriteRune(r)
			inArg = true
		}
	}
	if inArg {
		args = append(args, arg.String())
	}
	return args, quote == 0
}

// tail is the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = append([]byte(nil), t.text[max(0, len(t.text)-maxTail):]...)
	return len(p), nil
}

// String is the text without the space around it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
