package main

import (
	"cmp"
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

func newThreshold() *cobra.Command {
	var (
		n, queens int
		o         = threshold.Options{Anneals: threshold.Anneals}
	)
	cmd := &cobra.Command{
		Use:   "threshold -n N",
		Short: "How many queens can always be completed",
		Long: `Find out whether every placement of --queens queens that do not attack each other has a
completion, or the largest number for which this is so (OEIS A374013). A placement without a
completion is looked for by annealing; then all placements are gone through, most of those that
symmetry maps to each other only once.
n = 20 takes seconds, n = 23 half a minute, n = 24 with 5 queens about ten minutes on one core.
Beyond 32, where annealing finds none, nothing is known. Most placements found are refuted by weights
of lines: those of a free cell's row and column are never more than those of its diagonals, although
all rows and columns, each of which needs a queen, weigh more than all diagonals together.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case n == 0:
				return invalid("flag -n: expected the size of the board, 1 to %d, or up to %d with --queens", threshold.MaxSize, threshold.LargestRefuted)
			case n < 1 || n > threshold.LargestRefuted || n > threshold.MaxSize && queens == 0:
				return invalid("flag -n %d: expected 1 to %d, or up to %d with --queens", n, threshold.MaxSize, threshold.LargestRefuted)
			case cmd.Flags().Changed("queens") && (queens < 1 || queens > n):
				return invalid("flag --queens %d: expected 1 to %d, the size of the board", queens, n)
			case o.Workers < 0:
				return invalid("flag --workers %d: expected 1 or more", o.Workers)
			}
			o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
			start := time.Now()
			working(cmd, "completing placements on a board of %d", n)
			o.Progress = func(share float64, so threshold.Proof) {
				workOf(cmd.Context()).tell(share, "%d placements, %d solutions", so.Placements, so.Solutions)
			}
			var proved, refuted threshold.Completion
			var err error
			switch {
			case queens == 0:
				proved, refuted, err = threshold.Threshold(cmd.Context(), n, o)
			case n > threshold.MaxSize:
				proved.Queens = queens
				refuted.Witness, err = threshold.Refute(cmd.Context(), n, queens, o.Seed, o.Anneals)
			default:
				if proved, err = threshold.Decide(cmd.Context(), n, queens, o); proved.Witness != nil {
					proved, refuted = threshold.Completion{Queens: queens}, proved
				}
			}
			if err != nil {
				return err
			}
			report := thresholdReport{
				N: n, Queens: proved.Queens, Witness: lesson.Names(refuted.Witness), Weights: []weight{},
				Considered: proved.Proof.Considered, Placements: proved.Proof.Placements,
				Solutions: proved.Proof.Solutions, Decided: proved.Proof.Decided, Seconds: time.Since(start).Seconds(),
			}
			if queens == 0 {
				report.Threshold = &proved.Queens
			}
			if completes := queens == 0 || refuted.Witness == nil; n <= threshold.MaxSize || !completes {
				report.Completes = &completes
			}
			weights := threshold.Weigh(board.NewPosition(n, refuted.Witness, nil))
			for _, line := range board.Lines(n) {
				if weights[line] != 0 {
					report.Weights = append(report.Weights, weight{line.Name(n), weights[line]})
				}
			}
			if err := show(cmd, report, func(w io.Writer) error { return report.print(w, refuted.Witness, weights) }); err != nil {
				return err
			}
			if known, is := threshold.Known(n); is && queens == 0 && known != proved.Queens {
				return exit(wrongAnswer, fmt.Errorf("n = %d: %d, but %s has %d", n, proved.Queens, threshold.Source, known))
			}
			return nil
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d, or up to %d with --queens (required)", threshold.MaxSize, threshold.LargestRefuted))
	cmd.Flags().IntVar(&queens, "queens", 0, "number of queens placed; without it, the largest that can always be completed")
	cmd.Flags().IntVar(&o.Workers, "workers", 0, "goroutines (default: all processors)")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the random choices")
	addJSON(cmd)
	return cmd
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
