package encode

import (
	"cmp"
	"fmt"
	"slices"

	"queens/board"
	"queens/encode/cnf"
)

// Classes groups the solutions of a board into classes: two solutions are in one class if a symmetry of the
// square that keeps the problem maps one to the other. Boards of queens have 1, 0, 0, 1, 2, 1, 6, 12 of them
// (OEIS A002562).
type Classes struct {
	images [][]cnf.Var // by symmetry other than the identity, by variable - 1
	own    []cnf.Var   // memory: a solution's true variables
	turned []cnf.Var   // and those of an image
}

// NewClasses finds the symmetries that map constraints to constraints and keep the values of the cells: those of
// fixed and assumed literals. It fails for a problem whose variables are not the cells of a board.
func NewClasses(p Problem, assume ...cnf.Lit) (*Classes, error) {
	if !p.IsBoard() {
		return nil, fmt.Errorf("classes of solutions of %s: expected a problem whose variables are the cells of a board", p)
	}
	c := &Classes{}
	kept := board.Keeping(p.N, p.Values(assume))
	constraints := map[string]int{}
	for _, one := range p.Constraints[:len(p.Constraints)*min(1, len(kept))] {
		constraints[key(one, one.Lits)]++
	}
	for _, s := range kept {
		image := make([]cnf.Var, p.NumVars())
		for i := range image {
			image[i] = Turned(p.N, s, cnf.Var(i+1).Pos()).Var()
		}
		if keeps(p, s, constraints) {
			c.images = append(c.images, image)
		}
	}
	return c, nil
}

// keeps reports whether a symmetry maps the constraints, given by their keys, to themselves.
func keeps(p Problem, s board.Symmetry, constraints map[string]int) bool {
	met := map[string]int{}
	for _, one := range p.Constraints {
		turned := make([]cnf.Lit, len(one.Lits))
		for i, l := range one.Lits {
			turned[i] = Turned(p.N, s, l)
		}
		k := key(one, turned)
		if met[k]++; met[k] > constraints[k] {
			return false
		}
	}
	return true
}

// key is the same for constraints that say the same of the same literals.
func key(c Constraint, lits []cnf.Lit) string {
	k := c.appendCount(make([]byte, 0, 4*len(lits)))
	places := make([]int, len(lits))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, j int) int { return cmp.Compare(lits[i], lits[j]) })
	for _, i := range places {
		k = c.appendLit(k, i, lits[i])
	}
	return string(k)
}

// Symmetries returns the number of symmetries, the identity included: the most solutions that a class has.
func (c *Classes) Symmetries() int { return 1 + len(c.images) }

// Images calls see with the images of a literal under the symmetries other than the identity.
func (c *Classes) Images(l cnf.Lit, see func(cnf.Lit)) {
	for _, image := range c.images {
		see(image[l.Var()-1].Lit(l.Positive()))
	}
}

// First reports whether a solution is the first of its class: no image of it has a smaller list of true
// variables. Each class has exactly one such solution.
func (c *Classes) First(model []cnf.Lit) bool {
	c.own = c.own[:0]
	for _, l := range model {
		if l.Positive() {
			c.own = append(c.own, l.Var())
		}
	}
	slices.Sort(c.own)
	for _, image := range c.images {
		c.turned = c.turned[:0]
		for _, v := range c.own {
			c.turned = append(c.turned, image[v-1])
		}
		slices.Sort(c.turned)
		if slices.Compare(c.turned, c.own) < 0 {
			return false
		}
	}
	return true
}
