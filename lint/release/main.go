// Command release writes what a release ships beside the binary, the manual pages and
// the completion scripts, into a folder:
//
//	go run ./lint/release FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/gete-lint/gete/lint/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: release FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	manual, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{manual, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	root := (&cli.Command{Stdout: os.Stdout, Stderr: os.Stderr}).Root()
	date, err := sourceDate()
	if err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "GETE", Section: "1", Source: "gete", Manual: "gete", Date: &date}, manual); err != nil {
		return err
	}
	for name, generate := range map[string]func(string) error{
		"gete.bash": func(path string) error { return root.GenBashCompletionFileV2(path, true) },
		"_gete":     root.GenZshCompletionFile,
		"gete.fish": func(path string) error { return root.GenFishCompletionFile(path, true) },
		"gete.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := generate(filepath.Join(completions, name)); err != nil {
			return err
		}
	}
	return nil
}

// sourceDate is the date of the source, which SOURCE_DATE_EPOCH gives in seconds, so that
// the same source makes the same pages (https://reproducible-builds.org/specs/source-date-epoch).
func sourceDate() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, and no number of seconds", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
