package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"queens/experiments/cluster"
)

func newSubmit() *cobra.Command {
	return group("submit", "Run an experiment in parts on a cluster", newSubmitSlurm())
}

func newSubmitSlurm() *cobra.Command {
	var (
		s    cluster.Submission
		send bool
	)
	cmd := &cobra.Command{
		Use:   "slurm CONFIG",
		Short: "Print, or with --send submit, a Slurm array job and its dependent merge",
		Long: `Print a shell script that submits a Slurm array job for the grid's parts and a merge
that depends on it, or run it with --send. Time and memory come from the configuration's
limits, processors from the largest value of the axis workers. Submitting again measures only the missing runs.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return submit(cmd.Context(), consoleOf(cmd), files[0], s, send)
		},
	}
	cmd.Flags().StringVar(&s.Out, "out", "", "folder for the merged records (default results/<name>); "+
		"the parts' records go to <out>.shards")
	cmd.Flags().IntVar(&s.Tasks, "tasks", 0,
		fmt.Sprintf("number of parts (default: one per run, at most %d)", cluster.MaxTasks))
	cmd.Flags().StringArrayVar(&s.Sets, "set", nil, "KEY=VALUE to override in the configuration; may be repeated")
	cmd.Flags().StringArrayVar(&s.Options, "sbatch", nil, "additional sbatch option for both jobs, "+
		"as in --sbatch=--partition=long; may be repeated")
	cmd.Flags().BoolVar(&send, "send", false, "submit the jobs instead of printing the script")
	return cmd
}

// submit prints the script that submits a configuration's parts to Slurm, or sends it.
func submit(ctx context.Context, c console, file string, s cluster.Submission, send bool) (err error) {
	if file == "-" {
		return invalid("submit: expected the name of a file, which every task of the array reads")
	}
	if s.Experiment, err = loadConfig(c, file, s.Sets); err != nil {
		return err
	}
	if s.Tasks < 0 {
		return invalid("flag --tasks %d: expected 1 or more", s.Tasks)
	}
	s.Out = cmp.Or(s.Out, filepath.Join(resultsDir, s.Spec.Name))
	if s.Harness, err = os.Executable(); err != nil {
		return err
	}
	if underGoRun(s.Harness) {
		return invalid("the harness runs from %s, which will be gone when the jobs start: "+
			"build it first (go build ./cmd/harness)", s.Harness)
	}
	if s.Config, err = filepath.Abs(file); err != nil {
		return err
	}
	if s.Dir, err = os.Getwd(); err != nil {
		return err
	}
	script, err := s.Slurm()
	if err != nil {
		return exit(badInput, err)
	}
	if !send {
		_, err = c.out.Write(script)
		return err
	}
	sh := exec.CommandContext(ctx, "/bin/sh", "-c", string(script))
	sh.Stdout, sh.Stderr = c.out, c.err
	if err := sh.Run(); err != nil {
		return fmt.Errorf("submitting to Slurm: %w", err)
	}
	return nil
}
