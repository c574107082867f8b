package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

func (f *dialFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.servers, "server", nil, "speak to a target in place of a declared url, as `URL=TARGET`: http, https, or stdio:COMMAND; may be repeated")
	flags.DurationVar(&f.timeout, "timeout", 0, "wait `TIME` for each server, in place of what its block says")
}

// dial asks the declared servers for their tools. It says of each that could not be
// listed why, and the error is then an uncheckedError.
func (c *Command) dial(ctx context.Context, f dialFlags, s *lint.Loaded, urls []string) (map[string]*narrow.Listing, error) {
	if f.timeout < 0 {
		return nil, usageError{errors.New("--timeout takes a time such as 10s")}
	}
	targets := map[string]string{}
	for _, value := range f.servers {
		url, target, err := forURL("--server", value, urls)
		if err != nil {
			return nil, err
		}
		targets[url] = target
	}
	dialer := lint.Dialer{Targets: targets, Timeout: f.timeout, Getenv: c.Getenv, Progress: c.progress("listed %d of %d servers")}
	listings, unlisted := dialer.List(ctx, s)
	for _, u := range unlisted {
		if _, err := fmt.Fprintln(c.Stderr, u.String()); err != nil {
			return nil, err
		}
	}
	if len(unlisted) > 0 {
		return nil, uncheckedError{errors.New("not every server could be listed")}
	}
	return listings, nil
}

// forURL reads a flag's value that is for one of the declared urls, as URL=REST; the
// url may be left out where there is but one.
func forURL(flag, value string, urls []string) (url, rest string, err error) {
	for _, u := range urls {
		if after, ok := strings.CutPrefix(value, u+"="); ok && len(u) > len(url) {
			url, rest = u, after
		}
	}
	if url != "" {
		return url, rest, nil
	}
	if head, _, ok := strings.Cut(value, "="); ok && strings.HasPrefix(head, "https://") {
		return "", "", usageError{fmt.Errorf("%s %s: no agent declares that url", flag, redact.Name(head))}
	}
	if len(urls) != 1 {
		return "", "", usageError{fmt.Errorf("%s needs URL= in front here: the project declares %d servers", flag, len(urls))}
	}
	return urls[0], value, nil
}
