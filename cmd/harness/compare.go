package main

import (
	"github.com/spf13/cobra"

	"queens/experiments"
	"queens/experiments/report"
)

func newCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare A B",
		Short: "Say what changed between two record sets, and whether their environments differ",
		Args:  args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			a, err := experiments.Read(dirs[0])
			if err != nil {
				return exit(badInput, err)
			}
			b, err := experiments.Read(dirs[1])
			if err != nil {
				return exit(badInput, err)
			}
			return report.WriteComparison(cmd.OutOrStdout(), a, b)
		},
	}
}
