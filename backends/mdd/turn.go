package mdd

import (
	"slices"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// turn maps the variables of a question. A board of queens may be rotated or reflected as long as its
// fixed cells stay the same. The Oracle then asks the image whose queens lie highest in the diagram, and
// maps the answer back. All other problems have only the identity.
type turn struct {
	at   []place   // by variable-1: the place of its image
	back []cnf.Var // by the image's variable-1: the variable
}

// turnsOf returns the turns of a problem, the identity first. If two of them map every variable to the
// same line, they are equally good, so only one is kept.
func turnsOf(d *Diagram) (turns []turn) {
	n := d.problem.N
	symmetries := []board.Symmetry{0}
	if d.problem.IsQueens() {
		symmetries = append(symmetries, board.Keeping(n, d.problem.Values(nil))...)
	}
	for _, s := range symmetries {
		t := turn{back: make([]cnf.Var, len(d.place))}
		for v := cnf.Var(1); int(v) <= len(d.place); v++ {
			image := v
			if s != 0 {
				image = encode.Turned(n, s, v.Pos()).Var()
			}
			t.at, t.back[image-1] = append(t.at, d.place[image-1]), v
		}
		same := func(a, b place) bool { return a.level == b.level }
		if !slices.ContainsFunc(turns, func(other turn) bool { return slices.EqualFunc(other.at, t.at, same) }) {
			turns = append(turns, t)
		}
	}
	return turns
}

// best returns the turn under which the true variables of a question have the least sum of levels.
func best(turns []turn, assume []cnf.Lit) (best *turn) {
	least := 0
	for i := range turns {
		sum := 0
		for _, l := range assume {
			if l.Positive() {
				sum += int(turns[i].at[l-1].level)
			}
		}
		if best == nil || sum < least {
			best, least = &turns[i], sum
		}
	}
	return best
}
