package ddnnf

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// component is a set of open variables that no constraint links to others, ascending, with the constraints between
// them (rules). begun lists those in which some variable is set; the variables determine the other constraints.
// held lists, for those of begun that have true literals, their place in begun and the number.
type component struct {
	vars  []cnf.Var
	rules []int32
	begun []int32
	held  []int32
	long  int32 // the constraint with the most open literals
	open  int   // the number of these
}

// splitter finds components: it joins the variables of each constraint.
type splitter struct {
	begins []int32   // by constraint: where in its the variables of the constraint begin; then where the last one's end
	its    []cnf.Var // of all constraints, one after the other
	joined []cnf.Var // by variable: a lower one of its set, itself if it is the lowest, 0 if it is not open
	within []int32   // by open variable: its component of the last split, or -1 if no constraint binds it
	off    []bool    // by constraint: compiled apart, so that it links nothing

	rules []int32   // those that bind
	some  []cnf.Var // an open variable of each of these, until all open variables are joined
	sizes []size    // of the components

	// Memory of the components at hand, the latest last.
	parts   []component
	partVar []cnf.Var
	partOf  []int32
}

// size is how many variables and constraints a component has.
type size struct{ vars, rules int }

func newSplitter(p encode.Problem) splitter {
	s := splitter{
		begins: make([]int32, 1, len(p.Constraints)+1), joined: make([]cnf.Var, p.AllVars()),
		within: make([]int32, p.AllVars()), off: make([]bool, len(p.Constraints)),
	}
	for i := range p.Constraints {
		for _, l := range p.Constraints[i].Lits {
			s.its = append(s.its, l.Var())
		}
		s.begins = append(s.begins, int32(len(s.its)))
	}
	return s
}

// split returns the components of those variables of a component that are open now, the smallest first. After it, within is
// negative for the open variables that no constraint binds.
//
// Constraints also contain variables that are not of the component. These were set when a component around this one was
// split, so joined is 0 for them.
func (c *Compiler) split(of component) []component {
	open := 0
	for _, v := range of.vars {
		if c.joined[v-1] = 0; c.IsOpen(v.Pos()) {
			c.joined[v-1] = v
			open++
		}
	}
	sets := open
	c.rules, c.some = c.rules[:0], c.some[:0]
	for _, i := range of.rules {
		if c.off[i] || !c.Binds(int(i)) {
			continue
		}
		c.rules = append(c.rules, i)
		if sets == 1 { // there is nothing left to join
			continue
		}
		last := cnf.Var(0)
		for _, v := range c.its[c.begins[i]:c.begins[i+1]] {
			if c.joined[v-1] == 0 {
				continue
			}
			if last > 0 && c.join(last, v) {
				sets--
			}
			last = v
		}
		c.some = append(c.some, last)
	}
	c.steps += uint64(open + len(c.rules))
	if sets == 1 {
		c.numberOne(of.vars, size{open, len(c.rules)})
	} else {
		c.number(of.vars)
	}
	first := len(c.parts)
	for _, n := range c.sizes {
		lists := take(&c.partOf, 2*n.rules)
		c.parts = append(c.parts, component{
			vars: take(&c.partVar, n.vars), rules: lists[:0:n.rules], begun: lists[n.rules : n.rules : 2*n.rules],
		})
	}
	parts := c.parts[first:]
	for _, v := range of.vars {
		if c.joined[v-1] != 0 && c.within[v-1] >= 0 {
			part := &parts[c.within[v-1]]
			part.vars = append(part.vars, v)
		}
	}
	for k, i := range c.rules {
		at := int32(0)
		if sets > 1 {
			at = c.within[c.some[k]-1]
		}
		c.bind(&parts[at], i)
	}
	slices.SortStableFunc(parts, func(a, b component) int { return len(a.vars) - len(b.vars) })
	return parts
}

// join joins the sets of two variables, and returns false if they are one. This is Rem's algorithm (Dijkstra, "A discipline of
// programming", 1976, chapter 23), the fastest one in Patwary, Blair and Manne, "Experiments on union-find algorithms for the
// disjoint-set data structure", SEA 2010.
func (s *splitter) join(v, w cnf.Var) bool {
	for {
		below, other := s.joined[v-1], s.joined[w-1]
		if below == other {
			return false
		}
		if below < other {
			v, w, below, other = w, v, other, below
		}
		s.joined[v-1] = other
		if v == below { // it was the lowest of its set
			return true
		}
		v = below
	}
}

// number numbers the sets that constraints bind, in the sequence of their lowest variables. It notes the sizes of these sets, and
// for each open variable its set.
func (s *splitter) number(vars []cnf.Var) {
	for _, v := range vars {
		if below := s.joined[v-1]; below != 0 {
			s.joined[v-1], s.within[v-1] = s.joined[below-1], -1 // now the lowest, since below has its lowest already
		}
	}
	for _, v := range s.some {
		s.within[s.joined[v-1]-1] = 0
	}
	s.sizes = s.sizes[:0]
	for _, v := range vars {
		lowest := s.joined[v-1]
		if lowest == 0 || s.within[lowest-1] < 0 {
			continue
		}
		if lowest == v {
			s.within[v-1] = int32(len(s.sizes))
			s.sizes = append(s.sizes, size{})
		}
		at := s.within[lowest-1]
		s.within[v-1] = at
		s.sizes[at].vars++
	}
	for _, v := range s.some {
		s.sizes[s.within[v-1]].rules++
	}
}

// numberOne does the same if there is one set.
func (s *splitter) numberOne(vars []cnf.Var, all size) {
	at := int32(-1)
	if s.sizes = s.sizes[:0]; all.rules > 0 {
		at, s.sizes = 0, append(s.sizes, all)
	}
	for _, v := range vars {
		if s.joined[v-1] != 0 {
			s.within[v-1] = at
		}
	}
}

// bind adds a constraint to its component.
func (c *Compiler) bind(part *component, i int32) {
	part.rules = append(part.rules, i)
	open := c.Open(int(i))
	if open > part.open {
		part.long, part.open = i, open
	}
	if open == int(c.begins[i+1]-c.begins[i]) {
		return
	}
	if held := c.Held(int(i)); held > 0 { // only one that counts beyond one binds with a true literal
		part.held = append(part.held, int32(len(part.begun)), int32(held))
	}
	part.begun = append(part.begun, i)
}

// take returns an empty slice with room for n entries. It cuts it from the memory, or from a new one if too little is
// left.
func take[T any](memory *[]T, n int) []T {
	at := len(*memory)
	if at+n > cap(*memory) {
		*memory = make([]T, at, 2*(at+n))
	}
	*memory = (*memory)[:at+n]
	return (*memory)[at : at : at+n]
}
