package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/record"
	"queens/experiments/tasks"
)

func newMerge() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge DIR... --out DIR",
		Short: "Merge shards into one record set",
		Long: `Merge the shards of an experiment into one record set. The result is the union of
their runs, so shards can be merged repeatedly and in any grouping. Of several
records of a run it keeps the latest, and one that failed only if there is no other.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return mergeSets(cmd.Context(), consoleOf(cmd), dirs, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder for the merged records (required)")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// mergeSets merges the record sets in folders into one, in the folder out.
func mergeSets(ctx context.Context, c console, dirs []string, out string) error {
	merged, err := record.Merge(ctx, out, dirs, tasks.Kinds())
	if err != nil {
		return exit(badInput, err)
	}
	if merged.Repeated > 0 {
		fmt.Fprintf(c.err, "harness: %d runs have more than one record: the latest is kept, and one that failed only if there is no other\n",
			merged.Repeated)
	}
	if err := c.summarise(merged.Set); err != nil {
		return err
	}
	records := filepath.Join(out, record.RecordsFile)
	if twice := merged.Contradictions; len(twice) > 0 {
		return exit(wrongAnswer, fmt.Errorf("%s: %s:\n  %s", records, record.TwoAnswers(len(twice)), strings.Join(twice, "\n  ")))
	}
	if err := verdict(merged.Rows, records); err != nil {
		return err
	}
	if !merged.Coverage.Complete() {
		return exit(runsFailed, fmt.Errorf("%s: %s run %s --out %s --resume measures them",
			merged.Coverage, invoked(), filepath.Join(out, record.ConfigFile), out))
	}
	return nil
}
