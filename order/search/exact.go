package search

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"queens/backends/diagram"
	"queens/encode/cnf"
	"queens/order"
)

// Proof is the smallest size over all orders, with an order that attains it.
type Proof struct {
	Nodes int
	Order order.Order
}

// ErrTooMany says that the dynamic program of [Minimum] would be too large.
var ErrTooMany = errors.New("too many sets of variables")

// mostStates bounds the table of Minimum to 128 MiB.
const mostStates = 1 << 26

// Minimum proves the smallest size over all orders, by dynamic programming over
// the set of variables above a level, after Friedman and Supowit (Finding the
// optimal variable ordering for binary decision diagrams, IEEE Transactions on
// Computers 39, 1990): the cheapest way to order the variables below does not
// depend on the sequence of those above, so 2^n sets stand for n! orders.
//
// Two facts make the table smaller. Variables true in the same solutions are
// interchangeable, so it is enough to count how many of each such class are
// above. And sets that are images of each other under a symmetry of the
// solutions cost the same. The symmetries are permutations as in [Symmetries];
// Minimum checks them. Cofactors are compared exactly here, without hashing.
//
// The error is ErrTooMany if the table would have more than 2^26 entries: on an
// empty board, for n = 7 and above.
func Minimum(ctx context.Context, s *Sizer, d diagram.Kind, symmetries [][]cnf.Var) (Proof, error) {
	l, err := newLattice(s)
	if err != nil {
		return Proof{}, err
	}
	images, err := l.images(symmetries)
	if err != nil {
		return Proof{}, err
	}
	const unknown = ^uint16(0)
	cost := make([]uint16, l.states) // nodes below a set
	for i := range cost {
		cost[i] = unknown
	}
	cost[l.states-1] = 0
	count := make([]int, len(l.class))
	nodes := make([]int, len(l.class))
	for index := l.states - 2; index >= 0; index-- {
		if cost[index] != unknown {
			continue // the image of a set already computed
		}
		if err := ctx.Err(); err != nil {
			return Proof{}, err
		}
		l.count(index, count)
		l.nodes(d, count, nodes)
		best := int(unknown)
		for j, class := range l.class {
			if count[j] < len(class) { // not all of the class is above; the next set's index is larger
				best = min(best, nodes[j]+int(cost[index+l.stride[j]]))
			}
		}
		if best >= int(unknown) {
			return Proof{}, fmt.Errorf("a diagram of %d nodes and more: %w", best, ErrTooMany)
		}
		for _, image := range images {
			to := 0
			for j, k := range count {
				to += k * l.stride[image[j]]
			}
			cost[to] = uint16(best)
		}
	}
	return Proof{int(cost[0]), l.follow(d, cost)}, nil
}

// lattice represents a set of variables above by how many of each class are in
// it. It takes the first ones of the class, since it makes no difference which.
type lattice struct {
	class     [][]cnf.Var // variables true in the same solutions
	of        []int       // by variable: its class
	stride    []int       // mixed radix: the index of a set is the sum of count * stride
	states    int
	solutions []uint64 // as sets of variables: bit v-1
	// Scratch space: cofactors, each as the rests of its solutions, in sequence.
	above, below []uint64
	cofactors    [][]uint64
}

func newLattice(s *Sizer) (*lattice, error) {
	if s.vars > 64 {
		return nil, fmt.Errorf("%d variables: %w", s.vars, ErrTooMany)
	}
	l := &lattice{of: make([]int, s.vars), states: 1, solutions: make([]uint64, s.NumSolutions())}
	holds := func(v cnf.Var) []int32 { return s.holds[s.first[v-1]:s.first[v]] }
	for v := cnf.Var(1); int(v) <= s.vars; v++ {
		for _, i := range holds(v) {
			l.solutions[i] |= 1 << (v - 1)
		}
		j := slices.IndexFunc(l.class, func(class []cnf.Var) bool { return slices.Equal(holds(class[0]), holds(v)) })
		if j < 0 {
			j = len(l.class)
			l.class = append(l.class, nil)
		}
		l.class[j] = append(l.class[j], v)
		l.of[v-1] = j
	}
	for _, class := range l.class {
		l.stride = append(l.stride, l.states)
		high, low := bits.Mul64(uint64(l.states), uint64(len(class)+1))
		if high != 0 || low > mostStates {
			return nil, fmt.Errorf("%d variables in %d classes: %w", s.vars, len(l.class), ErrTooMany)
		}
		l.states = int(low)
	}
	// Sort the solutions, so equal cofactors list their rests in the same
	// sequence: removing the part above from two solutions that agree on it
	// does not change which one is larger.
	slices.Sort(l.solutions)
	l.above, l.below = make([]uint64, len(l.solutions)), make([]uint64, len(l.solutions))
	return l, nil
}

// images checks the symmetries and turns each into a permutation of classes.
func (l *lattice) images(symmetries [][]cnf.Var) ([][]int, error) {
	images := [][]int{make([]int, len(l.class))}
	for j := range l.class {
		images[0][j] = j
	}
	for i, symmetry := range symmetries {
		if err := checkSymmetry(i+1, symmetry, len(l.of), l.solutions); err != nil {
			return nil, err
		}
		image := make([]int, len(l.class))
		for j, class := range l.class {
			image[j] = l.of[symmetry[class[0]-1]-1]
		}
		images = append(images, image)
	}
	return images, nil
}

// checkSymmetry returns an error unless a permutation of the variables is a symmetry of
// the solutions, which are sorted sets of variables. The number is for the error.
func checkSymmetry(number int, symmetry []cnf.Var, vars int, solutions []uint64) error {
	if err := order.Order(symmetry).Check(vars); err != nil {
		return fmt.Errorf("symmetry %d: %w", number, err)
	}
	for _, solution := range solutions {
		if _, is := slices.BinarySearch(solutions, image(symmetry, solution)); !is {
			return fmt.Errorf("symmetry %d does not map every solution to a solution", number)
		}
	}
	return nil
}

// image returns the image of a set of variables under a symmetry.
func image(symmetry []cnf.Var, set uint64) (turned uint64) {
	for ; set != 0; set &= set - 1 {
		turned |= 1 << (symmetry[bits.TrailingZeros64(set)] - 1)
	}
	return turned
}

// count fills count with how many of each class are above.
func (l *lattice) count(index int, count []int) {
	for j, class := range l.class {
		count[j] = index / l.stride[j] % (len(class) + 1)
	}
}

// nodes fills nodes with the number of nodes on the level below a set, by the
// class of the variable there, for classes that are not all above.
func (l *lattice) nodes(d diagram.Kind, count, nodes []int) {
	var set uint64 // the variables above
	for j, class := range l.class {
		for _, v := range class[:count[j]] {
			set |= 1 << (v - 1)
		}
	}
	l.cofactors = l.cofactors[:0]
	rests := l.below[:0]
	for i, solution := range l.solutions {
		l.above[i] = solution & set
		if slices.Contains(l.above[:i], l.above[i]) {
			continue
		}
		start := len(rests)
		for _, other := range l.solutions[i:] {
			if other&set == l.above[i] {
				rests = append(rests, other&^set)
			}
		}
		cofactor := rests[start:]
		if slices.ContainsFunc(l.cofactors, func(c []uint64) bool { return slices.Equal(c, cofactor) }) {
			rests = rests[:start]
		} else {
			l.cofactors = append(l.cofactors, cofactor)
		}
	}
	if d == diagram.BDD {
		for j := range nodes {
			nodes[j] = len(l.cofactors)
		}
		return
	}
	clear(nodes)
	for _, cofactor := range l.cofactors {
		var some uint64 // true in some rest
		for _, rest := range cofactor {
			some |= rest
		}
		for j, class := range l.class {
			if count[j] < len(class) {
				nodes[j] += int(some >> (class[count[j]] - 1) & 1)
			}
		}
	}
}

// follow reads an order off the finished table, taking the first best class at
// each level.
func (l *lattice) follow(d diagram.Kind, cost []uint16) order.Order {
	var o order.Order
	count := make([]int, len(l.class))
	nodes := make([]int, len(l.class))
	for index := 0; index < l.states-1; {
		l.count(index, count)
		l.nodes(d, count, nodes)
		for j, class := range l.class {
			if count[j] < len(class) && nodes[j]+int(cost[index+l.stride[j]]) == int(cost[index]) {
				o = append(o, class[count[j]])
				index += l.stride[j]
				break
			}
		}
	}
	return o
}
