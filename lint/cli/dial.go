package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/spf13/pflag"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/redact"
)

// dialFlags are the flags of commands that ask servers.
type dialFlags struct {
	servers []string
	timeout time.Duration
}

// errNotLive is that the flags have nothing to say.
var errNotLive = errors.New("--server and --timeout need --live")

func (f *dialFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.servers, "server", nil, "speak to a target in place of a declared url, as `URL=TARGET`: http, https, or stdio:COMMAND; may be repeated")
	flags.DurationVar(&f.timeout, "timeout", 0, "wait `TIME` for each server, in place of what its block says")
}

// dialer is what the flags make of one.
func (c *Command) dialer(f dialFlags) (*lint.Dialer, error) {
	if f.timeout < 0 {
		return nil, usageError{errors.New("--timeout takes a time such as 10s")}
	}
	d := &lint.Dialer{Targets: map[string]string{}, Timeout: f.timeout, Getenv: c.Getenv, Dir: c.Dir, Progress: c.progress("listed %d of %d servers")}
	for _, value := range f.servers {
		found := serverValue.FindStringSubmatch(value)
		if found == nil {
			return nil, usageError{fmt.Errorf("--server takes URL=TARGET, where TARGET begins with http://, https:// or stdio:, not %q", redact.Name(value))}
		}
		d.Targets[found[1]] = found[2]
	}
	return d, nil
}

// serverValue is a value of --server. The url may itself have an equals sign in it.
var serverValue = regexp.MustCompile(`^(?:(https://.*?)=)?((?:https?://|stdio:)\S.*)$`)

// dial asks the declared servers for their tools. It says of each that could not be
// listed why, and the error is then an uncheckedError.
func (c *Command) dial(ctx context.Context, f dialFlags, p *lint.Loaded) (map[string]*narrow.Listing, error) {
	d, err := c.dialer(f)
	if err != nil {
		return nil, err
	}
	listings, unlisted, err := p.List(ctx, *d)
	if err != nil {
		return nil, err
	}
	if err := c.unlisted(unlisted); err != nil {
		return nil, err
	}
	return listings, nil
}

// unlisted says of each server that could not be listed why. Where there is one, the error
// is an uncheckedError.
func (c *Command) unlisted(unlisted []lint.Unlisted) error {
	for _, u := range unlisted {
		if _, err := fmt.Fprintln(c.Stderr, u.URL, u.Reason); err != nil {
			return err
		}
	}
	if len(unlisted) > 0 {
		return uncheckedError{errors.New("not every server could be listed")}
	}
	return nil
}
