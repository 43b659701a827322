package main

import (
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/backends"
	"queens/encode"
)

// countReport is the JSON output of count.
type countReport struct {
	about
	Solutions string  `json:"solutions"`
	Backend   string  `json:"backend"`
	Method    string  `json:"method"`
	Seconds   float64 `json:"seconds"`
}

func newCount() *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "count -n N",
		Short: "Count the solutions",
		Long: `Count the solutions. Those of a file are counted by search first, within a budget of work,
and then by a diagram, unless a back-end is named.

Back-ends:
` + backendHelp(ask.Able(ask.Counts), false),
		Args: cobra.NoArgs,
		RunE: q.on("counting", func(cmd *cobra.Command, p encode.Problem) (err error) {
			start := time.Now()
			var solved *big.Int
			var by ask.Backend
			if q.file == "" {
				solved, by, err = ask.CountFirst(cmd.Context(), p, q.Choice)
			}
			if solved == nil && err == nil {
				err = q.ask(cmd.Context(), p, ask.Counts, func(made *ask.Answerer) (err error) {
					by = made.Backend
					solved, err = made.Answers.(backends.Counter).Count(cmd.Context(), p.Fixed)
					return err
				})
			}
			if err != nil {
				return err
			}
			report := countReport{q.about(p), solved.String(), by.Name, by.Counting, time.Since(start).Seconds()}
			err = show(cmd, report, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s; %s by %s in %.4g s\n",
					solutions(report.Solutions), report.Backend, report.Method, report.Seconds)
				return err
			})
			if err != nil {
				return err
			}
			return q.checkKnown(p, report.Solutions)
		}),
	}
	q.register(cmd, ask.Counts, "backend", "order", "construction", "workers")
	q.registerFile(cmd)
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

// checkKnown compares the number of solutions with the published one, if there is one and nothing
// is fixed.
func (q *question) checkKnown(p encode.Problem, count string) error {
	if known, source := q.Known(); known != "" && known != count && len(p.Fixed) == 0 {
		return exit(wrongAnswer, fmt.Errorf("%s: %s solutions, but %s has %s", p, count, source, known))
	}
	return nil
}
