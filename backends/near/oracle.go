package near

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode"
	"queens/encode/cnf"
)

// Oracle answers questions about one problem by changing solutions. Make it with [New].
type Oracle struct {
	// Proof takes a proof of everything that is refuted, as DRAT text; nil for none. The caller may set it before the
	// first question. Each line is a clause that follows by unit propagation from the problem's constraints and the lines
	// before: what is learned, and for a refuted literal a clause of its negation and the negations of the assumptions. Variables
	// have the numbers of the problem's file.
	Proof io.Writer
	// Settled, if not nil, is called whenever a literal of a question about possible values is refuted, and with 0 whenever one is
	// shown. settled and of are the numbers of literals that are settled, and of all. The caller may set it before the
	// first question.
	Settled func(refuted cnf.Lit, settled, of int)

	problem  encode.Problem
	searcher *searcher // nil until needed
	proof    *proof
	solved   bool          // the searcher's model has been a solution
	memory   *recall.Mover // of the method remember; nil until needed
}

var _ backends.Bounded = (*Oracle)(nil)

// New returns an Oracle for the problem, which must have no weights ([encode.Problem.Counting] takes them out).
func New(p encode.Problem) *Oracle { return &Oracle{problem: p} }

// start returns the searcher, and makes it when it is first needed.
func (o *Oracle) start() *searcher {
	if o.searcher == nil {
		o.proof = newProof(o.Proof, o.problem)
		o.searcher = newSearcher(o.problem, o.proof)
	}
	return o.searcher
}

// prove writes that no solution under the assumptions has a literal, or that there is none.
func (o *Oracle) prove(assume []cnf.Lit, refuted ...cnf.Lit) {
	if o.proof == nil {
		return
	}
	o.proof.add(cnf.Negated(append(refuted, assume...))...)
}

var ways = []backends.Way[bool]{
	{Method: backends.Method{
		Name: "fresh", Title: "fresh",
		Doc: "changes the last solution, by flips (model rotation: Belov and Marques-Silva 2011) and by searches near it that learn clauses",
	}},
	{Method: backends.Method{
		Name: "remember", Title: "remember", Remembers: true,
		Doc: "is fresh, but keeps solutions and what is impossible, and moves the solutions along with the decisions",
	}, Answer: true},
}

// Methods lists the methods, the best first.
func Methods() []backends.Method { return backends.Methods(ways) }

// Valid implements [backends.Backend]. Its work:
//
//   - searches: searches near a solution, and their decisions and conflicts;
//   - learned: clauses learned; steps: literals set, and one for each eight clauses visited.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (valid backends.Valid, err error) {
	way, err := backends.Choose(ways, "near", method)
	if err != nil {
		return valid, err
	}
	before := o.counts()
	q, err := o.Begin(assume, way.Answer)
	if err != nil {
		return valid, err
	}
	if _, err = q.Turn(ctx, math.MaxUint64/2); err == nil {
		err = o.proof.flush()
	}
	if err != nil {
		return valid, fmt.Errorf("finding what is possible in %s near a solution: %w", o.problem, err)
	}
	valid = q.Answer()
	valid.Method, valid.Work = way.Name, o.counts()
	for i := range valid.Work {
		valid.Work[i].N -= before[i].N
	}
	return valid, nil
}

// counts returns the work so far.
func (o *Oracle) counts() backends.Work {
	w := backends.Work{{Name: "searches"}, {Name: "decisions"}, {Name: "conflicts"}, {Name: "learned"}, {Name: "steps"}}
	if s := o.searcher; s != nil {
		for i, n := range []int64{s.searches, s.learner.decisions, s.learner.conflicts, s.learner.learnedClauses, int64(s.steps())} {
			w[i].N = n
		}
	}
	return w
}

// Solve implements [backends.Backend].
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	answer, _, err := o.SolveWithin(ctx, assume, 0)
	return answer, err
}

// SolveWithin implements [backends.Bounded]; 0 means no limit. A step is that of Valid. A core has the assumptions that lead to
// the contradiction found, as a solver's has.
func (o *Oracle) SolveWithin(ctx context.Context, assume []cnf.Lit, steps uint64) (answer backends.Answer, used uint64, err error) {
	if err := o.problem.CheckAssumptions(assume); err != nil {
		return answer, 0, err
	}
	if o.memory != nil {
		if answer, known := o.memory.Solve(o.problem, assume); known {
			return answer, 1, ctx.Err()
		}
	}
	s := o.start()
	before := s.steps()
	if steps == 0 {
		steps = math.MaxUint64 / 2
	}
	found, known := false, !s.learner.assume(s.root, assume)
	if !known {
		found, known, err = s.search(ctx, 0, bound{math.MaxInt, before + steps})
	}
	used = s.steps() - before
	switch {
	case err == nil && found:
		o.solved = true
		answer.Status, answer.Model = backends.Sat, cnf.Model(o.problem.AllVars())
		for i, is := range s.model.Values() {
			if is {
				answer.Model[i] = answer.Model[i].Not()
			}
		}
		err = o.problem.Whole().Verify(answer.Model)
		answer.Model = answer.Model[:o.problem.NumVars()]
	case err == nil && known:
		answer.Status, answer.Core = backends.Unsat, s.learner.blame()
		o.prove(answer.Core)
	}
	if err = errors.Join(err, o.proof.flush()); err != nil {
		return backends.Answer{}, used, fmt.Errorf("solving %s near a solution under %d assumptions: %w", o.problem, len(assume), err)
	}
	return answer, used, nil
}

// Solutions implements [backends.Backend]. After each solution it asks for those that agree with it up to a variable and
// differ there, for each variable that does not follow from the ones before. Another Oracle does it, so that the order is the same for
// every call.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		fresh := New(o.problem)
		var below func(assume []cnf.Lit, from int) bool
		below = func(assume []cnf.Lit, from int) bool {
			answer, err := fresh.Solve(ctx, assume)
			if err != nil {
				yield(nil, err)
				return false
			}
			if answer.Status != backends.Sat {
				return true
			}
			if !yield(answer.Model, nil) {
				return false
			}
			assume = slices.Clone(assume)
			w, root := fresh.searcher.learner, fresh.searcher.root
			w.assume(root, assume)
			for i, l := range answer.Model {
				if w.value[l.Index()] > 0 {
					continue
				}
				if i >= from && !below(append(assume, l.Not()), i+1) {
					return false
				}
				assume = append(assume, l)
				w.assume(root, assume)
			}
			return true
		}
		below(assume, 0)
	}
}

// Stats implements [backends.Backend].
func (o *Oracle) Stats() (stats backends.Stats) {
	if o.searcher != nil {
		stats.Bytes = LeastBytes(o.problem) + int64(4*cap(o.searcher.learner.clauses))
	}
	if o.memory != nil {
		stats.Bytes += o.memory.Bytes()
	}
	return stats
}

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return o.proof.flush() }

// LeastBytes estimates the least memory that a question about the problem needs, in bytes. A literal has lists of 24 bytes and
// more in the propagator, the model and the watcher, four at least; a literal of a constraint is held four times, in 4 bytes: by
// the constraint and by each of these.
func LeastBytes(p encode.Problem) int64 {
	return 2*4*24*int64(p.AllVars()) + 4*4*int64(p.NumLiterals())
}
