package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/report"
)

func newCompare() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Show what changed between two record sets and their environments",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			a, err := readSet(dirs[0])
			if err != nil {
				return err
			}
			b, err := readSet(dirs[1])
			if err != nil {
				return err
			}
			var text strings.Builder
			found, err := report.WriteComparison(&text, a, b, widthOf(cmd.OutOrStdout()))
			if err != nil {
				return exit(badInput, err)
			}
			err = show(cmd, found, func(w io.Writer) error {
				_, err := io.WriteString(w, text.String())
				return err
			})
			if err == nil && len(found.Results) > 0 {
				err = exit(wrongAnswer, fmt.Errorf("%s and %s have different answers or results", dirs[0], dirs[1]))
			}
			return err
		},
	}
	addJSON(cmd)
	return cmd
}
