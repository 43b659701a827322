package encode

import "queens/encode/cnf"

// partition: the numbers 1 to n in two halves of equal sum; a variable says that its number is in the first. OEIS A063865.
// It is one constraint, all of it weights: listing tries 2^n halves, and a diagram has a node for each sum of the first
// few numbers.
func partition(n int) Problem {
	p := Problem{Family: "partition", N: n, Names: make(List, n)}
	var lits []cnf.Lit
	var weights []int
	for v := range cnf.Var(n) {
		lits, weights = append(lits, (v+1).Pos()), append(weights, 2*int(v+1))
	}
	sum := n * (n + 1) / 2 // twice the half, as the weights are twice the numbers
	p.Constraints = Weighing("the first half", sum, sum, lits, weights)
	return p
}
