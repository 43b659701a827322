package tasks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"queens/backends"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
)

// Placement is how the placed queens are chosen or, for other families, the variables fixed to
// true.
type Placement string

// The ways to choose placed queens.
const (
	// completable keeps some queens of a random solution, so a completion exists.
	completable Placement = "completable"
	// prefix keeps the first queens of a random solution, row by row.
	prefix Placement = "prefix"
	// unattacked places queens one by one on random cells that no queen attacks, as in a
	// session at the board: usually no completion exists.
	unattacked Placement = "unattacked"
)

// Values lists the ways.
func (Placement) Values() []string {
	return []string{string(completable), string(prefix), string(unattacked)}
}

// place chooses variables of a problem to be true, the same ones for the same seed on every
// machine. It returns fewer than count if no more fit, and none if the problem has no solution.
func (p Placement) place(ctx context.Context, of encode.Problem, count int, seed uint64) (vars []cnf.Var, err error) {
	if count == 0 {
		return nil, nil
	}
	random := rand.New(rand.NewPCG(seed, uint64(of.N)<<32|uint64(count)))
	if p == unattacked {
		return placeUnattacked(of, count, random), nil
	}
	solution, err := randomSolution(ctx, of, random)
	if err != nil {
		return nil, err
	}
	if p == completable {
		random.Shuffle(len(solution), func(i, j int) { solution[i], solution[j] = solution[j], solution[i] })
	}
	return solution[:min(count, len(solution))], nil
}

// placeUnattacked chooses random free variables one by one. It returns fewer than count if no
// free variable is left.
func placeUnattacked(p encode.Problem, count int, random *rand.Rand) (placed []cnf.Var) {
	free := make([]cnf.Var, p.NumVars())
	for i := range free {
		free[i] = cnf.Var(i + 1)
	}
	for len(placed) < count && len(free) > 0 {
		v := free[random.IntN(len(free))]
		placed = append(placed, v)
		attacked := map[cnf.Var]bool{v: true}
		for _, c := range p.Constraints {
			if c.Bound == encode.AtLeastOne || !slices.Contains(c.Lits, cnf.Lit(v)) {
				continue
			}
			for _, l := range c.Lits {
				attacked[l.Var()] = true
			}
		}
		free = slices.DeleteFunc(free, func(v cnf.Var) bool { return attacked[v] })
	}
	return placed
}

// largestSearched is the largest board that search completes from half of its queens.
const largestSearched = 24

// startsOfASize is how many random starts of one size are tried before a smaller size.
const startsOfASize = 20

// randomSolution completes a random start to a solution. The start has half of the queens, on
// large boards a quarter, or fewer if no such start is found to have a completion. It returns
// the true variables in increasing order, or nothing if the problem has no solution. Its
// solutions vary enough for the queries to differ, but are not uniform.
func randomSolution(ctx context.Context, p encode.Problem, random *rand.Rand) (vars []cnf.Var, err error) {
	oracle := search.New(p)
	size := max(1, p.N/2)
	if p.N > largestSearched {
		size = p.N / 4
	}
	for ; size >= 0; size-- {
		for range startsOfASize {
			var start []cnf.Lit
			for _, v := range placeUnattacked(p, size, random) {
				start = append(start, cnf.Lit(v))
			}
			answer, err := oracle.Solve(ctx, start)
			if err != nil {
				return nil, fmt.Errorf("completing a random placement of %s: %w", p, err)
			}
			if answer.Status == backends.Sat {
				return trueVars(p, answer.Model), nil
			}
			if size == 0 {
				return nil, nil // not even the empty start has a completion
			}
		}
	}
	return nil, nil
}

// trueVars returns the variables that are true in a model, in increasing order.
func trueVars(p encode.Problem, model []cnf.Lit) (vars []cnf.Var) {
	for _, l := range model {
		if l.Positive() && int(l.Var()) <= p.NumVars() {
			vars = append(vars, l.Var())
		}
	}
	slices.Sort(vars)
	return vars
}
