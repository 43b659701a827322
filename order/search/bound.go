package search

import (
	"context"
	"errors"
	"slices"

	"queens/backends/diagram"
	"queens/encode/cnf"
)

// Bound is a lower bound on the nodes under any order.
type Bound struct {
	Nodes int
	Cell  cnf.Var // the variable whose restriction yields it; 0 for the plain bound
}

// LowerBound proves a bound where [Minimum] cannot prove the minimum. Restricting
// a variable to true removes that variable's nodes, at least one, and adds none
// elsewhere, whatever the order. So the minimum of the function is at least one
// more than the minimum of the restriction, which has a fraction of the solutions
// and therefore far fewer classes. LowerBound returns the best bound over one
// variable from each orbit of the symmetries, leaving out restrictions that are
// still too large. The plain bound is one node for each variable; in the ZDD, for
// each variable that is true in some solution.
//
// The bound is far from tight, since each restriction sees only the solutions
// through one cell.
func LowerBound(ctx context.Context, s *Sizer, d diagram.Kind, symmetries [][]cnf.Var) (Bound, error) {
	var best Bound
	for x := range s.vars {
		if s.NumSolutions() > 0 && (d == diagram.BDD || s.first[x+1] > s.first[x]) {
			best.Nodes++
		}
	}
	for x := cnf.Var(1); int(x) <= s.vars; x++ {
		if slices.ContainsFunc(symmetries, func(image []cnf.Var) bool { return image[x-1] < x }) {
			continue
		}
		restricted, err := s.restrict(x)
		if err != nil {
			return Bound{}, err
		}
		if restricted.NumSolutions() == 0 {
			continue
		}
		proof, err := Minimum(ctx, restricted, d, nil)
		if errors.Is(err, ErrTooMany) {
			continue
		}
		if err != nil {
			return Bound{}, err
		}
		if proof.Nodes+1 > best.Nodes {
			best = Bound{proof.Nodes + 1, x}
		}
	}
	return best, nil
}

// restrict returns the Sizer of the function restricted to x true, over the
// other variables; the numbers of those after x decrease by one.
func (s *Sizer) restrict(x cnf.Var) (*Sizer, error) {
	solutions := make(map[int32][]cnf.Var)
	through := s.holds[s.first[x-1]:s.first[x]]
	for v := cnf.Var(1); int(v) <= s.vars; v++ {
		for _, i := range s.holds[s.first[v-1]:s.first[v]] {
			switch {
			case v == x || !slices.Contains(through, i):
			case v < x:
				solutions[i] = append(solutions[i], v)
			default:
				solutions[i] = append(solutions[i], v-1)
			}
		}
	}
	list := make([][]cnf.Var, 0, len(through))
	for _, i := range through {
		list = append(list, solutions[i])
	}
	return NewSizer(s.vars-1, list)
}
