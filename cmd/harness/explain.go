package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/portfolio"
	"queens/board"
	"queens/encode"
	"queens/explain"
	"queens/lab"
)

// explainReport is the JSON output of explain.
type explainReport struct {
	N             int          `json:"n"`
	Placed        []string     `json:"placed"`
	Blocked       []string     `json:"blocked"`
	Cell          string       `json:"cell"`
	Valid         bool         `json:"valid"`
	Verdict       string       `json:"verdict"`
	Text          string       `json:"text"`
	Conflict      []string     `json:"conflict"` // placed queens that exclude each other
	AttackedBy    []string     `json:"attacked_by"`
	Blame         []string     `json:"blame"`
	BlameSmallest bool         `json:"blame_smallest"` // proved: no fewer queens rule the cell out
	Steps         []stepReport `json:"steps"`
	Witness       []string     `json:"witness"`
	Seconds       float64      `json:"seconds"`
}

type stepReport struct {
	Kind    string         `json:"kind"`
	Line    string         `json:"line"`
	Cell    string         `json:"cell,omitempty"`
	Because []string       `json:"because"`
	Attacks []attackReport `json:"attacks"`
	Text    string         `json:"text"`
}

type attackReport struct {
	Cell string `json:"cell"`
	By   string `json:"by"`
}

func newExplain() *cobra.Command {
	var (
		b           problemFlags
		constraints bool
		smallest    time.Duration
	)
	cmd := &cobra.Command{
		Use:   "explain -n N --place CELLS CELL",
		Short: "Explain why a cell can or cannot hold a queen, or why a literal can or cannot be true",
		Long: `Explain why a cell can or cannot hold a queen next to the placed ones.

For a valid cell, show a solution. For any other cell, show what attacks it, or which
row or column a queen there would leave without a free cell: at once, after forced
moves, or for every choice of a cell in some line. Also show the placed queens to
blame: a set from which none can be dropped.

For any other problem (--problem, --cnf, --opb), explain why a literal can or cannot be
true together with those of --assume: which of them are to blame, and how unit
propagation gets there. With --constraints also show constraints to blame, by name or
line of the file.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			if !p.IsQueens() {
				report, err := explainLiteral(cmd.Context(), &b, p, words[0], constraints, smallest)
				if err != nil {
					return err
				}
				return show(cmd, report, report.print)
			}
			if constraints {
				return invalid("flag --constraints: for queens, the steps name the lines")
			}
			cells, err := board.ParseCells(p.N, words[0])
			if err == nil && len(cells) != 1 {
				err = fmt.Errorf("cells %q: expected one", words[0])
			}
			if err != nil {
				return invalid("explain: %w", err)
			}
			start := time.Now()
			whole, err := encode.Queens(p.N, nil, nil)
			if err != nil {
				return err
			}
			finder, err := portfolio.New(whole)
			if err != nil {
				return err
			}
			e, err := explain.Explain(cmd.Context(), finder, explain.Question{
				N: p.N, Placed: p.Placed(), Blocked: p.Blocked(), Cell: cells[0], Smallest: smallest,
			})
			if err != nil {
				return err
			}
			seconds := time.Since(start).Seconds()
			report := newExplainReport(p, e, seconds)
			return show(cmd, report, func(w io.Writer) error { return printExplanation(w, p, e) })
		},
	}
	b.register(cmd)
	cmd.Flags().BoolVar(&constraints, "constraints", false, "also show the fewest constraints to blame")
	cmd.Flags().DurationVar(&smallest, "smallest", time.Second, "time to spend on finding the fewest to blame")
	addJSON(cmd)
	return cmd
}

func newExplainReport(p encode.Problem, e explain.Explanation, seconds float64) explainReport {
	report := explainReport{
		N: p.N, Placed: lab.Names(p.Placed()), Blocked: lab.Names(p.Blocked()),
		Cell: e.Cell.String(), Valid: e.Verdict == explain.IsValid, Verdict: string(e.Verdict), Text: e.Sentence(p.N),
		Conflict: lab.Names(e.Conflict), AttackedBy: lab.Names(e.AttackedBy),
		Blame: lab.Names(e.Blame), BlameSmallest: e.Smallest,
		Steps: []stepReport{}, Witness: lab.Names(e.Witness), Seconds: seconds,
	}
	for _, step := range e.Steps {
		s := stepReport{
			Kind: string(step.Kind), Line: step.Line.Name(p.N), Because: lab.Names(step.Because),
			Attacks: []attackReport{}, Text: step.Sentence(p.N),
		}
		if step.Kind != explain.Emptied {
			s.Cell = step.Cell.String()
		}
		for _, a := range step.Attacks {
			s.Attacks = append(s.Attacks, attackReport{Cell: a.Cell.String(), By: a.By.String()})
		}
		report.Steps = append(report.Steps, s)
	}
	return report
}

// printExplanation writes the explanation as text: the sentence, the steps, and the board
// with the cells that they mention.
func printExplanation(w io.Writer, p encode.Problem, e explain.Explanation) error {
	fmt.Fprintf(w, "%s.\n", e.Sentence(p.N))
	for i, step := range e.Steps {
		indent := ""
		if e.Verdict == explain.ByChoice && step.Kind != explain.Case {
			indent = "  "
		}
		fmt.Fprintf(w, "%3d. %s%s.\n", i+1, indent, step.Sentence(p.N))
	}
	if len(e.Blame) > 1 && !e.Smallest {
		fmt.Fprintln(w, "Fewer queens may suffice: the time for proving otherwise ran out (--smallest).")
	}
	legend := "Q queen"
	if len(e.Witness) > 0 {
		legend += ", o the rest of a solution"
	}
	if len(e.Blame) > 0 {
		legend += ", ! queen to blame"
	}
	if len(p.Blocked()) > 0 {
		legend += ", # blocked"
	}
	fmt.Fprintf(w, "\n%s, ? %s:\n", legend, e.Cell)
	_, err := io.WriteString(w, fitting(w, board.Draw(p.N, func(c board.Cell) string {
		switch {
		case c == e.Cell:
			return "?"
		case slices.Contains(e.Blame, c):
			return "!"
		case slices.Contains(p.Placed(), c):
			return "Q"
		case slices.Contains(p.Blocked(), c):
			return "#"
		case slices.Contains(e.Witness, c):
			return "o"
		}
		return "."
	})))
	return err
}
