// Package conformance is the conformance suite of the back-ends. Each back-end
// runs it in a few lines:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, search.Methods(), func(p encode.Problem) backends.Backend { return search.New(p) })
//	}
//
// The suite must never trust a back-end or the encoder: what a family's solutions are comes from its
// rules alone, for queens from board.Cell.Attacks, and what those of other problems are from a
// brute force over their constraints, or over the clauses of a file.
package conformance
