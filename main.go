// Command gete lints the declarations of AI agents.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/gete-lint/gete/lint/cli"
)

// version is set when a release is built.
var version string

func main() {
	// A reader that goes away, as head does, is no crash: the write fails, and
	// the command ends as it would have.
	signal.Ignore(syscall.SIGPIPE)
	// A run is short, and what it reads stays until its end: collecting garbage
	// as eagerly as by default would only cost time. Near the limit it is eager.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(384 << 20)
	command := cli.Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Version: version}
	os.Exit(command.Main(os.Args[1:]))
}
