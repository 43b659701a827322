package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"queens/experiments/report"
)

func newCompare() *cobra.Command {
	return &cobra.Command{
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
			differ, err := report.WriteComparison(cmd.OutOrStdout(), a, b, widthOf(cmd.OutOrStdout()))
			if err != nil {
				return exit(badInput, err)
			}
			if differ {
				err = exit(wrongAnswer, fmt.Errorf("%s and %s have different answers or results", dirs[0], dirs[1]))
			}
			return err
		},
	}
}
