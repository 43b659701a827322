package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	runs "queens/experiments/run"
	"queens/experiments/tasks"
)

func newRerun() *cobra.Command {
	var (
		sample time.Duration
		seed   uint64
	)
	cmd := &cobra.Command{
		Use:   "rerun DIR...",
		Short: "Make the runs of record sets again, and compare what they found",
		Long: `Make the runs of record sets again, one of each point, and compare what does not
depend on the machine: answers, sizes, counts, work. Nothing is written. The exit
code is 4 when something differs.

With --sample 500ms, runs that took longer are left out, but for a random sample
that took at most 20 times as long together; of more than 200 quicker ones, 200 are
drawn.`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			self, err := runs.Self(runOneName)
			if err != nil {
				return err
			}
			different := 0
			for _, dir := range dirs {
				set, err := readSet(dir)
				if err != nil {
					return err
				}
				kind, err := tasks.Kinds().Named(set.Spec.Task)
				if err != nil {
					return exit(badInput, fmt.Errorf("%s: %w", dir, err))
				}
				runner := runs.Runner{Self: self, Kind: kind}
				again, err := runner.Again(cmd.Context(), set, runs.Rerun{Quick: sample.Seconds(), Seed: seed})
				if err != nil {
					return err
				}
				for _, line := range again.Unmade {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: left out: %s\n", dir, line)
				}
				for _, line := range again.Differences {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", dir, line)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d points made again, %d differences; %d left out\n",
					dir, again.Made, len(again.Differences), again.Left)
				different += len(again.Differences)
			}
			if different > 0 {
				return exit(wrongAnswer, errors.New("the records are not what the program gives"))
			}
			return nil
		},
	}
	cmd.Flags().
		DurationVar(&sample, "sample", 0, "leave out runs that took longer than this, but for a sample "+
			"(default: make every run again)")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the sample")
	return cmd
}
