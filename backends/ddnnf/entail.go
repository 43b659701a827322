package ddnnf

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// Breaks returns a constraint of the problem that some solution of the graph violates; nil if none does. A d-DNNF that
// another program has compiled is right if none does, if it has each solution once, and if it lacks none. A pass
// over all nodes finds for 64 clauses whether there are solutions in which all their literals are false, or for another
// constraint the least and the largest sum. No constraint may have auxiliary variables. See Darwiche and Marquis (as at
// [Graph]), section 4: clausal entailment takes polynomial time on a DNNF.
func (g *Graph) Breaks(ctx context.Context) (*encode.Constraint, error) {
	if g.Len() == 0 {
		return nil, nil
	}
	var batch []*encode.Constraint // of clauses
	all := g.problem.Constraints
	for i := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !all[i].IsClause() {
			if least, most := g.extremes(&all[i]); least < all[i].Least || most > all[i].Most {
				return &all[i], nil
			}
			continue
		}
		if batch = append(batch, &all[i]); len(batch) == 64 {
			if at := bits.TrailingZeros64(g.falsified(batch)); at < 64 {
				return batch[at], nil
			}
			batch = batch[:0]
		}
	}
	if at := bits.TrailingZeros64(g.falsified(batch)); at < len(batch) {
		return batch[at], nil
	}
	return nil, nil
}

// falsified returns a bit for each of up to 64 clauses: whether some solution makes all its literals false.
func (g *Graph) falsified(clauses []*encode.Constraint) uint64 {
	within := make([]uint64, 2*g.problem.NumVars()) // by literal's index: the clauses with the literal
	for b, c := range clauses {
		for _, l := range c.Lits {
			within[l.Index()] |= 1 << b
		}
	}
	possible := make([]uint64, g.Len()) // with the clauses' literals false
	for i, k := range g.kinds {
		switch k {
		case and:
			possible[i] = math.MaxUint64
			for _, child := range g.of(i) {
				possible[i] &= possible[child]
			}
		case or:
			for _, child := range g.of(i) {
				possible[i] |= possible[child]
			}
		case leaf:
			possible[i] = math.MaxUint64
			least, most, lits := g.leaf(i)
			var trues, falses [64]int32
			touched := uint64(0)
			for _, word := range lits {
				l := cnf.Lit(word)
				for in := within[l.Index()]; in != 0; in &= in - 1 {
					falses[bits.TrailingZeros64(in)]++
				}
				for in := within[l.Not().Index()]; in != 0; in &= in - 1 {
					trues[bits.TrailingZeros64(in)]++
				}
				touched |= within[l.Index()] | within[l.Not().Index()]
			}
			for ; touched != 0; touched &= touched - 1 {
				if b := bits.TrailingZeros64(touched); int32(len(lits))-falses[b] < least || trues[b] > most {
					possible[i] &^= 1 << b
				}
			}
		}
	}
	return possible[g.Len()-1]
}

// extremes returns the least and the largest sum of a constraint's true literals in a solution.
func (g *Graph) extremes(of *encode.Constraint) (least, most int) {
	gains := make([]int, g.problem.NumVars()) // by variable-1: what its literal adds when it is true, less what it adds when false
	base := 0                                 // of the negative literals
	for k, l := range of.Lits {
		gain := of.Weight(k)
		if !l.Positive() {
			base += gain
			gain = -gain
		}
		gains[l.Var()-1] = gain
	}
	leasts, mosts := make([]int, g.Len()), make([]int, g.Len())
	var own []int
	for i, k := range g.kinds {
		switch k {
		case and:
			for _, child := range g.of(i) {
				leasts[i] += leasts[child]
				mosts[i] += mosts[child]
			}
		case or:
			leasts[i], mosts[i] = math.MaxInt, math.MinInt
			for _, child := range g.of(i) {
				leasts[i], mosts[i] = min(leasts[i], leasts[child]), max(mosts[i], mosts[child])
			}
		case leaf:
			from, to, lits := g.leaf(i)
			none := 0 // the sum if no literal of the leaf is true
			own = own[:0]
			for _, word := range lits {
				l := cnf.Lit(word)
				gain := gains[l.Var()-1]
				if !l.Positive() {
					none += gain
					gain = -gain
				}
				own = append(own, gain)
			}
			slices.Sort(own)
			leasts[i], mosts[i] = none+smallest(own, int(from), int(to)), none
			for k := range own {
				own[k] = -own[k]
			}
			slices.Reverse(own)
			mosts[i] -= smallest(own, int(from), int(to))
		}
	}
	return base + leasts[g.Len()-1], base + mosts[g.Len()-1]
}

// smallest returns the smallest sum of from least to most of some ascending numbers.
func smallest(numbers []int, least, most int) (sum int) {
	for k, n := range numbers[:most] {
		if k < least || n < 0 {
			sum += n
		}
	}
	return sum
}
