package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
)

// sampleReport is the JSON output of sample.
type sampleReport struct {
	about
	Solutions string     `json:"solutions"`
	Seed      uint64     `json:"seed"`
	Samples   [][]string `json:"samples"` // the true variables of each: the queens of a board
}

func newSample() *cobra.Command {
	var (
		f      flags
		seed   uint64
		number int
	)
	cmd := &cobra.Command{
		Use:   "sample -n N",
		Short: "Draw solutions uniformly",
		Long: `Draw solutions, each from all of them with the same probability. The diagram is built, the solutions
below each of its nodes are counted once, and each sample is a walk down.`,
		Args: cobra.NoArgs,
		RunE: f.on("sampling", func(cmd *cobra.Command, p encode.Problem) error {
			if number < 0 {
				return invalid("flag --number %d: expected 0 or more", number)
			}
			compiled, _, err := f.compile(cmd.Context(), p)
			if err != nil {
				return err
			}
			oracle := bdd.New(compiled)
			solutions, err := oracle.Count(cmd.Context(), p.Fixed)
			if err != nil {
				return answered(cmd.Context(), err)
			}
			report := sampleReport{f.about(p), solutions.String(), seed, make([][]string, 0, min(number, 1<<16))}
			if number > 0 {
				for sample, err := range oracle.Samples(cmd.Context(), p.Fixed, seed) {
					if err != nil {
						return answered(cmd.Context(), err)
					}
					report.Samples = append(report.Samples, trueNames(p, sample))
					if len(report.Samples) == number {
						break
					}
				}
			}
			return show(cmd, report, func(w io.Writer) error {
				if solutions.Sign() == 0 {
					fmt.Fprintln(w, "no solutions")
				}
				for _, names := range report.Samples {
					if _, err := fmt.Fprintln(w, strings.Join(names, " ")); err != nil {
						return err
					}
				}
				return nil
			})
		}),
	}
	f.register(cmd, 0, "order", "construction", "workers")
	f.registerFile(cmd)
	cmd.Flags().IntVar(&number, "number", 1, "number of solutions to draw; one may come again")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the draws")
	addJSON(cmd)
	return cmd
}

// trueNames returns the names of the variables that a solution makes true.
func trueNames(p encode.Problem, solution []cnf.Lit) []string {
	var vars []cnf.Var
	for _, l := range solution {
		if l.Positive() {
			vars = append(vars, l.Var())
		}
	}
	return p.VarNames(vars)
}
