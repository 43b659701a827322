package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"queens/encode/amo"
	"queens/encode/generate"
	"queens/order"
)

func newProblem() *cobra.Command {
	return group("problem", "Make problems of common shapes from a seed, for comparing orders and back-ends", newProblemMake())
}

func newProblemMake() *cobra.Command {
	var (
		vars     int
		seed     uint64
		shuffled bool
		format   = "cnf"
	)
	long := "Make a problem from a seed: the same seed gives the same problem everywhere.\n\nShapes:\n"
	for _, s := range generate.Shapes() {
		long += fmt.Sprintf("  %-9s %s\n", s.Name, s.Doc)
	}
	cmd := &cobra.Command{
		Use:   "make SHAPE",
		Short: "Make a problem of a shape from a seed, as DIMACS CNF or OPB",
		Long:  strings.TrimSuffix(long, "\n"),
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, arguments []string) error {
			shape, err := generate.Named(arguments[0])
			if err != nil {
				return exit(badInput, err)
			}
			p, err := shape.Make(vars, seed, shuffled)
			if err != nil {
				return invalid("flag --variables: %w", err)
			}
			natural := order.ByNumber(p)
			return write(cmd, func(w io.Writer) error {
				if format == "opb" {
					return p.WriteOPB(w, natural)
				}
				return p.WriteDIMACS(w, amo.Pairwise, natural)
			})
		},
	}
	cmd.Flags().IntVar(&vars, "variables", 100, fmt.Sprintf("number of variables, 1 to %d", generate.MaxVars))
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed")
	cmd.Flags().BoolVar(&shuffled, "shuffle", false, "number the variables by chance, so that their order says nothing")
	addFormat(cmd, &format)
	return cmd
}
