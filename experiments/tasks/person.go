package tasks

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/param"
)

// PersonName names who plays a session.
type PersonName string

// randomly is the default person.
const randomly PersonName = "random"

// Values lists the persons.
func (PersonName) Values() (names []string) {
	for _, p := range persons() {
		names = append(names, string(p.name))
	}
	return names
}

// A person plays sessions on boards, on formulas, or on both.
type person struct {
	name             PersonName
	boards, formulas bool
	// begin returns what the person decides next, click after click: one of the open variables, or its negation. A
	// person sees only the problem and the answers, so all back-ends that answer correctly get the same clicks.
	begin func(p encode.Problem, random *rand.Rand) func(view) cnf.Lit
}

// view is what a person sees before a decision.
type view struct {
	open   []cnf.Var // those that can be decided, in rising order; at least one
	answer ask.Answer
}

// persons lists the persons.
func persons() []person {
	return []person{
		{randomly, true, true, playRandom},
		{"rows", true, false, playRows},
		{"corner", true, false, playCorner},
		{"blocker", true, false, playBlocker},
		{"seeker", true, false, playSeeker},
		{"expert", false, true, playExpert},
		{"file", false, true, playFile},
	}
}

// suits returns a *param.Unsuited if the person does not play on such problems.
func (n PersonName) suits(p encode.Problem) error {
	is := n.find()
	if is.boards && p.Place != nil || is.formulas && p.Place == nil {
		return nil
	}
	kind := map[bool]string{true: "boards", false: "formulas"}
	return &param.Unsuited{Why: fmt.Sprintf("person %s plays on %s", n, kind[is.boards])}
}

func (n PersonName) find() person {
	i := slices.IndexFunc(persons(), func(p person) bool { return p.name == n })
	return persons()[max(i, 0)] // the check of the specification reports other names
}

// playRandom takes any valid cell or, of a formula, sets any open option to either value.
func playRandom(p encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	return func(at view) cnf.Lit {
		v := at.open[random.IntN(len(at.open))]
		return v.Lit(p.Place != nil || random.IntN(2) == 0)
	}
}

// playRows fills the board row by row: it takes any valid cell of the first row that has one.
func playRows(p encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	return func(at view) cnf.Lit {
		return at.least(random, func(v cnf.Var) int { return p.Place(v).Row })
	}
}

// playCorner fills the board from a corner: it takes the valid cell that is the fewest steps along the rows and columns
// from a1.
func playCorner(p encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	return func(at view) cnf.Lit {
		return at.least(random, func(v cnf.Var) int { return p.Place(v).Row + p.Place(v).Col })
	}
}

// least returns an open variable with the least rank, any of those.
func (at view) least(random *rand.Rand, rank func(cnf.Var) int) cnf.Lit {
	var first []cnf.Var
	lowest := 0
	for _, v := range at.open {
		switch r := rank(v); {
		case len(first) == 0 || r < lowest:
			first, lowest = append(first[:0], v), r
		case r == lowest:
			first = append(first, v)
		}
	}
	return first[random.IntN(len(first))].Pos()
}

// playBlocker takes any valid cell, and blocks it half of the time, unless every completion needs it.
func playBlocker(_ encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	return func(at view) cnf.Lit {
		l := at.open[random.IntN(len(at.open))].Pos()
		if _, needed := slices.BinarySearch(at.answer.Forced, l.Var()); random.IntN(2) == 1 && !needed {
			l = l.Not()
		}
		return l
	}
}

// playSeeker wants a solution: it takes the cell with the most completions if answers count them, or else a cell of the
// row with the fewest valid ones.
func playSeeker(p encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	return func(at view) cnf.Lit {
		if at.answer.Each != nil {
			most := slices.MaxFunc(at.open, func(a, b cnf.Var) int { return at.count(a).Cmp(at.count(b)) })
			return at.least(random, func(v cnf.Var) int { return -at.count(v).Cmp(at.count(most)) })
		}
		inRow := map[int]int{}
		for _, v := range at.open {
			inRow[p.Place(v).Row]++
		}
		return at.least(random, func(v cnf.Var) int { return inRow[p.Place(v).Row] })
	}
}

// count returns the number of completions with a cell.
func (at view) count(v cnf.Var) *big.Int { return at.answer.Each[v-1] }

// knows is the number of options that an expert begins with.
const knows = 10

// playExpert begins with the options that settle most, ten or as many as stay open: those whose choice leads to the most
// values by unit propagation. Then it goes on as random.
func playExpert(p encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	var first []cnf.Var // the options that it begins with, in this order
	ranked := false
	rest := playRandom(p, random)
	return func(at view) cnf.Lit {
		if !ranked {
			first, ranked = settling(p, at.open), true
		}
		for _, v := range first {
			if _, open := slices.BinarySearch(at.open, v); open {
				return v.Pos()
			}
		}
		return rest(at)
	}
}

// settling returns the ten variables that give the most others a value when they become true.
func settling(p encode.Problem, open []cnf.Var) []cnf.Var {
	propagator := encode.NewPropagator(p)
	settles := make(map[cnf.Var]int, len(open))
	start := propagator.Len()
	for _, v := range open {
		if propagator.Add(v.Pos()) {
			settles[v] = propagator.Len() - start
		}
		propagator.Undo(start)
	}
	ranked := slices.Clone(open)
	slices.SortStableFunc(ranked, func(a, b cnf.Var) int { return settles[b] - settles[a] })
	return ranked[:min(knows, len(ranked))]
}

// playFile goes through the options in the order of the file, and sets each to either value.
func playFile(_ encode.Problem, random *rand.Rand) func(view) cnf.Lit {
	return func(at view) cnf.Lit { return at.open[0].Lit(random.IntN(2) == 0) }
}
