package robdd

import "fmt"

// Var is a variable, numbered from 1 as in DIMACS, so a literal is a signed number.
// The meaning of a variable is up to the caller.
type Var int32

// Lit is a literal: +v says that variable v is true, -v that it is false.
type Lit int32

// Var returns the literal's variable.
func (l Lit) Var() Var {
	if l < 0 {
		return Var(-l)
	}
	return Var(l)
}

// MaxVars is the largest number of variables: it lets a level fit in 16 bits, leaving two values that
// are not levels.
const MaxVars = 1<<16 - 2

// levelsOf inverts an order: levelsOf(order)[v-1] is the level of variable v. It
// refuses an order that is not a permutation of 1..len(order).
func levelsOf(order []Var) ([]int32, error) {
	if len(order) > MaxVars {
		return nil, fmt.Errorf("robdd: order of %d variables: at most %d are supported", len(order), MaxVars)
	}
	levels := make([]int32, len(order))
	for i := range levels {
		levels[i] = -1
	}
	for level, v := range order {
		if v < 1 || int(v) > len(order) {
			return nil, fmt.Errorf("robdd: order of %d variables: level %d: variable %d is not in 1..%d", len(order),
				level, v, len(order))
		}
		if levels[v-1] >= 0 {
			return nil, fmt.Errorf("robdd: order of %d variables: variable %d is on level %d and on level %d",
				len(order), v, levels[v-1], level)
		}
		levels[v-1] = int32(level)
	}
	return levels, nil
}
