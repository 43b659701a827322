package threshold

import (
	"context"

	"queens/board"
)

// Completion is a result about the placements of k queens: a witness, or a proof that there is none.
type Completion struct {
	Queens int
	// Witness is a placement without a completion; nil if the proof showed that there is none.
	Witness []board.Cell
	Proof   Proof // zero if Refute found the witness
}

// Anneals is the usual number of annealings before a proof; they take a fraction of a second. On boards of up to 23 they
// find a witness at once if there is one. If they find none, the proof finds one or shows that there is none.
const Anneals = 50

// Decide finds a placement of k queens without a completion, or proves that there is none.
func Decide(ctx context.Context, n, k int, o Options) (Completion, error) {
	c := Completion{Queens: k}
	var err error
	if c.Witness, err = Refute(ctx, n, k, o.Seed, o.Anneals); c.Witness != nil || err != nil {
		return c, err
	}
	c.Proof, err = Prove(ctx, n, k, o)
	c.Witness = c.Proof.Witness
	return c, err
}

// Threshold finds the largest k such that every placement of k or fewer queens has a completion: one less
// than the smallest number of queens with a witness. proved holds the proof for k queens, and refuted the
// witness of k+1 queens; refuted is zero if no number of queens has a witness.
func Threshold(ctx context.Context, n int, o Options) (proved, refuted Completion, err error) {
	for k := 1; k <= n; k++ {
		refuted, err = Decide(ctx, n, k, o)
		if err != nil || refuted.Witness != nil {
			return proved, refuted, err
		}
		proved = refuted
	}
	return proved, Completion{}, nil
}

// Source names the source of the known thresholds.
const Source = "OEIS A374013"

// Known returns the published threshold of a board of size n; known is false if there is none.
func Known(n int) (threshold int, known bool) {
	terms := [...]int{0, 1, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4} // from n = 4
	if n < 4 || n >= 4+len(terms) {
		return 0, false
	}
	return terms[n-4], true
}
