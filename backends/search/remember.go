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

// recalled turns the memory to a question, and returns the answer if it is kept.
func (o *Oracle) recalled(assume []cnf.Lit) (answer backends.Valid, known bool) {
	if o.memory == nil {
		o.memory = recall.New(o.problem.NumVars())
	}
	return o.memory.Ask(assume)
}

// Prepare implements [backends.Preparer].
func (o *Oracle) Prepare(ctx context.Context, method string) error {
	if method != Openings {
		return nil
	}
	if o.book == nil {
		o.book = recall.NewBook(o.problem)
	}
	return o.book.Fill(ctx, func(ctx context.Context, assume []cnf.Lit) (backends.Valid, error) {
		return o.Valid(ctx, assume, Supports)
	})
}

// opening answers a question with nothing or one queen assumed from the book.
func (o *Oracle) opening(ctx context.Context, assume []cnf.Lit) (answer backends.Valid, known bool, err error) {
	if err := o.Prepare(ctx, Openings); err != nil {
		return answer, false, err
	}
	if answer, known = o.book.Answer(assume); !known {
		return answer, false, nil
	}
	answer.Method, answer.Work = Openings, backends.Work{{Name: "walks"}, {Name: o.unit}}
	if _, kept := o.recalled(assume); !kept { // for what it rules out
		o.memory.Answered(answer)
	}
	return answer, true, nil
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
