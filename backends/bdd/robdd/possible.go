package robdd

import "context"

// Possible and implied literals of all variables at once.
//
// In a reduced diagram every node but 0 has a solution below it and is reached from
// the root, so without assumptions one pass over the edges answers: a literal is
// possible when an edge to a node other than 0 has that value or skips its level.
// Under assumptions the same is true of the edges between the nodes that are still on
// a path to a solution (see mark).
//
// Of the edges from each level that skip levels it is enough to know which goes
// lowest: it passes all levels that the others pass.
//
// A few nodes usually show as much as all of them: a value seen on some path is possible,
// and once every variable that is not assumed has been seen with both values, there is
// nothing more to find. So a question first visits a few nodes of each level, spread
// evenly, and four times as many whenever that was not enough. Literals that are known to
// hold matter here, too: one that is not assumed makes a question visit all nodes that it
// reaches.

// canBe says which values a variable can have.
const (
	canBeTrue uint8 = 1 << iota
	canBeFalse
	canBeBoth = canBeTrue | canBeFalse
)

// narrow is how many nodes of a level are visited first. At n = 14 no question with one
// queen placed needs more; with 64 some do, and with 256 all cost more.
const narrow = 128

// Look finds which literals are true in some solution under the assumptions, for CanBe to
// tell, and reports whether there is a solution.
func (s *Sweep) Look(ctx context.Context, assume []Lit) (satisfiable bool, err error) {
	ok, err := s.set(assume)
	if err != nil || !ok {
		return false, err
	}
	if s.top < 0 {
		s.settle()
		err = s.lookAtAll(ctx)
		s.lookBetween()
		return err == nil, err
	}
	if err := s.ended(ctx); err != nil {
		return false, err
	}
	if satisfiable, done := s.lookAtFew(); done {
		return satisfiable, nil
	}
	if !s.settle() {
		return false, nil
	}
	return s.lookAround(ctx)
}

// CanBe reports whether a literal is true in some solution under the assumptions of the last
// Look, which must have found one.
func (s *Sweep) CanBe(l Lit) bool {
	value := canBeTrue
	if l < 0 {
		value = canBeFalse
	}
	return s.seen[len(s.seen)-1-int(s.d.levels[l.Var()-1])]&value != 0
}

// Possible appends to dst every literal that is true in at least one solution under
// the assumptions: for each variable in ascending order, v if it can be true, then -v
// if it can be false. A literal whose negation is missing is implied. When there is
// no solution it appends nothing.
func (s *Sweep) Possible(ctx context.Context, assume []Lit, dst []Lit) ([]Lit, error) {
	satisfiable, err := s.Look(ctx, assume)
	if err != nil || !satisfiable {
		return dst, err
	}
	for v := Lit(1); int(v) <= len(s.value); v++ {
		for _, l := range [2]Lit{v, -v} {
			if s.CanBe(l) {
				dst = append(dst, l)
			}
		}
	}
	return dst, nil
}

// lookAround finds what is possible under assumptions, and reports whether there is a
// solution.
func (s *Sweep) lookAround(ctx context.Context) (satisfiable bool, err error) {
	for width := s.narrow; ; width *= 4 {
		satisfiable, all, err := s.markSome(ctx, width)
		if err != nil {
			return false, err
		}
		s.lookBetween()
		if all || satisfiable && s.seenAll() {
			return satisfiable, nil
		}
	}
}

// seenAll reports whether every variable that is not assumed can have both values.
func (s *Sweep) seenAll() bool {
	for h, value := range s.value {
		if value == 0 && s.seen[h] != canBeBoth {
			return false
		}
	}
	return true
}

// lookBetween adds to s.seen what edges say about the levels that they pass.
func (s *Sweep) lookBetween() {
	d, levels := s.d, len(s.value)
	// passed is the lowest height that an edge from above passes, or levels if none
	// does.
	passed := levels
	pass := func(child uint32) {
		if child < 2 {
			passed = 0
		} else {
			passed = min(passed, d.heightOf(child)+1)
		}
	}
	pass(d.root)
	for h := levels - 1; h >= 0; h-- {
		own := s.seen[h]
		if h >= passed {
			s.seen[h] |= s.between(h)
		}
		if own != 0 && s.lowest[h] < d.below(h) {
			pass(s.lowest[h])
		}
	}
}

// between returns the values that the variable at height h has on an edge that passes it.
func (s *Sweep) between(h int) uint8 {
	switch {
	case s.d.kind == ZDD, s.value[h] < 0:
		return canBeFalse
	case s.value[h] > 0:
		return canBeTrue
	}
	return canBeBoth
}

// Implied appends to dst the literals that are true in every solution under the
// assumptions, ascending by variable and including the assumptions themselves. When
// there is no solution it appends nothing and reports false.
func (s *Sweep) Implied(ctx context.Context, assume []Lit, dst []Lit) ([]Lit, bool, error) {
	all, err := s.Possible(ctx, assume, nil)
	if err != nil {
		return dst, false, err
	}
	for i, l := range all {
		if (i == 0 || all[i-1] != -l) && (i+1 == len(all) || all[i+1] != -l) {
			dst = append(dst, l)
		}
	}
	return dst, len(all) > 0 || (s.d.root == 1 && len(s.value) == 0), nil
}

// lookAtAll records what mark records, for the case without assumptions: for all
// edges.
func (s *Sweep) lookAtAll(ctx context.Context) error {
	d := s.d
	s.visited = len(d.nodes)
	for h := range s.seen {
		if err := s.ended(ctx); err != nil {
			return err
		}
		var low, high uint32
		for _, e := range d.nodes[d.first[h]-2 : d.first[h+1]-2] {
			low |= e.Low
			high |= e.High
		}
		s.seen[h] = 0
		if high != 0 {
			s.seen[h] |= canBeTrue
		}
		if low != 0 {
			s.seen[h] |= canBeFalse
		}
	}
	copy(s.lowest, d.lowest)
	return nil
}
