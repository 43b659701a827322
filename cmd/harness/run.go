package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/cluster"
	"queens/experiments/config"
	"queens/experiments/record"
	runs "queens/experiments/run"
	"queens/experiments/tasks"
)

// resultsDir is the default folder for a user's own records.
const resultsDir = "results"

// runFlags are the flags of run.
type runFlags struct {
	mode       record.OpenMode
	out, shard string
	sets       []string
	dryRun     bool
	lines      bool // a line for each run, also on a terminal
}

func newRun() *cobra.Command {
	var o runFlags
	cmd := &cobra.Command{
		Use:   "run CONFIG",
		Short: "Run an experiment and write one record per run to results/<name>",
		Long: `Run an experiment described in YAML. Each run is measured in its own process; its
record is appended to records.csv and synced before the next run begins.

QUEENS_... environment variables override the file (QUEENS_REPEATS, QUEENS_AXES_N),
and --set overrides both.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return o.run(cmd.Context(), consoleOf(cmd), files[0]) },
	}
	cmd.Flags().StringVar(&o.out, "out", "", "folder for the records (default results/<name>)")
	cmd.Flags().BoolVar(&o.mode.Resume, "resume", false, "measure only the runs that are missing in the folder, also after axes or repeats have changed, and take over a "+
		"changed question, answer and report")
	cmd.Flags().BoolVar(&o.mode.RetryFailed, "retry-failed", false,
		"measure the missing runs, and those again that failed or were killed")
	cmd.Flags().BoolVar(&o.mode.Fresh, "fresh", false, "move the folder's records aside and start from scratch")
	cmd.Flags().StringVar(&o.shard, "shard", "",
		"run only part I of K, as in 2/8; auto/K takes I from SLURM_ARRAY_TASK_ID "+
			"or JOB_COMPLETION_INDEX; not needed in a Slurm array job")
	cmd.Flags().StringArrayVar(&o.sets, "set", nil,
		"KEY=VALUE to override in the configuration, as in axes.n=4..6; may be repeated")
	cmd.Flags().BoolVarP(&o.lines, "verbose", "v", false, "print a line for each run, as where there is no terminal")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show the grid, its size and an estimate of the time, by records or by trials of a few seconds")
	return cmd
}

// run runs the experiment of a configuration.
func (o *runFlags) run(ctx context.Context, c console, file string) error {
	if o.mode.Fresh && (o.mode.Resume || o.mode.RetryFailed) {
		return invalid("flags --fresh and --resume or --retry-failed: expected only one of them")
	}
	asked, err := loadConfig(c, file, o.sets)
	if err != nil {
		return err
	}
	part, err := cluster.ParseShard(o.shard)
	if err != nil {
		return invalid("flag --shard: %w", err)
	}
	if o.out == "" {
		o.out = filepath.Join(resultsDir, asked.Name) + part.Suffix()
	}
	asked.Runs = part.Of(asked.Runs)
	if part.From != "" {
		fmt.Fprintf(c.err, "harness: shard %s, from %s\n", part, part.From)
	}
	here, err := runs.MakeableHere(ctx, asked, o.out, !o.dryRun)
	if err != nil {
		return err
	}
	if o.dryRun {
		program, _ := os.Executable()
		self, err := runs.Self(runOneName)
		if err != nil {
			return err
		}
		if err := runs.WritePlan(ctx, c.out, asked, here, self, o.out, filepath.Dir(file), filepath.Dir(program)); err != nil {
			return err
		}
	}
	if len(here.Lacking) > 0 {
		return exit(runsFailed, fmt.Errorf("runs would fail: %s", strings.Join(here.Lacking, "; ")))
	}
	if o.dryRun {
		return nil
	}
	for _, what := range here.LeftOut {
		fmt.Fprintln(c.err, "harness: skipped:", what)
	}
	asked.Runs = here.Runs
	return o.measure(ctx, c, asked, part)
}

// loadConfig loads a configuration, with the overrides of the environment and of --set, makes its grid of
// runs, and prints the notes about them.
func loadConfig(c console, name string, sets []string) (config.Experiment, error) {
	asked, err := config.Load(name, sets, tasks.Kinds())
	for _, note := range asked.Notes {
		fmt.Fprintln(c.err, "harness: note:", note)
	}
	return asked, exit(badInput, err)
}

// readSet reads the records in a folder.
func readSet(dir string) (record.Set, error) {
	set, err := record.Read(dir, tasks.Kinds())
	return set, exit(badInput, err)
}

// measure measures the missing runs and prints the summary.
func (o *runFlags) measure(ctx context.Context, c console, asked config.Experiment, part cluster.Shard) error {
	out := o.out
	env := record.Observe(asked.Spec).With(runs.Programs(ctx, asked.Runs))
	env.Shard = part.String()
	store, err := record.Open(out, asked, env, o.mode)
	if err != nil { // the folder must not or cannot be written to
		return exit(badInput, err)
	}
	defer store.Close()
	if store.Aside != "" {
		fmt.Fprintf(c.err, "harness: the records that were in %s are now in %s\n", out, store.Aside)
	}
	if store.Kept > 0 {
		fmt.Fprintf(c.err, "harness: the grid has changed: %d of its %d runs keep their records\n", store.Kept,
			len(asked.Runs))
	}
	records := filepath.Join(out, record.RecordsFile)
	missing := len(store.Missing(asked.Runs))
	if missing == 0 {
		again := "--fresh measures them again"
		if slices.ContainsFunc(store.Rows, record.Row.Failed) {
			again = "--retry-failed measures those again that failed"
		}
		done := "nothing to do"
		switch {
		case store.Reworded && o.mode.Resume:
			done = "its question, answer and report are now those of the configuration"
		case store.Reworded:
			again += "; --resume takes over the question, answer and report, which have changed"
		}
		fmt.Fprintf(c.err, "harness: %s is complete: all %d runs are there, %s (%s)\n", records, len(asked.Runs), done, again)
		return c.summarise(store.Set)
	}
	self, err := runs.Self(runOneName)
	if err != nil {
		return err
	}
	progress := runs.NewProgress(c.err, redraws(os.Stderr) && !o.lines, asked.Kind.Columns())
	runner := runs.Runner{Self: self, Progress: progress}
	if err := runner.Run(ctx, store, asked.Runs); err != nil {
		if errors.As(err, new(record.Lost)) {
			return err
		}
		left := len(store.Missing(asked.Runs))
		goOn := fmt.Sprintf("%d of %d runs are saved in %s; the same command with --resume measures the other %d",
			len(asked.Runs)-left, len(asked.Runs), records, left)
		if errors.Is(err, context.Canceled) {
			return exit(interrupted, fmt.Errorf("interrupted: %s", goOn))
		}
		return fmt.Errorf("%w\n%s", err, goOn)
	}
	if err := c.summarise(store.Set); err != nil {
		return err
	}
	return verdict(store.Rows, records)
}

// runOneName is the hidden command that a run's process executes.
const runOneName = "run-one"

func newRunOne() *cobra.Command {
	return &cobra.Command{
		Use:    runOneName,
		Short:  "Measure one run: parameters as JSON on standard input, findings on standard output",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runs.One(cmd.Context(), tasks.Kinds(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}
