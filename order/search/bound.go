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
	Cell  cnf.Var // the variable whose restriction gives it; 0 for the plain bound
}

// LowerBound proves a bound where [Minimum] cannot prove the minimum. Restricting
// the function to a variable being true takes that variable's nodes away, at least
// one, and adds none anywhere else, whatever the order: so one more than the
// minimum of the restriction, which has a fraction of the solutions and with them
// far fewer classes, bounds the minimum of the function. The best bound over all
// variables is returned, of one variable from each orbit of the symmetries;
// restrictions that are too large themselves are left out. The plain bound is a
// node for each variable, in the ZDD for each that some solution holds.
//
// It is far from tight: it sees the solutions of one cell at a time.
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

// restrict returns the Sizer of the function with x true, over the other
// variables, those above x numbered one lower.
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
