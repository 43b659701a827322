package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newManual returns the hidden command that writes the manual pages of a release. Their date is
// that of SOURCE_DATE_EPOCH, so that the pages are reproducible.
func newManual() *cobra.Command {
	return &cobra.Command{
		Use:    "manual DIR",
		Short:  "Write manual pages for all commands into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			header := &doc.GenManHeader{Section: "1", Source: "queens", Manual: "queens"}
			return exit(badInput, doc.GenManTree(newRoot(), header, words[0]))
		},
	}
}
