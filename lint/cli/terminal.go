package cli

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/term"
)

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colored says whether standard output gets colours: by the flag, else by what
// the environment asks for (no-color.org, force-color.org and
// bixense.com/clicolors), else when it is a terminal.
func (c *Command) colored(when string) (bool, error) {
	switch when {
	case colorAlways:
		return true, nil
	case colorNever:
		return false, nil
	case colorAuto:
	default:
		return false, fmt.Errorf("--color takes auto, always or never, not %q", when)
	}
	switch {
	case c.Getenv("NO_COLOR") != "":
		return false, nil
	case forced(c.Getenv("FORCE_COLOR")), forced(c.Getenv("CLICOLOR_FORCE")):
		return true, nil
	case c.Getenv("FORCE_COLOR") == "0", c.Getenv("CLICOLOR") == "0", c.Getenv("TERM") == "dumb":
		return false, nil
	}
	_, ok := c.terminalFile()
	return ok, nil
}

func forced(value string) bool { return value != "" && value != "0" && value != "false" }

// terminalFile is standard output where that is a terminal.
func (c *Command) terminalFile() (int, bool) {
	f, ok := c.Stdout.(*os.File)
	if !ok {
		return 0, false
	}
	fd := int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// terminal is how many columns standard output has, 0 where it is no terminal,
// and whether it takes hyperlinks.
func (c *Command) terminal(colored bool) (width int, links bool) {
	fd, ok := c.terminalFile()
	if n, err := strconv.Atoi(c.Getenv("COLUMNS")); err == nil && n > 0 {
		return n, ok && colored
	}
	if !ok {
		return 0, false
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		width = 0
	}
	return width, colored
}

// progress tells on standard error, where that is a terminal, how far something is;
// nil elsewhere. The format takes how many are done, and of how many.
func (c *Command) progress(format string) func(done, total int) {
	f, ok := c.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(done, total int) {
		end := ""
		if done == total {
			end = "\r\x1b[K" // the line is gone when there is nothing to wait for
		}
		fmt.Fprintf(f, "\r"+format+end, done, total)
	}
}
