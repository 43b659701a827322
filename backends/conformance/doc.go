// Package conformance is the conformance suite of the back-ends. Each back-end
// runs it in a few lines:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, search.Methods(), func(p encode.Problem) backends.Backend { return search.New(p) })
//	}
//
// The suite must never trust a back-end: it has its own brute force, which
// tries the columns row by row and asks board.Cell.Attacks.
package conformance
