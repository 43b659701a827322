package search

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/backends/recall"
	"queens/encode/cnf"
)

// The method remember is supports, begun with what a [recall.Memory] knows: it looks for no literal that a kept
// solution shows, and sets to false from the start what an answer under fewer assumptions rules out. Every solution
// that it finds is kept.

// Prepare implements [backends.Preparer].
func (o *Oracle) Prepare(ctx context.Context, method string) error {
	if method != Openings {
		return nil
	}
	return o.book.Fill(ctx)
}

// recalled turns the memory to a question, and returns the answer if it or, for [Openings], the book has it.
func (o *Oracle) recalled(ctx context.Context, assume []cnf.Lit, method string) (answer backends.Valid, known bool, err error) {
	if o.memory == nil {
		o.memory = recall.New(o.problem.NumVars())
	}
	if answer, known = o.memory.Ask(assume); known || method != Openings {
		return answer, known, nil
	}
	if answer, known, err = o.book.Answer(ctx, assume); known {
		o.memory.Answered(answer) // for what it rules out
	}
	return answer, known, err
}

// recall settles missing literals by what is kept, and returns those of the split that are possible.
// consistent is false if there is no solution.
func (q *question) recall(split []cnf.Lit) (rest []cnf.Lit, consistent bool) {
	for i, is := range q.memory.Witness() { // shows what is true in every solution, too
		q.satisfiable = true
		if v := cnf.Var(i + 1); is {
			q.see(v.Pos())
		} else if !q.positive {
			q.see(v.Neg())
		}
	}
	for word, missing := range q.missing.words {
		for ; missing != 0; missing &= missing - 1 {
			switch l := q.missing.lit(word, bits.TrailingZeros64(missing)); {
			case q.memory.Impossible(l):
				if q.settle(l); !q.refute(l) {
					return nil, false
				}
			case q.memory.Possible(l):
				q.see(l)
			}
		}
	}
	return slices.DeleteFunc(split, func(l cnf.Lit) bool {
		return int(l.Var()) <= q.vars && q.memory.Impossible(l) // nothing is known of auxiliary variables
	}), true
}

// keep keeps the solutions that s stands for; of those that differ in free variables only the two in which all
// of these have the same value.
func (q *question) keep(s *partial) {
	q.changed = q.changed[:0]
	for _, v := range q.kept {
		q.changed = append(q.changed, v.Neg())
	}
	q.kept = s.appendHeld(q.kept[:0])
	for _, v := range q.kept {
		q.changed = append(q.changed, v.Pos())
	}
	q.memory.Keep(q.changed)
	if len(s.free) > 0 {
		q.changed = q.changed[:0]
		for _, v := range s.free {
			q.changed = append(q.changed, v.Pos())
		}
		q.memory.Keep(q.changed)
		q.kept = append(q.kept, s.free...)
	}
}
