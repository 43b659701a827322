package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"queens/encode/cnf"
	"queens/encode/cnf/rup"
)

// checkedProof is a proof in the JSON output of check.
type checkedProof struct {
	Proof       string `json:"proof"`
	Clauses     int    `json:"clauses"` // of the proof, all of which follow
	Removed     int    `json:"removed"`
	Satisfiable *bool  `json:"satisfiable"` // false if the proof refutes the formula; null if it leaves that open
	Holds       []int  `json:"holds"`       // literals that hold in every solution, as in DIMACS
}

// mostProof is the largest proof that check reads, in bytes.
const mostProof = 1 << 30

func newCheck() *cobra.Command {
	var formula, proof string
	cmd := &cobra.Command{
		Use:   "check --cnf FILE --proof PROOF",
		Short: "Replay a proof of what follows from a formula",
		Long: `Replay a proof in DRAT text, as back-end near and SAT solvers write it: each clause must follow by unit
propagation from the formula and the lines before (RUP). The checker shares no code with what writes proofs.
The exit code is 4 if a clause does not follow.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return checkProof(cmd.Context(), consoleOf(cmd), formula, proof)
		},
	}
	cmd.Flags().StringVar(&formula, "cnf", "", "the formula's `file` in DIMACS CNF (required)")
	cmd.Flags().StringVar(&proof, "proof", "", "the proof's `file`, DRAT text (required)")
	_ = cmd.MarkFlagRequired("cnf")
	_ = cmd.MarkFlagRequired("proof")
	addJSON(cmd)
	return cmd
}

// checkProof replays the proof in one file from the formula in another.
func checkProof(ctx context.Context, c console, formula, proof string) error {
	text, name, err := readInput(formula, mostProblem)
	if err != nil {
		return invalid("reading a formula: %w", err)
	}
	f, err := cnf.ReadDIMACS(text, name)
	if err != nil {
		return exit(badInput, err)
	}
	lines, name, err := readInput(proof, mostProof)
	if err != nil {
		return invalid("reading a proof: %w", err)
	}
	checker := rup.New(f)
	if err := checker.Replay(lines, name); rup.IsUnproved(err) {
		return exit(wrongAnswer, err)
	} else if err != nil {
		return exit(badInput, err)
	}
	found := checkedProof{Proof: name, Clauses: checker.Added, Removed: checker.Removed, Holds: []int{}}
	if checker.Refuted {
		found.Satisfiable = new(bool)
	} else {
		for _, l := range checker.Holds() {
			found.Holds = append(found.Holds, int(l))
		}
	}
	return c.show(ctx, found, func(w io.Writer) error {
		shown := fmt.Sprintf("%d literals hold in every solution", len(found.Holds))
		if checker.Refuted {
			shown = "there is no solution"
		}
		_, err := fmt.Fprintf(w, "%s: all %d clauses follow; %s\n", name, found.Clauses, shown)
		return err
	})
}
