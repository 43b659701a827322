package ddnnf

import (
	"context"
	"math/big"
	"slices"

	"queens/encode/cnf"
)

// A pass goes over all nodes once, up from the leaves or down from the root. Under assumptions, a node has solutions
// if a pass up finds some, and it matters if a pass down reaches it through nodes that have some.

// values holds what is assumed, by variable-1: 1 is true, -1 false, 0 open.
type values []int8

// assumed returns what literals assume; false if they contradict each other.
func (g *Graph) assumed(lits []cnf.Lit) (v values, consistent bool) {
	v = make(values, g.problem.NumVars())
	for _, l := range lits {
		value := int8(1)
		if !l.Positive() {
			value = -1
		}
		if v[l.Var()-1] == -value {
			return nil, false
		}
		v[l.Var()-1] = value
	}
	return v, true
}

// literal returns what a literal is assumed to be: 1 is true, -1 false, 0 open.
func (v values) literal(l cnf.Lit) int8 {
	if l.Positive() {
		return v[l-1]
	}
	return -v[-l-1]
}

// of returns how many literals are true, and how many are open.
func (v values) of(lits []int32) (trues, open int32) {
	for _, l := range lits {
		switch v.literal(cnf.Lit(l)) {
		case 1:
			trues++
		case 0:
			open++
		}
	}
	return trues, open
}

// pauses is the number of nodes between two looks at the context.
const pauses = 1 << 14

// satisfiable returns by node whether it has solutions under assumptions.
func (g *Graph) satisfiable(ctx context.Context, v values) ([]bool, error) {
	sat := make([]bool, g.Len())
	for i, k := range g.kinds {
		if i%pauses == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch k {
		case leaf:
			least, most, lits := g.leaf(i)
			trues, open := v.of(lits)
			sat[i] = trues+open >= least && trues <= most
		case and:
			sat[i] = !slices.ContainsFunc(g.of(i), func(child int32) bool { return !sat[child] })
		case or:
			sat[i] = slices.ContainsFunc(g.of(i), func(child int32) bool { return sat[child] })
		}
	}
	return sat, nil
}

// shown returns by literal's index whether a solution under assumptions has it. sat is what satisfiable returns.
func (g *Graph) shown(ctx context.Context, v values, sat []bool) (shown []bool, visited int64, err error) {
	shown, reached := make([]bool, 2*len(v)), make([]bool, len(sat))
	reached[len(sat)-1] = sat[len(sat)-1]
	for i := len(sat) - 1; i >= 0; i-- {
		if i%pauses == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if !reached[i] {
			continue
		}
		visited++
		if g.kinds[i] != leaf {
			for _, child := range g.of(i) {
				reached[child] = sat[child]
			}
			continue
		}
		least, most, lits := g.leaf(i)
		trues, open := v.of(lits)
		for _, word := range lits {
			l := cnf.Lit(word)
			value := v.literal(l)
			if value == 1 || value == 0 && trues < most {
				shown[l.Index()] = true
			}
			if value == -1 || value == 0 && trues+open > least {
				shown[l.Not().Index()] = true
			}
		}
	}
	return shown, visited, nil
}

// tally counts solutions under assumptions.
type tally struct {
	g     *Graph
	v     values
	ways  []big.Int // by node
	words int64     // of ways
}

// count counts the solutions of all nodes, from the leaves up. keep keeps the counts of all nodes, for a pass down;
// otherwise the counts of children are dropped after their last parent. It takes one multiplication for each edge of
// an *and*.
func (g *Graph) count(ctx context.Context, v values, keep bool, limit int64) (*tally, error) {
	t := &tally{g: g, v: v, ways: make([]big.Int, g.Len())}
	var last []int32 // by node: its last parent
	if !keep {
		last = make([]int32, g.Len())
		for i, k := range g.kinds {
			if k != leaf {
				for _, child := range g.of(i) {
					last[child] = int32(i)
				}
			}
		}
	}
	known := map[[3]int32]*big.Int{} // of leaves
	for i, k := range g.kinds {
		if i%1024 == 0 {
			if err := t.check(ctx, limit); err != nil {
				return nil, err
			}
		}
		ways := &t.ways[i]
		if k == leaf {
			least, most, lits := g.leaf(i)
			trues, open := v.of(lits)
			of := [3]int32{open, max(0, least-trues), most - trues}
			if known[of] == nil {
				known[of] = assignments(int(of[0]), int(of[1]), int(of[2]))
			}
			*ways = *known[of] // which nobody changes
			continue
		}
		if k == and {
			ways.SetInt64(1)
		}
		for _, child := range g.of(i) {
			before := len(ways.Bits())
			if k == or {
				ways.Add(ways, &t.ways[child])
			} else if ways.Sign() != 0 {
				ways.Mul(ways, &t.ways[child])
			}
			t.words += int64(len(ways.Bits()) - before)
		}
		if !keep {
			for _, child := range g.of(i) {
				if last[child] == int32(i) && g.kinds[child] != leaf {
					t.words -= int64(len(t.ways[child].Bits()))
					t.ways[child] = big.Int{}
				}
			}
		}
	}
	return t, nil
}

// check returns an error if the context has ended, or the counts exceed the limit of bytes.
func (t *tally) check(ctx context.Context, limit int64) error {
	const each = 40 // bytes for each node: a big.Int, and what goes with it
	if want := t.g.Bytes() + 12*t.words + each*int64(len(t.ways)); limit > 0 && want > limit {
		return limitError(limit, want)
	}
	return ctx.Err()
}

// total returns the number of solutions.
func (t *tally) total() *big.Int {
	if len(t.ways) == 0 {
		return new(big.Int)
	}
	return new(big.Int).Set(&t.ways[len(t.ways)-1])
}

// each returns by variable-1 the number of solutions in which it is true, by one pass down: the number of solutions
// that go through a node is that of the parents' (*and*), or each parent's divided among its children (*or*).
func (t *tally) each(ctx context.Context, limit int64) ([]*big.Int, error) {
	g := t.g
	each := zeros(len(t.v))
	through := make([]big.Int, len(t.ways))
	if len(through) > 0 {
		through[len(through)-1].Set(t.total())
	}
	var outside, share big.Int // the ways to complete a node's solution
	for i := len(through) - 1; i >= 0; i-- {
		if i%1024 == 0 {
			if err := t.check(ctx, limit); err != nil {
				return nil, err
			}
		}
		all := &through[i]
		switch {
		case all.Sign() == 0:
		case g.kinds[i] == and:
			for _, child := range g.of(i) {
				through[child].Add(&through[child], all)
			}
		case g.kinds[i] == or:
			outside.Quo(all, &t.ways[i])
			for _, child := range g.of(i) {
				through[child].Add(&through[child], share.Mul(&outside, &t.ways[child]))
			}
		default:
			outside.Quo(all, &t.ways[i])
			least, most, lits := g.leaf(i)
			trues, open := t.v.of(lits)
			var with, without *big.Int // open literals true, and false
			for _, l := range lits {
				v := cnf.Lit(l).Var()
				switch {
				case t.v[v-1] == 1:
					each[v-1].Add(each[v-1], all)
				case t.v[v-1] == 0 && l > 0:
					if with == nil {
						with = new(big.Int).Mul(&outside, assignments(int(open-1), int(max(0, least-trues-1)), int(most-trues-1)))
					}
					each[v-1].Add(each[v-1], with)
				case t.v[v-1] == 0:
					if without == nil {
						without = new(big.Int).Mul(&outside, assignments(int(open-1), int(max(0, least-trues)), int(most-trues)))
					}
					each[v-1].Add(each[v-1], without)
				}
			}
		}
		t.words += int64(len(all.Bits()))
		*all = big.Int{}
	}
	return each, nil
}

// zeros returns counts of 0.
func zeros(n int) []*big.Int {
	list := make([]*big.Int, n)
	for i := range list {
		list[i] = new(big.Int)
	}
	return list
}

// assignments returns in how many ways from least to most of n literals are true; most may be negative.
func assignments(n, least, most int) *big.Int {
	if most >= n && least > 0 { // few may be false
		all := new(big.Int).Lsh(big.NewInt(1), uint(n))
		return all.Sub(all, assignments(n, 0, least-1))
	}
	if most >= n {
		return new(big.Int).Lsh(big.NewInt(1), uint(n))
	}
	total, chosen := new(big.Int), big.NewInt(1) // the ways to choose k of them
	for k := 0; k <= most; k++ {
		if k >= least {
			total.Add(total, chosen)
		}
		chosen.Div(chosen.Mul(chosen, big.NewInt(int64(n-k))), big.NewInt(int64(k+1)))
	}
	return total
}
