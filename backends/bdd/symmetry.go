package bdd

import (
	"slices"
	"sync"

	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Questions about a board may be mapped to a symmetric image before they are asked.
//
// The function of a board is invariant under the symmetries of the square that map the
// fixed cells to themselves. A diagram is not: a queen in an upper row of the variable
// order leaves a small part of it, while one in the last row reaches nearly all nodes,
// since the diagram decides that row last. So the image of the question whose queens lie
// highest is asked, and the answer is mapped back.

// knowledge is what answers need to know about the problem; it is computed once.
type knowledge struct {
	once       sync.Once
	cover      *encode.Cover // nil if there is none
	units      *encode.Propagator
	symmetries []board.Symmetry // of queens, without the identity
	images     [][]cnf.Var      // by symmetry and variable - 1; nil for the others
}

func (c *Compiled) knowledge() *knowledge {
	k := &c.known
	k.once.Do(func() {
		k.units = encode.NewPropagator(c.Problem)
		if c.Problem.NumVars() > 0 {
			k.cover, _ = encode.NewCover(c.Problem)
		}
		if !c.Problem.IsQueens() {
			return
		}
		for _, s := range board.Symmetries()[1:] {
			if isSymmetric(c.Problem, s) {
				k.symmetries = append(k.symmetries, s)
				k.images = append(k.images, make([][]cnf.Var, int(s)+1-len(k.images))...)
				k.images[s] = imagesOf(c.Problem, s)
			}
		}
	})
	return k
}

// isSymmetric reports whether a symmetry maps the fixed cells to themselves.
func isSymmetric(p encode.Problem, s board.Symmetry) bool {
	for _, l := range p.Fixed {
		if !slices.Contains(p.Fixed, encode.Turned(p.N, s, l)) {
			return false
		}
	}
	return true
}

// imagesOf returns the image of each variable.
func imagesOf(p encode.Problem, s board.Symmetry) []cnf.Var {
	images := make([]cnf.Var, p.NumVars())
	for i := range images {
		images[i] = encode.Turned(p.N, s, cnf.Var(i+1).Pos()).Var()
	}
	return images
}

func (o *Oracle) image(s board.Symmetry, v cnf.Var) cnf.Var {
	if s == 0 {
		return v
	}
	return o.known.images[s][v-1]
}

// uppermost returns the symmetry under which the queens of a question lie highest,
// comparing the uppermost queen first, then the next. If a sweep passes over the whole
// diagram anyway, it returns the identity.
func (o *Oracle) uppermost(sweep *robdd.Sweep, assume []cnf.Lit) (best board.Symmetry) {
	if len(o.known.symmetries) == 0 || !sweep.Selective() || o.problem.CheckAssumptions(assume) != nil {
		return 0
	}
	levels := func(s board.Symmetry, into []int) []int {
		for _, l := range assume {
			if l.Positive() {
				into = append(into, o.diagram.LevelOf(robdd.Var(o.image(s, l.Var()))))
			}
		}
		slices.Sort(into)
		return into
	}
	highest := levels(0, make([]int, 0, len(assume)))
	other := make([]int, 0, len(assume))
	for _, s := range o.known.symmetries {
		if other = levels(s, other[:0]); slices.Compare(other, highest) < 0 {
			best, highest, other = s, other, highest
		}
	}
	return best
}

// turned returns the images of literals.
func (o *Oracle) turned(s board.Symmetry, lits []cnf.Lit) []cnf.Lit {
	if s == 0 {
		return lits
	}
	images := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		if images[i] = o.image(s, l.Var()).Pos(); !l.Positive() {
			images[i] = images[i].Not()
		}
	}
	return images
}

// turnedBack returns the literals whose images are given, ascending by variable: for
// each variable v, then -v.
func (o *Oracle) turnedBack(s board.Symmetry, images []robdd.Lit) []robdd.Lit {
	const can, canNot = 1, 2
	known := make([]uint8, o.problem.NumVars()+1)
	for _, l := range images {
		if l > 0 {
			known[l] |= can
		} else {
			known[-l] |= canNot
		}
	}
	lits := make([]robdd.Lit, 0, len(images))
	for v := cnf.Var(1); int(v) <= o.problem.NumVars(); v++ {
		is := known[o.image(s, v)]
		if is&can != 0 {
			lits = append(lits, robdd.Lit(v))
		}
		if is&canNot != 0 {
			lits = append(lits, -robdd.Lit(v))
		}
	}
	return lits
}
