//go:build slow

package search

import "testing"

// 2^25 sets of variables, an eighth of them computed.
func TestMinimumOfFive(t *testing.T) {
	proveQueens(t, 5, BDD, 145)
	proveQueens(t, 5, ZDD, 40)
}
