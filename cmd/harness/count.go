package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/board"
	"queens/encode"
)

// countReport is the JSON output of count.
type countReport struct {
	about
	Solutions string  `json:"solutions"`
	Backend   string  `json:"backend"`
	Method    string  `json:"method"`
	Seconds   float64 `json:"seconds"`
	Checked   *bool   `json:"checked,omitempty"` // whether a back-end of ours agrees with the outside counter
}

func newCount() *cobra.Command {
	var (
		f     flags
		force bool
	)
	format := "text"
	cmd := &cobra.Command{
		Use:   "count -n N",
		Short: "Count the solutions",
		Long: `Count the solutions. Those of a file are counted by search first, within a budget of work,
and then by a diagram, unless a back-end is named. An outside --counter gets a DIMACS file, and prints the
count as counters do (c s exact arb int N, s mc N, s N, or # solutions).

Back-ends:
` + backendHelp(ask.Able(ask.Count), false),
		Args: cobra.NoArgs,
		RunE: f.on("counting", func(cmd *cobra.Command, p encode.Problem) error {
			if plan, err := ask.Resolve(p, f.Choice, ask.Count); err == nil && plan.Choice.Backend == ask.Search && f.file == "" && !force {
				if err := tooMany(p); err != nil {
					return err
				}
			}
			found, err := f.ask(cmd.Context(), p, ask.Question{Want: ask.Count})
			if err != nil {
				return err
			}
			report := countReport{f.about(p), found.Count.String(), string(found.By.Backend), found.How, found.Seconds, nil}
			if f.Counter != "" {
				report.Backend = "outside"
				if report.Checked, err = f.checkCounter(cmd.Context(), p, found); err != nil {
					return err
				}
			}
			err = show(cmd, report, func(w io.Writer) error {
				if format == "mc" {
					return printMC(w, p, found)
				}
				backend := report.Backend
				if report.Checked != nil {
					backend += map[bool]string{true: ", checked,", false: ", unchecked,"}[*report.Checked]
				}
				_, err := fmt.Fprintf(w, "%s; %s by %s in %s\n",
					solutions(report.Solutions), backend, report.Method, took(report.Seconds))
				return err
			})
			if err != nil {
				return err
			}
			return f.checkKnown(p, report.Solutions)
		}),
	}
	f.register(cmd, ask.Count, ask.Fields(ask.Count)...)
	f.registerFile(cmd)
	nameFlag(cmd, &format, "format", "output format; mc is that of the Model Counting Competition", []string{"text", "mc"})
	cmd.Flags().BoolVar(&force, "force", false, "count also where that takes hours or years")
	addJSON(cmd)
	cmd.MarkFlagsMutuallyExclusive("format", "json")
	cmd.MarkFlagsMutuallyExclusive("counter", "backend")
	for _, other := range []string{"order", "construction", "workers", "diagram-file"} {
		cmd.MarkFlagsMutuallyExclusive("counter", other)
	}
	return cmd
}

// checkCounter compares the count of an outside counter with that of the default back-end. It returns false
// if that back-end takes too long.
func (f *flags) checkCounter(ctx context.Context, p encode.Problem, found ask.Answer) (agrees *bool, err error) {
	ours := f.Choice
	ours.Counter = ""
	again, done, err := secondOpinion(ctx, p, ours, ask.Count, found.Seconds)
	if err == nil && done && again.Count.Cmp(found.Count) != 0 {
		err = exit(wrongAnswer, fmt.Errorf("counting %s: counter %q finds %s solutions, %s %s",
			p, string(f.Counter), found.Count, again.By.Backend, again.Count))
	}
	return &done, err
}

// mostVisited is the largest empty board whose solutions are visited unasked: those of 19 take a quarter of an
// hour, those of 20 two hours, and each further size about ten times as long as the one before.
const mostVisited = 19

// tooMany returns an error if visiting all solutions of an empty board takes hours, or years.
func tooMany(p encode.Problem) error {
	if !p.IsQueens() || len(p.Fixed) > 0 || p.N <= mostVisited {
		return nil
	}
	has := "more solutions than are known"
	if count, known := board.KnownSolutions(p.N); known {
		has = fmt.Sprintf("%d solutions (OEIS A000170)", count)
	}
	return invalid("%s has %s; visiting them takes hours, or years, which --force does", p, has)
}
