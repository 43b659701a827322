package cnftest

import "queens/encode/cnf"

// DPLL is an independent judge of formulas with auxiliary variables: it
// propagates units by looking at every clause, and branches on the variables by
// number.
type DPLL struct {
	clauses [][]cnf.Lit
	value   []int8 // by variable; 1 true, -1 false
	trail   []cnf.Lit
}

// New returns a judge of the formula, with no literal set.
func New(f *cnf.Formula) *DPLL {
	d := &DPLL{value: make([]int8, f.Vars+1)}
	for c := range f.Clauses() {
		d.clauses = append(d.clauses, append([]cnf.Lit(nil), c...))
	}
	return d
}

// Value returns the value of a literal: 1 true, -1 false, 0 open.
func (d *DPLL) Value(l cnf.Lit) int8 {
	if l < 0 {
		return -d.value[-l]
	}
	return d.value[l]
}

// Set makes a literal true.
func (d *DPLL) Set(l cnf.Lit) {
	d.trail = append(d.trail, l)
	if l < 0 {
		d.value[-l] = -1
	} else {
		d.value[l] = 1
	}
}

// Undo takes back the literals set since the mark.
func (d *DPLL) Undo(mark int) {
	for _, l := range d.trail[mark:] {
		d.value[l.Var()] = 0
	}
	d.trail = d.trail[:mark]
}

// Propagate propagates units until none is left, and returns false if a clause
// is falsified.
func (d *DPLL) Propagate() bool {
	for changed := true; changed; {
		changed = false
	clauses:
		for _, c := range d.clauses {
			var unit cnf.Lit
			open := 0
			for _, l := range c {
				switch d.Value(l) {
				case 1:
					continue clauses
				case 0:
					unit = l
					if open++; open > 1 {
						continue clauses
					}
				}
			}
			if open == 0 {
				return false
			}
			d.Set(unit)
			changed = true
		}
	}
	return true
}

// Count returns the number of assignments to the first vars variables that
// agree with the literals set and extend to a model.
func (d *DPLL) Count(vars int) int {
	mark := d.Mark()
	defer d.Undo(mark)
	if !d.Propagate() {
		return 0
	}
	for v := 1; v < len(d.value); v++ {
		if d.value[v] != 0 {
			continue
		}
		total := 0
		for _, l := range []cnf.Lit{cnf.Lit(v), cnf.Lit(-v)} {
			inner := d.Mark()
			d.Set(l)
			total += d.Count(vars)
			d.Undo(inner)
			if v > vars && total > 0 {
				return 1
			}
		}
		return total
	}
	return 1
}

// Mark returns a mark for [DPLL.Undo]: the literals set until now.
func (d *DPLL) Mark() int { return len(d.trail) }
