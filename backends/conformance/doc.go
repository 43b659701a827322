// Package conformance is the conformance suite of the back-ends. Each back-end
// runs it in a few lines:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, search.Methods(), func(p encode.Problem) backends.Backend { return search.New(p) })
//	}
//
// The suite must never trust a back-end or the encoder: it finds a family's solutions by the family's
// rules alone, for queens by board.Cell.Attacks, and the solutions of other problems by brute force over
// their constraints, or over the clauses of a file.
package conformance
