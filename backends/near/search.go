package near

import (
	"context"
	"fmt"

	"queens/backends/rotation"
	"queens/encode"
	"queens/encode/cnf"
)

// searcher finds solutions near its model, which it keeps from one question to the next.
type searcher struct {
	model    *rotation.Model
	learner  *learner
	root     *encode.Propagator // what follows from the problem alone
	alike    *alike             // nil until it pays: see likeness
	literals uint64             // in the constraints
	refuting uint64             // steps of the searches that have refuted a literal
	searches int64
}

func newSearcher(p encode.Problem, proof *proof) *searcher {
	r := encode.NewPropagator(p)
	l := newLearner(p.AllVars(), p.Constraints)
	l.proof, l.dead = proof, !r.Assume(nil)
	return &searcher{model: rotation.New(p, r, l.value), learner: l, root: r, literals: uint64(p.NumLiterals())}
}

// likeness returns the alike literals of a problem. It finds them once refutations have cost as much as finding them does, and
// returns nil until then. It always returns nil if a proof is written, since each clause of a proof must follow by unit propagation.
func (s *searcher) likeness(p encode.Problem) *alike {
	const perStep = 8 // literals of constraints, in the time of a step
	if s.alike == nil && s.learner.proof == nil && perStep*s.refuting > s.literals {
		s.alike = newAlike(s.root, p.Constraints, p.AllVars())
	}
	return s.alike
}

// steps counts what the searcher has done so far. A step is one literal set, by a flip, a search or propagation, or eight
// clauses visited by propagation.
func (s *searcher) steps() uint64 { return s.model.Work + s.learner.propagated }

// bound ends a search that has not found what it looks for.
type bound struct {
	contradictions int
	steps          uint64 // as steps counts
}

// search looks for a solution with a literal, or for any solution if it is 0. It decides for the literal, then for one in
// a constraint that is violated, until none is; the model takes over what it decides and what follows. A contradiction
// teaches it a clause, and takes decisions back, but not the values that the model has taken over. If it fails, it takes its
// decisions back and restores the model; known says that there is no such solution, and is false if the search ended at its bound.
//
// If it succeeds, its decisions stay until the caller takes them back. The next search then keeps them, and ends at its first
// contradiction, from which it learns for later ones.
func (s *searcher) search(ctx context.Context, l cnf.Lit, most bound) (found, known bool, err error) {
	m, r := s.model, s.learner
	s.searches++
	before := s.steps()
	r.last = 0
	m.Start()
	base := len(r.starts)
	from := len(r.trail)
	if l == 0 {
		from = 0 // the model may be one of another question
	}
	for contradictions := 0; contradictions < most.contradictions && s.steps() < most.steps; {
		if err = ctx.Err(); err != nil {
			break
		}
		if !r.propagate() {
			contradictions++
			if known = !r.learn(base); known || base > r.assumed {
				break
			}
			from = min(from, len(r.trail)-1)
			continue
		}
		if known = l != 0 && r.value[l.Index()] < 0; known {
			break
		}
		for ; from < len(r.trail); from++ {
			m.Set(r.trail[from])
		}
		next, violated := l, true
		if l == 0 || !r.isOpen(l) {
			next, violated = m.Next()
		}
		if !violated {
			m.Keep()
			return true, true, nil
		}
		if next == 0 { // propagation would have found it
			err = fmt.Errorf("a constraint contains a literal twice, or with its negation")
			break
		}
		r.decisions++
		r.decide(next)
	}
	m.Restore()
	r.back(base)
	if known && l != 0 && base == r.assumed {
		r.refuteLast()
		s.refuting += s.steps() - before
	}
	return false, known, err
}
