package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newManual returns the hidden command that writes the manual pages of a release.
func newManual() *cobra.Command {
	return &cobra.Command{
		Use:    "manual DIR",
		Short:  "Write manual pages for all commands into a folder",
		Hidden: true,
		Args:   args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			// Use the date of the sources if it is known, so the pages are reproducible.
			date := time.Now()
			if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
				date = time.Unix(seconds, 0).UTC()
			}
			if err := manualPages(cmd.Root(), words[0], date); err != nil {
				return invalid("writing manual pages into %s: %w", words[0], err)
			}
			return nil
		},
	}
}

// manualPages writes the pages of a command and of those below it, as harness-order-show.1.
func manualPages(cmd *cobra.Command, dir string, date time.Time) error {
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			if err := manualPages(below, dir, date); err != nil {
				return err
			}
		}
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	return os.WriteFile(filepath.Join(dir, name+".1"), []byte(manualPage(cmd, name, date)), 0o644)
}

// manualPage returns a command's page in the macros of man(7).
func manualPage(cmd *cobra.Command, name string, date time.Time) string {
	var page strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&page, ".SH %s\n%s\n", title, text)
		}
	}
	// A backslash, a hyphen, and a dot or quote that begins a line mean something else to troff.
	roff := func(text string) string {
		text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace("\n" + text)
		return strings.TrimPrefix(text, "\n")
	}
	fmt.Fprintf(&page, ".TH %q 1 %q queens queens\n", strings.ToUpper(name), date.Format("Jan 2006"))
	section("NAME", roff(name+" - "+cmd.Short))
	section("SYNOPSIS", `\fB`+roff(cmd.UseLine())+`\fP`)
	if cmd.Long != "" {
		section("DESCRIPTION", ".nf\n"+roff(cmd.Long)+"\n.fi")
	}
	var options strings.Builder
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		term := "--" + f.Name
		if f.Shorthand != "" {
			term = "-" + f.Shorthand + ", " + term
		}
		fmt.Fprintf(&options, ".TP\n\\fB%s\\fP %s\n%s\n", roff(term), roff(kind), roff(usage))
	})
	section("OPTIONS", strings.TrimSuffix(options.String(), "\n"))
	if cmd.Example != "" {
		section("EXAMPLES", ".nf\n"+roff(cmd.Example)+"\n.fi")
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-"))
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			also = append(also, strings.ReplaceAll(below.CommandPath(), " ", "-"))
		}
	}
	for i, page := range also {
		also[i] = `\fB` + roff(page) + `\fP(1)`
	}
	section("SEE ALSO", strings.Join(also, ", "))
	return page.String()
}
