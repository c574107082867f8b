package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// A build is where a binary comes from. It is the same for every build of one commit
// with one version of Go.
type build struct {
	Version string `json:"version"`
	// Commit and Date are of the source, the date in RFC 3339; empty where the build
	// does not know them. Modified says that the source differed from the commit.
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// readBuild is what the binary knows of itself, under the version that it was given.
func readBuild(version string) build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// buildVersion is what the build knows: the module's version where it was
// installed by one, and else the revision.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

func (c *Command) version() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(0, "version takes no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if err := checkFormat("format", format); err != nil {
				return err
			}
			b := readBuild(c.Version)
			if format == "json" {
				return c.printJSON(b)
			}
			return c.printVersion(b)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text or json")
	return cmd
}

func (c *Command) printVersion(b build) error {
	line := "gete " + b.Version
	if b.Commit != "" {
		line += fmt.Sprintf(" (%.12s, %s", b.Commit, b.Date)
		if b.Modified {
			line += ", modified"
		}
		line += ")"
	}
	_, err := fmt.Fprintf(c.Stdout, "%s %s %s\n", line, b.Go, b.Platform)
	return err
}
