package oracletest

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// BruteForce returns the solutions of a problem as models. It decides the variables
// one by one, false before true, and backtracks as soon as a constraint is violated.
func BruteForce(p encode.Problem) [][]cnf.Lit {
	b := &bruteForce{p: p, model: make([]cnf.Lit, p.NumVars()), of: make([][]occurrence, p.NumVars())}
	for i, c := range p.Constraints {
		b.holding = append(b.holding, 0)
		b.open = append(b.open, len(c.Lits))
		for _, l := range c.Lits {
			b.of[l.Var()-1] = append(b.of[l.Var()-1], occurrence{i, l})
		}
		if len(c.Lits) == 0 && c.Bound != encode.AtMostOne {
			return nil
		}
	}
	b.extend(1)
	return b.solutions
}

type occurrence struct {
	constraint int
	lit        cnf.Lit
}

type bruteForce struct {
	p         encode.Problem
	of        [][]occurrence // by variable - 1
	holding   []int          // by constraint: number of its true literals
	open      []int          // by constraint: number of its literals not yet decided
	model     []cnf.Lit
	solutions [][]cnf.Lit
}

func (b *bruteForce) extend(v cnf.Var) {
	if int(v) > len(b.model) {
		b.solutions = append(b.solutions, slices.Clone(b.model))
		return
	}
	for _, l := range []cnf.Lit{v.Neg(), v.Pos()} {
		if slices.Contains(b.p.Fixed, l.Not()) {
			continue
		}
		b.model[v-1] = l
		fits := true
		for _, o := range b.of[v-1] {
			b.open[o.constraint]--
			if o.lit == l {
				b.holding[o.constraint]++
			}
			bound := b.p.Constraints[o.constraint].Bound
			fits = fits && (bound == encode.AtLeastOne || b.holding[o.constraint] <= 1) &&
				(bound == encode.AtMostOne || b.holding[o.constraint]+b.open[o.constraint] > 0)
		}
		if fits {
			b.extend(v + 1)
		}
		for _, o := range b.of[v-1] {
			b.open[o.constraint]++
			if o.lit == l {
				b.holding[o.constraint]--
			}
		}
	}
}

// Queens returns the solutions of the n-queens problem, each as the column
// of each row's queen, in lexicographic order.
func Queens(n int) [][]int {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		panic(err)
	}
	var solutions [][]int
	for _, model := range slices.Backward(BruteForce(p)) { // which tries false first
		var cols []int
		for _, l := range model {
			if l.Positive() {
				cols = append(cols, encode.VarCell(n, l.Var()).Col)
			}
		}
		solutions = append(solutions, cols)
	}
	return solutions
}

// truth is the correct answer to a query, filtered from all solutions.
type truth struct {
	solutions        [][]cnf.Lit
	each             []int64
	possible, forced []cnf.Var
}

func filter(p encode.Problem, all [][]cnf.Lit, lits []cnf.Lit) truth {
	want := truth{each: make([]int64, p.NumVars())}
	for _, model := range all {
		if slices.ContainsFunc(lits, func(l cnf.Lit) bool { return model[l.Var()-1] != l }) {
			continue
		}
		want.solutions = append(want.solutions, model)
		for i, l := range model {
			if l.Positive() {
				want.each[i]++
			}
		}
	}
	for i, count := range want.each {
		v := cnf.Var(i + 1)
		if count > 0 {
			want.possible = append(want.possible, v)
			if count == int64(len(want.solutions)) {
				want.forced = append(want.forced, v)
			}
		}
	}
	return want
}
