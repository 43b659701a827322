package encode

import "queens/encode/cnf"

// Propagate adds to value, by variable - 1, what the literals and unit propagation over
// the constraints decide: 1 is true, -1 false, 0 open. It returns false when that
// violates a constraint; value is then of no use. The problem's Fixed literals are not
// looked at unless they are among the literals. It passes over all constraints until
// nothing changes.
func (p Problem) Propagate(lits []cnf.Lit, value []int8) (consistent bool) {
	for _, l := range lits {
		if truth(value, l) < 0 {
			return false
		}
		decide(value, l)
	}
	for changed := true; changed; {
		changed = false
		for _, c := range p.Constraints {
			taken, open := 0, 0
			var last cnf.Lit
			for _, l := range c.Lits {
				switch truth(value, l) {
				case 0:
					open++
					last = l
				case 1:
					taken++
				}
			}
			switch {
			case taken > 1 && c.Bound != AtLeastOne, taken+open == 0 && c.Bound != AtMostOne:
				return false
			case open == 0:
			case taken == 1 && c.Bound != AtLeastOne:
				for _, l := range c.Lits {
					if truth(value, l) == 0 {
						decide(value, l.Not())
					}
				}
				changed = true
			case taken == 0 && open == 1 && c.Bound != AtMostOne:
				decide(value, last)
				changed = true
			}
		}
	}
	return true
}

// truth returns 1 for a true literal, -1 for a false one, 0 for an open one.
func truth(value []int8, l cnf.Lit) int8 {
	if l.Positive() {
		return value[l-1]
	}
	return -value[-l-1]
}

func decide(value []int8, l cnf.Lit) {
	if l.Positive() {
		value[l-1] = 1
	} else {
		value[-l-1] = -1
	}
}
