// Package oracletest is the one conformance suite of the back-ends. Each back-end
// binds it in a few lines:
//
//	func TestConformance(t *testing.T) {
//		oracletest.Run(t, func(p encode.Problem) backends.Oracle { return search.New(p) })
//	}
//
// The suite has its own brute force, which tries the columns row by row and
// asks board.Cell.Attacks, so that it must never trust a back-end.
package oracletest
