package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/lint/proxy"
	"github.com/gete-lint/gete/lint/report"
	"github.com/gete-lint/gete/rules"
	"github.com/gete-lint/gete/schema/declaration"
)

// proxyToken is the variable that holds the token that clients must carry.
const proxyToken = "GETE_PROXY_TOKEN"

// leave is how long servers may take to let go.
const leave = 5 * time.Second

// proxyFlags are the flags of gete proxy.
type proxyFlags struct {
	dialFlags
	listen string
	log    string
	dryRun bool
}

func (c *Command) proxy() *cobra.Command {
	var f proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy AGENT",
		Short: "Enforce an agent's declaration in front of its MCP servers",
		Long: `Be an MCP server that offers what an agent's mcp blocks allow, in front of the
servers that they name: the tools of allow, with the arguments that the model may
write. Others are dropped from each call, and those of params are set. AGENT is the
name of an agent of the project that the working folder lies in, or a path to one.

It speaks over standard input and output, or with --listen over Streamable HTTP at
/mcp, on this machine alone unless ADDRESS says otherwise. There, clients must carry
the token in ` + proxyToken + ` where that is set, and must be made to where others can
reach it.

It does not start where gete validate finds an error in what the agent is made of.

Exit codes: 0 it was ended, 1 the declaration has an error, 2 gete could not do its
job, 3 with --dry-run, a server could not be listed.`,
		Example: `  gete proxy team-search
  gete proxy path/to/agents/team-search
  gete proxy team-search --listen 127.0.0.1:8080
  gete proxy team-search --dry-run
  gete proxy team-search --server stdio:./server --log json`,
		Args: exactly(1, "proxy takes one agent, by its name or path"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.runProxy(cmd.Context(), f, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.listen, "listen", "", "speak Streamable HTTP on `ADDRESS`, such as 127.0.0.1:8080, in place of standard input and output")
	f.add(flags)
	flags.StringVar(&f.log, "log", "text", "log to standard error as `FORMAT`: text or json")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would be offered, and end")
	return cmd
}

func (c *Command) runProxy(ctx context.Context, f proxyFlags, name string) error {
	if err := checkFormat("log", f.log); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal is not waited for
	agent, upstreams, err := c.proxied(ctx, f, name)
	if err != nil || agent == nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	stderr := c.Stderr
	if f.dryRun {
		stderr = io.Discard // what it would say there is printed
	}
	log, endLog := newLog(stderr, f.log)
	p := proxy.New(proxy.Options{Agent: agent, Upstreams: upstreams, Version: c.Version, Log: log})
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		p.Run(ctx)
	}()
	defer func() {
		cancel()
		select {
		case <-ran:
			endLog()
		case <-time.After(leave): // it may go on logging
		}
	}()
	switch {
	case f.dryRun:
		offers, unlisted := p.Offers(ctx)
		if err := c.printOffers(offers); err != nil {
			return err
		}
		return c.unlisted(unlisted)
	case f.listen != "":
		return c.serveHTTP(ctx, p, f.listen, log)
	}
	return p.ServeStdio(ctx, c.Stdin, c.Stdout)
}

// proxied is the agent to stand in front of, and its servers. It is nil where the
// declaration has errors, which were printed.
func (c *Command) proxied(ctx context.Context, f proxyFlags, name string) (*declaration.Agent, []lint.Upstream, error) {
	options := lint.Options{Dir: c.Dir}
	named := func(a *declaration.Agent) bool { return a.Folder() == name }
	if strings.ContainsAny(name, `/\`) {
		options.Paths = []string{name}
		path := filepath.Clean(c.path(name))
		named = func(a *declaration.Agent) bool { return a.Dir == path || a.Dir == filepath.Dir(path) }
	}
	project, err := lint.Load(ctx, options)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(project.Agents, named)
	if i < 0 {
		return nil, nil, checkAgents(project, []string{name}) // which says so
	}
	agent := project.Agents[i]
	if project.Gete != nil {
		options.Paths = []string{project.Dir} // all of it, and not the agent alone
	}
	if sound, err := c.sound(ctx, options, project, agent); err != nil || !sound {
		return nil, nil, err
	}
	dialer, err := c.dialer(f.dialFlags)
	if err != nil {
		return nil, nil, err
	}
	upstreams, err := project.Upstreams(agent, *dialer)
	if err != nil {
		return nil, nil, err
	}
	if len(upstreams) == 0 {
		return nil, nil, fmt.Errorf("%s: the agent has no mcp block to stand in front of", agent.File.Path)
	}
	return agent, upstreams, nil
}

// sound says whether the agent's declaration, and what it rests on, has no error. It
// prints those that it has. What drifted from the lock file is no error here: the proxy
// goes by what the servers list.
func (c *Command) sound(ctx context.Context, options lint.Options, project *lint.Loaded, agent *declaration.Agent) (bool, error) {
	result, err := lint.Run(ctx, options)
	if err != nil {
		return false, err
	}
	others := map[string]bool{}
	for _, a := range project.Agents {
		if a != agent {
			others[a.File.Path] = true
		}
	}
	result.Diagnostics = slices.DeleteFunc(result.Diagnostics, func(d rules.Diagnostic) bool {
		return d.Severity != rules.Error || others[d.File.Path] || strings.HasPrefix(d.Rule, "drift-")
	})
	if len(result.Diagnostics) == 0 {
		return true, nil
	}
	// Standard output is for clients.
	if err := report.Write("text", c.Stderr, result, report.Options{Dir: c.Dir, Version: c.Version}); err != nil {
		return false, err
	}
	c.code = ExitFound
	_, err = fmt.Fprintf(c.Stderr, "gete: what %s is made of has errors, so that the proxy does not start\n", agent.Folder())
	return false, err
}

func (c *Command) serveHTTP(ctx context.Context, p *proxy.Proxy, address string, log *slog.Logger) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return usageError{fmt.Errorf("--listen takes an address such as 127.0.0.1:8080, not %q", address)}
	}
	if host == "" {
		host = "127.0.0.1" // nothing was said of other machines
	}
	token := strings.TrimSpace(c.Getenv(proxyToken))
	if token == "" && !proxy.Loopback(host) {
		return usageError{fmt.Errorf("--listen %s: other machines may reach it, so that %s must hold a token", address, proxyToken)}
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	log.Info("listening", "url", "http://"+listener.Addr().String()+proxy.Path)
	return p.ServeHTTP(ctx, listener, token)
}
