package optimize

import (
	"context"
	"slices"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// LargestProved is the largest board for which [Minimum] is practical.
const LargestProved = 6

// Minimum proves the smallest size over all orders, by dynamic programming over the set of variables
// above a level, after Friedman and Supowit (Finding the optimal variable ordering for binary decision
// diagrams, IEEE Transactions on Computers 39, 1990). The cheapest way to order the variables below does
// not depend on the sequence of those above, so 2^n sets are enough instead of n! orders.
//
// Two facts make the table smaller. Variables that are true in the same solutions are interchangeable,
// so for each class of them it is enough to count how many are above. And sets that are images of each
// other under a symmetry of the solutions cost the same. The symmetries are permutations as in
// [Symmetries].
//
// Cofactors are compared by 64-bit sums, as in [Sizer]. A collision can only merge different cofactors,
// which makes a cost too small. So the minimum is proved as soon as an engine shows that the returned
// order attains it.
func Minimum(ctx context.Context, s *Sizer, d robdd.Kind, symmetries [][]cnf.Var) (order.Order, int, error) {
	l := newLattice(s, d, symmetries)
	const unknown = ^uint16(0)
	cost := slices.Repeat([]uint16{unknown}, l.states) // by set of variables above: the nodes below it
	cost[l.states-1] = 0
	for index := l.states - 2; index >= 0; index-- {
		if cost[index] != unknown {
			continue // the image of a set already computed
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		best := unknown
		l.descend(index, func(class, nodes int) { // the index of the next set is larger
			best = min(best, cost[index+l.stride[class]]+uint16(nodes))
		})
		for _, image := range l.images {
			to := 0
			for class, count := range l.above {
				to += count * l.stride[image[class]]
			}
			cost[to] = best
		}
	}
	var o order.Order
	for index := 0; index < l.states-1; {
		next := index
		l.descend(index, func(class, nodes int) { // the first class that attains the cost
			if to := index + l.stride[class]; next == index && cost[to]+uint16(nodes) == cost[index] {
				next = to
				o = append(o, l.class[class][l.above[class]])
			}
		})
		index = next
	}
	return o, int(cost[0]), nil
}

// lattice represents a set of variables above by the number of variables of each class in it. These are
// the first ones of the class, since it makes no difference which.
type lattice struct {
	sizer   *Sizer
	diagram robdd.Kind
	class   [][]cnf.Var // variables that are true in the same solutions
	stride  []int       // mixed radix: the index of a set is the sum of count * stride
	states  int
	images  [][]int // permutations of the classes: the identity, and the symmetries
	above   []int   // by class: the number of its variables in the set of the last descent
}

func newLattice(s *Sizer, d robdd.Kind, symmetries [][]cnf.Var) *lattice {
	l := &lattice{sizer: s, diagram: d, states: 1}
	all := s.natural()
	of := make([]int, len(all)) // by variable: its class
	for i, v := range all {
		j := slices.IndexFunc(l.class, func(class []cnf.Var) bool { return slices.Equal(s.holds[class[0]-1], s.holds[i]) })
		if j < 0 {
			j = len(l.class)
			l.class = append(l.class, nil)
		}
		l.class[j] = append(l.class[j], v)
		of[i] = j
	}
	for _, class := range l.class {
		l.stride = append(l.stride, l.states)
		l.states *= len(class) + 1
	}
	l.above = make([]int, len(l.class))
	s.start()
	for _, symmetry := range append(symmetries[:len(symmetries):len(symmetries)], all) {
		image := make([]int, len(l.class))
		for j, class := range l.class {
			image[j] = of[symmetry[class[0]-1]-1]
		}
		l.images = append(l.images, image)
	}
	return l
}

// descend moves the sweep below a set of variables. It calls visit for each class that is not wholly
// above, with the number of nodes that the class's next variable would have there.
func (l *lattice) descend(index int, visit func(class, nodes int)) {
	there := true // the sweep is there already: variables that are true in no solution split nothing
	for j, class := range l.class {
		above := index / l.stride[j] % (len(class) + 1)
		there = there && (above == l.above[j] || len(l.sizer.holds[class[0]-1]) == 0)
		l.above[j] = above
	}
	if !there {
		l.sizer.start()
		for j, class := range l.class {
			for _, v := range class[:l.above[j]] {
				l.sizer.descend(v)
			}
		}
	}
	for j, class := range l.class {
		if count := l.above[j]; count < len(class) {
			visit(j, l.sizer.here(l.diagram, class[count]))
		}
	}
}
