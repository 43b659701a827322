package main

import (
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/spf13/cobra"

	"queens/backends"
	"queens/choice"
	"queens/encode"
)

// countReport is the JSON output of count.
type countReport struct {
	problemReport
	Solutions string  `json:"solutions"`
	Backend   string  `json:"backend"`
	Method    string  `json:"method"`
	Seconds   float64 `json:"seconds"`
}

func newCount() *cobra.Command {
	var (
		b problemFlags
		f choiceFlags
	)
	cmd := &cobra.Command{
		Use:   "count -n N",
		Short: "Count the solutions",
		Long: `Count the solutions. Those of a file are counted by search first, within a budget of work,
and then by a diagram, unless a back-end is named.

Back-ends:
` + backendHelp(choice.Able(choice.Counts), false),
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			report := countReport{problemReport: b.report(p)}
			start := time.Now()
			end := working(cmd, "counting %s", p)
			var solved *big.Int
			var by choice.Backend
			if f.file == "" {
				solved, by, err = choice.CountFirst(cmd.Context(), p, f.Choice)
			}
			if solved == nil && err == nil {
				err = f.ask(cmd.Context(), p, &b, choice.Counts, func(made *choice.Answerer) (err error) {
					by = made.Backend
					solved, err = made.Answers.(backends.Counter).Count(cmd.Context(), p.Fixed)
					return err
				})
			}
			end()
			if err != nil {
				return err
			}
			report.Backend, report.Method = by.Name, by.Counting
			report.Solutions, report.Seconds = solved.String(), time.Since(start).Seconds()
			err = show(cmd, report, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s; %s by %s in %.4g s\n",
					solutions(report.Solutions), report.Backend, report.Method, report.Seconds)
				return err
			})
			if err != nil {
				return err
			}
			return checkKnown(p, report.Solutions)
		},
	}
	b.register(cmd)
	f.register(cmd, choice.Counts, "backend", "order", "construction", "workers")
	f.registerFile(cmd)
	addJSON(cmd)
	return cmd
}

// solutions returns a number of solutions with its noun.
func solutions(count string) string {
	if count == "1" {
		return "1 solution"
	}
	return count + " solutions"
}

// checkKnown compares the number of solutions with the published one, if there is one and
// no cell is fixed.
func checkKnown(p encode.Problem, solutions string) error {
	family, err := encode.FamilyNamed(p.Family)
	if err != nil || len(p.Fixed) > 0 {
		return nil
	}
	if known, ok := family.Known(p.N); ok && known.String() != solutions {
		return exit(wrongAnswer, fmt.Errorf("%s: %s solutions, but %s has %s", p, solutions, family.Source, known))
	}
	return nil
}
