package oracletest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Truth is a problem with all its solutions, which are found once for any number of
// back-ends.
type Truth struct {
	Problem encode.Problem
	all     [][]cnf.Lit
}

// Random draws a problem that brute force can list: a board with placed and blocked
// cells, another family, queens without some constraints, random constraints, a random
// CNF.
func Random(rng *rand.Rand) (Truth, error) {
	var p encode.Problem
	var err error
	switch rng.IntN(5) {
	case 0:
		p, err = encode.Queens(5+rng.IntN(2), nil, nil)
	case 1:
		p, err = randomBoard(rng, 1+rng.IntN(6))
	case 2:
		small := smallFamilies()
		one := small[rng.IntN(len(small))]
		p, err = one.family.Build(1 + rng.IntN(one.most))
	case 3:
		if p, err = encode.Queens(2+rng.IntN(3), nil, nil); err == nil {
			p = without(p, func(encode.Constraint) bool { return rng.IntN(4) == 0 })
		}
	case 4:
		p = randomConstraints(rng, 7)
	}
	if err != nil || p.NumVars() == 0 {
		return Truth{p, nil}, err
	}
	return Truth{p, BruteForce(p)}, nil
}

// Ask asks a back-end about the given number of sets of assumptions, which grow
// and shrink, and compares everything that it can answer with brute force.
func (o Truth) Ask(t *testing.T, backend any, rng *rand.Rand, questions int, hint string) {
	t.Helper()
	(&subject{t, o.Problem, o.all, backend, hint}).history(rng, questions)
}

// small is a family with the largest size at which brute force lists every
// solution.
type small struct {
	family encode.Family
	most   int
}

func smallFamilies() []small {
	var list []small
	most := map[string]int{"toroidal": 5, "amazons": 5, "rooks": 4, "latin": 3, "dominoes": 4}
	for _, f := range encode.Families() {
		if n, ok := most[f.Name]; ok {
			list = append(list, small{f, n})
		}
	}
	return list
}

// randomBoard returns queens with some cells placed and some blocked.
func randomBoard(rng *rand.Rand, n int) (encode.Problem, error) {
	var placed, blocked []board.Cell
	for i := range n * n {
		if rng.IntN(n*n) == 0 {
			placed = append(placed, board.At(n, i))
		}
		if rng.IntN(n+2) == 0 {
			blocked = append(blocked, board.At(n, i))
		}
	}
	return encode.Queens(n, placed, blocked)
}

// without returns the problem without the constraints for which gone returns
// true.
func without(p encode.Problem, gone func(encode.Constraint) bool) encode.Problem {
	p.Constraints = slices.DeleteFunc(slices.Clone(p.Constraints), gone)
	return p
}

// randomConstraints returns a problem of up to the given number of variables,
// with constraints of all bounds over literals of both signs, or only clauses.
func randomConstraints(rng *rand.Rand, most int) encode.Problem {
	vars := 1 + rng.IntN(most)
	p := encode.Problem{Family: "random", Names: encode.List(slices.Repeat([]string{""}, vars))}
	onlyClauses := rng.IntN(3) == 0
	for range rng.IntN(2 * vars) {
		c := encode.Constraint{Name: "random", Bound: encode.Bound(rng.IntN(3))}
		if onlyClauses {
			c.Bound = encode.AtLeastOne
		}
		for _, v := range rng.Perm(vars)[:1+rng.IntN(min(vars, 4))] {
			l := cnf.Lit(v + 1)
			if rng.IntN(3) == 0 {
				l = l.Not()
			}
			c.Lits = append(c.Lits, l)
		}
		p.Constraints = append(p.Constraints, c)
	}
	return p
}

// String names the problem, and lists its constraints if it is of no family.
func (o Truth) String() string {
	if o.Problem.Family == "random" {
		return fmt.Sprintf("%s %v", o.Problem, o.Problem.Constraints)
	}
	return o.Problem.String()
}
