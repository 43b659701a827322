package search

import (
	"context"

	"queens/encode/cnf"
)

// listed is the number of solutions that a list may have for each literal of the split. It may cost
// twice what they do if nothing is taken back. Longer lists seldom end sooner than looking for what
// they leave out (n = 12 to 32, families, formulas), and given up they are at most a tenth of the cost.
const listed = 8

// supporter looks for a support of every literal that the assumptions leave open.
//
// Where few solutions are left, listing them is quickest: those through each literal of a split in
// turn. The list is given up when it turns out long. Then each literal without a support is looked for
// by itself; such a walk tries literals without one first, so that a solution shows many, and a literal
// that has none is false in the walks after it.
type supporter struct {
	*question
	left  int // literals without a support
	want  wanted
	limit uint64 // of the cost
	most  int    // solutions that a list may still have
	pause func() error
	found func(partial) bool
}

// supports shows every literal that has a support.
func (q *question) supports(ctx context.Context) error {
	if consistent, err := q.start(ctx, q.assume); err != nil || !consistent {
		return err
	}
	s := &supporter{question: q}
	s.pause = q.Oracle.pause(ctx, &s.limit)
	see := func(l cnf.Lit) {
		if at := q.at(l); !q.shown[at] {
			q.shown[at] = true
			s.settle(l)
		}
	}
	s.found = func(p partial) bool {
		q.eachTrue(p, see)
		s.most--
		return s.want == every && s.left > 0 && s.most != 0
	}
	split, open := q.walker.split()
	for _, l := range open {
		if q.cover == nil || l.Positive() {
			q.walker.aim(l, true)
			s.left++
		}
	}
	if s.left == 0 { // only whether there is a solution: a part of the split without one says nothing
		s.want = one
		return s.walk(0)
	}
	if err := s.list(split); err != errLimit {
		return err
	}
	s.want, s.limit = one, 0
	if !q.satisfiable {
		if err := s.walk(0); err != nil || !q.satisfiable {
			return err
		}
	}
	for _, l := range open {
		if q.walker.aimed(l) {
			if err := s.walk(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// list shows the literals of all solutions, or of enough to show every one. It returns errLimit if
// that would take too many.
func (s *supporter) list(split []cnf.Lit) error {
	if len(split) == 0 {
		split = []cnf.Lit{0}
	}
	s.want, s.limit = every, s.Visited()
	for _, l := range split {
		s.limit += 2 * listed * (1 + s.walker.depth())
		s.most += listed
		if err := s.walk(l); err != nil || s.left == 0 {
			return err
		}
		if s.most == 0 {
			return errLimit
		}
	}
	return nil
}

// walk shows what solutions through a literal hold, unless it is 0. A literal that is in none is
// refuted.
func (s *supporter) walk(through cnf.Lit) error {
	s.walks++
	err := s.walker.walk(through, s.limit, s.pause, s.want, s.found)
	if err == nil && through != 0 && s.settle(through) && !s.walker.refute(through) {
		s.left = 0 // there is no solution
	}
	return err
}

// settle notes that it is known whether a literal has a support, and reports whether that is new.
func (s *supporter) settle(l cnf.Lit) bool {
	if !s.walker.aimed(l) {
		return false
	}
	s.walker.aim(l, false)
	s.left--
	return true
}
