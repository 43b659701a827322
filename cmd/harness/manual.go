package main

import (
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
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
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "queens", Manual: "queens", Date: &date}
			if err := doc.GenManTree(root, header, words[0]); err != nil {
				return invalid("writing manual pages into %s: %w", words[0], err)
			}
			return nil
		},
	}
}
