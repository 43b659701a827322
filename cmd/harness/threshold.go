package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/search/threshold"
	"queens/board"
	"queens/configure/lesson"
)

// thresholdReport is the JSON output of threshold.
type thresholdReport struct {
	N          int      `json:"n"`
	Threshold  *int     `json:"threshold,omitempty"` // without --queens
	Queens     int      `json:"queens"`              // of --queens, or the threshold
	Completes  *bool    `json:"completes"`           // every placement of that many has a completion; null if not known
	Witness    []string `json:"witness"`             // without a completion: as many queens, or one more than the threshold
	Weights    []weight `json:"weights"`             // of lines, that refute the witness; empty if only a search does
	Considered int64    `json:"considered"`          // placements gone through, one of several symmetric ones
	Placements int64    `json:"placements"`          // that they stand for; 0 if they were not gone through
	Solutions  int64    `json:"solutions"`           // whose placements were ruled out
	Decided    int64    `json:"decided"`             // placements decided one by one
	Seconds    float64  `json:"seconds"`
}

// weight is the weight of a line, see [threshold.Weights].
type weight struct {
	Line   string `json:"line"`
	Weight int64  `json:"weight"`
}

// thresholdFlags are the flags of threshold.
type thresholdFlags struct {
	n, queens int  // queens is 0 for the threshold
	given     bool // --queens
	threshold.Options
}

func newThreshold() *cobra.Command {
	o := thresholdFlags{Options: threshold.Options{Anneals: threshold.Anneals}}
	cmd := &cobra.Command{
		Use:   "threshold -n N",
		Short: "How many queens can always be completed",
		Long: `Find out whether every placement of --queens queens that do not attack each other has a
completion; without --queens, find the largest number of queens for which this is so (OEIS
A374013). First, annealing looks for a placement without a completion. Then the command goes
through all placements; of most that symmetry maps to each other it takes one.

n = 20 takes seconds, n = 23 half a minute, n = 24 with 5 queens about ten minutes on one core.
Beyond 32 there is annealing only: if it finds no such placement, nothing is known.

Weights of lines show why most of the placements found have no completion: a free cell's row
and column weigh no more than its diagonals, but all rows and columns, each of which needs a
queen, weigh more than all diagonals together.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.given = cmd.Flags().Changed("queens")
			return o.threshold(cmd.Context(), consoleOf(cmd))
		},
	}
	cmd.Flags().IntVarP(&o.n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d, or up to %d with --queens (required)", threshold.MaxSize, threshold.LargestRefuted))
	cmd.Flags().IntVar(&o.queens, "queens", 0, "number of queens placed; without it, the largest that can always be completed")
	cmd.Flags().IntVar(&o.Workers, "workers", 0, "goroutines (default: all processors)")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the random choices")
	addJSON(cmd)
	return cmd
}

// threshold answers the question of the flags, and compares the answer with the published one.
func (o *thresholdFlags) threshold(ctx context.Context, c console) error {
	if err := o.check(); err != nil {
		return err
	}
	start := time.Now()
	working(ctx, "completing placements on a board of %d", o.n)
	proved, refuted, err := o.decide(ctx)
	if err != nil {
		return err
	}
	report := thresholdReport{
		N: o.n, Queens: proved.Queens, Witness: lesson.Names(refuted.Witness), Weights: []weight{},
		Considered: proved.Proof.Considered, Placements: proved.Proof.Placements,
		Solutions: proved.Proof.Solutions, Decided: proved.Proof.Decided, Seconds: time.Since(start).Seconds(),
	}
	if o.queens == 0 {
		report.Threshold = &proved.Queens
	}
	if completes := o.queens == 0 || refuted.Witness == nil; o.n <= threshold.MaxSize || !completes {
		report.Completes = &completes
	}
	weights := threshold.Weigh(board.NewPosition(o.n, refuted.Witness, nil))
	for _, line := range board.Lines(o.n) {
		if weights[line] != 0 {
			report.Weights = append(report.Weights, weight{line.Name(o.n), weights[line]})
		}
	}
	err = c.show(ctx, report, func(w io.Writer) error { return report.print(w, refuted.Witness, weights) })
	if err != nil {
		return err
	}
	if known, is := threshold.Known(o.n); is && o.queens == 0 && known != proved.Queens {
		return exit(wrongAnswer, fmt.Errorf("n = %d: %d, but %s has %d", o.n, proved.Queens, threshold.Source, known))
	}
	return nil
}

// check checks the flags.
func (o *thresholdFlags) check() error {
	switch {
	case o.n == 0:
		return invalid("flag -n: expected the size of the board, 1 to %d, or up to %d with --queens", threshold.MaxSize, threshold.LargestRefuted)
	case o.n < 1 || o.n > threshold.LargestRefuted || o.n > threshold.MaxSize && o.queens == 0:
		return invalid("flag -n %d: expected 1 to %d, or up to %d with --queens", o.n, threshold.MaxSize, threshold.LargestRefuted)
	case o.given && (o.queens < 1 || o.queens > o.n):
		return invalid("flag --queens %d: expected 1 to %d, the size of the board", o.queens, o.n)
	case o.Workers < 0:
		return invalid("flag --workers %d: expected 1 or more", o.Workers)
	}
	return nil
}

// decide returns the number of queens that can always be completed, as far as that is proved, and a placement that
// has no completion, if one was found.
func (o *thresholdFlags) decide(ctx context.Context) (proved, refuted threshold.Completion, err error) {
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	work := workOf(ctx)
	o.Progress = func(share float64, so threshold.Proof) {
		work.tell(share, "%d placements, %d solutions", so.Placements, so.Solutions)
	}
	switch {
	case o.queens == 0:
		return threshold.Threshold(ctx, o.n, o.Options)
	case o.n > threshold.MaxSize:
		proved.Queens = o.queens
		refuted.Witness, err = threshold.Refute(ctx, o.n, o.queens, o.Seed, o.Anneals)
		return proved, refuted, err
	}
	if proved, err = threshold.Decide(ctx, o.n, o.queens, o.Options); proved.Witness != nil {
		proved, refuted = threshold.Completion{Queens: o.queens}, proved
	}
	return proved, refuted, err
}

// print writes the answer as a sentence, and the evidence for it.
func (r *thresholdReport) print(w io.Writer, witness []board.Cell, weights threshold.Weights) error {
	var can, cannot string
	switch {
	case r.Completes == nil:
		can = fmt.Sprintf("no %d-queen placement without a completion was found; nothing is proved", r.Queens)
	case r.Placements > 0 && r.Queens == 1:
		can = "any one queen can be completed to a solution"
	case r.Placements > 0:
		can = fmt.Sprintf("any %d queens that do not attack each other can be completed to a solution", r.Queens)
	}
	if len(witness) > 0 {
		cannot = board.FormatCells(witness) + " cannot"
		if can != "" {
			can += "; "
		} else {
			cannot += " be completed to a solution"
		}
	}
	text := fmt.Sprintf("On a board of %d, %s%s.\n", r.N, can, cannot)
	if r.Placements > 0 {
		text += fmt.Sprintf("Placements: %d, gone through %d; solutions used: %d; placements decided one by one: %d\n",
			r.Placements, r.Considered, r.Solutions, r.Decided)
	}
	if len(witness) > 0 {
		text += fitWidth(w, board.DrawQueens(r.N, witness)) + "\n"
	}
	if weights != nil {
		straight, diagonal := weights.Sums()
		text += fmt.Sprintf("Why: the row and column of a free cell weigh no more than its diagonals, but all rows and\n"+
			"columns, each of which needs a queen, weigh %d, and all diagonals only %d.", straight, diagonal)
		before := ""
		for _, weight := range r.Weights {
			kind, name, _ := strings.Cut(weight.Line, " ")
			if kind != before {
				text += "\n  " + kind + "s:"
				before = kind
			}
			text += fmt.Sprintf(" %s %d,", name, weight.Weight)
		}
		text = strings.ReplaceAll(text+"\n", ",\n", "\n") + "Other lines weigh 0.\n"
	}
	_, err := fmt.Fprintf(w, "%s%s\n", text, took(r.Seconds))
	return err
}
