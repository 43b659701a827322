package cnftest

import (
	"slices"

	"queens/encode/cnf"
)

// Propagate does unit propagation by scanning all clauses until no unit is left. It returns the values of
// the variables (value[v] is 1 for true, -1 for false, 0 for open), and false if a clause is falsified.
func Propagate(f *cnf.Formula, lits ...cnf.Lit) (value []int8, consistent bool) {
	value = make([]int8, f.Vars+1)
	set := func(l cnf.Lit) {
		if value[l.Var()] = 1; l < 0 {
			value[l.Var()] = -1
		}
	}
	for _, l := range lits {
		set(l)
	}
	for changed := true; changed; {
		changed = false
	clauses:
		for clause := range f.Clauses() {
			var unit cnf.Lit
			open := 0
			for _, l := range clause {
				switch of := value[l.Var()]; {
				case of == 0:
					unit = l
					open++
				case (of > 0) == l.Positive():
					continue clauses
				}
			}
			if open == 0 {
				return value, false
			}
			if open == 1 {
				set(unit)
				changed = true
			}
		}
	}
	return value, true
}

// Count returns the number of assignments to the first vars variables that agree with the literals
// and extend to a model. It branches on the variables by number.
func Count(f *cnf.Formula, vars int, lits ...cnf.Lit) int {
	value, consistent := Propagate(f, lits...)
	if !consistent {
		return 0
	}
	open := slices.Index(value[1:], 0)
	if open < 0 {
		return 1
	}
	lits = slices.Clip(lits)
	v := cnf.Var(open + 1)
	count := Count(f, vars, append(lits, v.Pos())...)
	if int(v) <= vars || count == 0 {
		count += Count(f, vars, append(lits, v.Neg())...)
	}
	return count
}
