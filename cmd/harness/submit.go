package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/cluster"
	"queens/experiments/spec"
	"queens/experiments/tasks"
)

func newSubmit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "submit",
		Short: "Run an experiment in parts on a cluster",
	}
	cmd.AddCommand(newSubmitSlurm())
	return cmd
}

// submissionFlags are common to all clusters.
type submissionFlags struct {
	s cluster.Submission
}

func (f *submissionFlags) register(cmd *cobra.Command) {
	cmd.Flags().
		StringVar(&f.s.Out, "out", "", "folder for the merged records (default results/<name>); "+
			"the parts' records go to <out>.shards")
	cmd.Flags().
		IntVar(&f.s.Tasks, "tasks", 0,
			fmt.Sprintf("number of parts (default: one per run, at most %d)", cluster.MaxTasks))
	cmd.Flags().StringArrayVar(&f.s.Sets, "set", nil, "KEY=VALUE to override in the configuration; may be repeated")
}

// submission reads the configuration and the flags.
func (f *submissionFlags) submission(cmd *cobra.Command, config string) (cluster.Submission, error) {
	if err := isConfig(config); err != nil {
		return cluster.Submission{}, err
	}
	loaded, notes, err := spec.Load(config, f.s.Sets, tasks.Kinds())
	for _, note := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "harness: note:", note)
	}
	if err != nil {
		return f.s, exit(badInput, err)
	}
	if f.s.Tasks < 0 {
		return f.s, invalid("flag --tasks %d: expected 1 or more", f.s.Tasks)
	}
	f.s.Spec = loaded
	if f.s.Runs, err = loaded.Grid(tasks.Kinds()); err != nil {
		return f.s, exit(badInput, err)
	}
	if f.s.Kind, err = tasks.Kinds().Named(loaded.Task); err != nil {
		return f.s, err
	}
	if f.s.Out == "" {
		f.s.Out = filepath.Join(resultsDir, loaded.Name)
	}
	return f.s, nil
}

func newSubmitSlurm() *cobra.Command {
	var (
		f    submissionFlags
		send bool
	)
	cmd := &cobra.Command{
		Use:   "slurm CONFIG",
		Short: "Print, or with --send submit, a Slurm array job and its dependent merge",
		Long: `Print a shell script that submits a Slurm array job for the grid's parts and a merge
that depends on it, or run it with --send. Time and memory come from the configuration's
limits. Submitting again measures only the missing runs.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			s, err := f.submission(cmd, words[0])
			if err != nil {
				return err
			}
			if s.Harness, err = os.Executable(); err != nil {
				return err
			}
			if strings.HasPrefix(s.Harness, filepath.Join(os.TempDir(), "go-build")) {
				return invalid("the harness runs from %s, which will be gone when the jobs start: "+
					"build it first (go build ./cmd/harness)", s.Harness)
			}
			if s.Config, err = filepath.Abs(words[0]); err != nil {
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
				_, err = cmd.OutOrStdout().Write(script)
				return err
			}
			if _, err := exec.LookPath("sbatch"); err != nil {
				return invalid("flag --send: sbatch is not on the PATH: is this a Slurm login node?")
			}
			sh := exec.CommandContext(cmd.Context(), "/bin/sh", "-c", string(script))
			sh.Stdout, sh.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			if err := sh.Run(); err != nil {
				return fmt.Errorf("submitting to Slurm: %w", err)
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().
		StringArrayVar(&f.s.Options, "sbatch", nil, "additional sbatch option for both jobs, "+
			"as in --sbatch=--partition=long; may be repeated")
	cmd.Flags().BoolVar(&send, "send", false, "submit the jobs instead of printing the script")
	return cmd
}
