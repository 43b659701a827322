package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	runs "queens/experiments/run"
)

func newRerun() *cobra.Command {
	var (
		sample time.Duration
		seed   uint64
	)
	cmd := &cobra.Command{
		Use:   "rerun DIR...",
		Short: "Repeat the runs of record sets and compare the results",
		Long: `Repeat one run of each point in the record sets, and compare what does not depend on
the machine: answers, sizes, counts, work, and who checked an answer. Nothing is written. The exit
code is 4 if anything differs, 3 if runs of the configuration have no record.

With --sample 500ms, repeat at most 100 of the runs that took up to 500 ms, chosen at random,
and a random choice of the longer ones, which together took at most 20 times 500 ms.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return rerunSets(cmd.Context(), consoleOf(cmd), dirs, runs.Rerun{Quick: sample.Seconds(), Seed: seed})
		},
	}
	cmd.Flags().
		DurationVar(&sample, "sample", 0, "repeat only samples: of runs that took up to this, and of longer ones "+
			"(default: repeat one run of every point)")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the sample")
	addJSON(cmd)
	return cmd
}

// rerunSets repeats runs of the record sets in folders, and compares the results.
func rerunSets(ctx context.Context, c console, dirs []string, how runs.Rerun) error {
	self, err := runs.Self(runOneName)
	if err != nil {
		return err
	}
	var all []runs.Again
	different, missing := 0, 0
	for _, dir := range dirs {
		set, err := readSet(dir)
		if err != nil {
			return err
		}
		runner := runs.Runner{Self: self}
		again, err := runner.Again(ctx, set, how)
		if err != nil {
			return err
		}
		again.Dir = dir
		all = append(all, again)
		if !c.json {
			printAgain(c.out, again)
		}
		different += len(again.Differences)
		if again.Missing != "" {
			missing++
		}
	}
	err = c.show(ctx, map[string]any{"sets": all}, func(io.Writer) error { return nil })
	switch {
	case err != nil:
		return err
	case different > 0:
		return exit(wrongAnswer, errors.New("the records do not match what the program computes"))
	case missing > 0:
		return exit(runsFailed, errors.New("runs of the configuration have no record"))
	}
	return nil
}

// printAgain prints the results of repeating a record set's runs.
func printAgain(w io.Writer, again runs.Again) {
	for _, line := range again.Unmade {
		fmt.Fprintf(w, "%s: skipped: %s\n", again.Dir, line)
	}
	for _, line := range again.Differences {
		fmt.Fprintf(w, "%s: %s\n", again.Dir, line)
	}
	if again.Missing != "" {
		fmt.Fprintf(w, "%s: %s\n", again.Dir, again.Missing)
	}
	fmt.Fprintf(w, "%s: %d points repeated, %d differences; %d skipped\n",
		again.Dir, again.Made, len(again.Differences), again.Left)
}
