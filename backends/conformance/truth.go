package conformance

import (
	"fmt"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// Of finds the solutions of a problem: a family's by its rules, any other problem's by its constraints.
func Of(p encode.Problem) Truth {
	if _, is := rules()[p.Family]; is {
		return Truth{p, ByRules(p)}
	}
	return Truth{p, BruteForce(p)}
}

// BruteForce returns the solutions of a problem's constraints as models, false before true. It decides
// the variables one by one, and backtracks as soon as a constraint is violated. Auxiliary variables
// are decided last and left out of the models.
func BruteForce(p encode.Problem) (solutions [][]cnf.Lit) {
	of := make([][]encode.Constraint, p.AllVars()+1) // by variable; those without literals at 0
	for _, c := range p.Constraints {
		if len(c.Lits) == 0 {
			of[0] = append(of[0], c)
		}
		for _, l := range c.Lits {
			of[l.Var()] = append(of[l.Var()], c)
		}
	}
	model := make([]cnf.Lit, p.AllVars())
	// decided visits the completions of the model, in which the variables up to v have a value. It returns
	// at once if a constraint of v can no longer be met.
	var decided func(v cnf.Var)
	decided = func(v cnf.Var) {
		for _, c := range of[v] {
			held, open := 0, 0
			for k, l := range c.Lits {
				weight := 1
				if c.Weights != nil {
					weight = c.Weights[k]
				}
				if l.Var() > v {
					open += weight
				} else if model[l.Var()-1] == l {
					held += weight
				}
			}
			if held > c.Most || held+open < c.Least {
				return
			}
		}
		if int(v) == len(model) {
			solutions = append(solutions, slices.Clone(model[:p.NumVars()]))
			return
		}
		for _, l := range []cnf.Lit{(v + 1).Neg(), (v + 1).Pos()} {
			if model[v] = l; !slices.Contains(p.Fixed, l.Not()) {
				decided(v + 1)
			}
		}
	}
	decided(0)
	return slices.CompactFunc(solutions, slices.Equal) // the solutions come sorted
}

// Queens returns the solutions of the n-queens problem, each as the column
// of each row's queen, in lexicographic order.
func Queens(n int) [][]int {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		panic(err)
	}
	var solutions [][]int
	for _, model := range slices.Backward(ByRules(p)) { // ByRules lists false before true
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

// words returns the expected answers of [subject.asks], by kind.
func (t truth) words() map[string]string {
	return map[string]string{
		"solve": fmt.Sprint(map[bool]backends.Status{true: backends.Sat, false: backends.Unsat}[len(t.solutions) > 0]),
		"valid": fmt.Sprint(len(t.solutions) > 0, t.possible, t.forced),
		"count": fmt.Sprint(len(t.solutions)),
		"each":  fmt.Sprint(len(t.solutions), t.each),
		"list":  inSequence(slices.Clone(t.solutions)),
	}
}

// inSequence sorts models and returns them as text.
func inSequence(models [][]cnf.Lit) string {
	slices.SortFunc(models, slices.Compare)
	return fmt.Sprint(models)
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
