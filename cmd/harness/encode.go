package main

import (
	"fmt"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// largestEncoded bounds the formula that is held while it is written: pairwise takes
// some 45 million clauses, half a gigabyte, at this size.
const largestEncoded = 300

func newEncode() *cobra.Command {
	var (
		b         boardFlags
		o         orderFlags
		atMostOne string
		file      string
	)
	cmd := &cobra.Command{
		Use:   "encode -n N",
		Short: "Write the problem as DIMACS CNF, the variable order in its comments",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			order, _, err := o.order(p.N)
			if err != nil {
				return err
			}
			encoding, err := amo.Named(atMostOne)
			if err != nil {
				return exit(badInput, fmt.Errorf("flag --amo: %w", err))
			}
			if p.N > largestEncoded {
				return exit(badInput, fmt.Errorf("flag -n %d: formulas are written for boards up to %d", p.N, largestEncoded))
			}
			f := p.CNF(encoding)
			vars := []cnf.Var(order)
			for v := p.NumVars() + 1; v <= f.Vars; v++ { // auxiliary variables last
				vars = append(vars, cnf.Var(v))
			}
			name := p.VarName
			if file == "" {
				return f.WriteDIMACS(cmd.OutOrStdout(), vars, name)
			}
			out, err := renameio.NewPendingFile(file, renameio.WithPermissions(0o644))
			if err != nil {
				return exit(badInput, fmt.Errorf("flag -o: %w", err))
			}
			defer out.Cleanup()
			if err := f.WriteDIMACS(out, vars, name); err != nil {
				return err
			}
			return exit(badInput, out.CloseAtomicallyReplace())
		},
	}
	b.register(cmd)
	o.register(cmd)
	cmd.Flags().StringVar(&atMostOne, "amo", "pairwise", "at-most-one encoding, by name")
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write (default: standard output)")
	return cmd
}
