package sat

import (
	"context"
	"math/rand/v2"
	"slices"

	"queens/backends"
	"queens/encode/cnf"
)

// pack assumes a pack: many open targets at once; no two exclude each other. A model then
// shows all of them, so few models show a whole board. After UNSAT the pack loses an eighth of its
// targets, later a half; UNSAT for a single target refutes it. A model also shows its images under the
// question's symmetries: an empty board has seven, most boards with queens none.
//
// Packs start large for two reasons. Unit propagation alone refutes a pack that is too large, and a
// satisfiable large pack leaves little to search: on an empty board of 100, gini needs 2,350 conflicts
// for the first model without a pack, and a few dozen with 75 cells assumed.
//
// On boards packs shrink to single targets. Elsewhere, once packs have only a few targets, one query asks for any of the open
// ones ([rest]): a model shows one target of an exactly-one constraint, and a solver takes time in proportion to its
// length for each model. Where the possible variables do not determine the forced ones, as in formulas, each model is
// flipped before the next query.
func pack(ctx context.Context, q *question) error {
	q.flips = q.cover == nil
	p := newPacker(q)
	few := q.flips || 8*(p.size+1)*(p.size+1) < len(q.targets) // not on boards: k open rows have at most k*k targets, and packs of some .7*k
	for !q.done() && len(q.targets) > 0 && !(few && p.size < chunkBelow) {
		if err := p.cut(ctx, p.next()); err != nil {
			return err
		}
	}
	return rest(ctx, q) // nothing, if packs have settled all
}

// core works like pack, but after UNSAT the pack loses one target of the solver's core, and models are not flipped.
// Cores and chunks are from Janota, Lynce and Marques-Silva; see backbone.go.
func core(ctx context.Context, q *question) error {
	p := newPacker(q)
	for !q.done() && len(q.targets) > 0 && p.size >= chunkBelow {
		if err := p.drop(ctx, p.next()); err != nil {
			return err
		}
	}
	return rest(ctx, q)
}

const chunkBelow = 4 // packs of fewer targets are not worth a query

// packer settles a question in packs of targets.
type packer struct {
	*question
	rng  *rand.Rand
	size int // most targets in the next pack; grows with success, shrinks with failure

	exclusive [][]int32 // by target: its constraints that exclude other targets
	used      []uint32  // by constraint, then by variable: the last pack with a target in it
	packs     uint32
}

func newPacker(q *question) *packer {
	q.images = q.symmetries()
	r := q.propagator()
	p := &packer{question: q, rng: rand.New(rand.NewPCG(1, 1)), size: len(q.targets),
		exclusive: make([][]int32, len(q.targets))}
	constraints := q.problem.Constraints
	var flat []int32
	for t, l := range q.targets {
		from := len(flat)
		for _, c := range r.Of(q.literal(t)) {
			if constraints[c].Excludes() {
				flat = append(flat, c)
			}
		}
		if q.cover == nil { // a variable and its negation are both targets
			flat = append(flat, int32(len(constraints))+int32(l.Var())-1)
		}
		p.exclusive[t] = flat[from:len(flat):len(flat)]
	}
	p.used = make([]uint32, len(constraints)+len(q.vars))
	p.size = max(1, len(p.next())*7/8)
	return p
}

// next picks at most size open targets; no two exclude each other.
func (p *packer) next() []int {
	open := p.unseen()
	p.rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	p.packs++
	targets := open[:0]
next:
	for _, t := range open {
		if len(targets) >= p.size {
			break
		}
		for _, c := range p.exclusive[t] {
			if p.used[c] == p.packs {
				continue next
			}
		}
		for _, c := range p.exclusive[t] {
			p.used[c] = p.packs
		}
		targets = append(targets, t)
	}
	return targets
}

// cut asks for the pack and, after each UNSAT, for a smaller part of it.
func (p *packer) cut(ctx context.Context, targets []int) error {
	for part := 8; ; part = max(2, part/2) {
		if failed, err := p.attempt(ctx, targets); len(failed) < 2 {
			return err
		}
		targets = targets[:len(targets)-(len(targets)+part-1)/part]
		p.size = max(1, len(targets))
	}
}

// drop asks for the pack and, after each UNSAT, removes one target of the core.
func (p *packer) drop(ctx context.Context, targets []int) error {
	for len(targets) > 0 {
		failed, err := p.attempt(ctx, targets)
		if len(failed) == 0 {
			return err
		}
		out := slices.Index(targets, failed[p.rng.IntN(len(failed))])
		targets = slices.Delete(targets, out, out+1)
		p.size = max(1, min(p.size, len(targets)+len(targets)/8))
	}
	return nil
}

// attempt asks for the pack. It shows the model; if a pack of full size succeeded, the next one may be larger.
// After UNSAT it returns the targets of the core, and refutes a single one.
func (p *packer) attempt(ctx context.Context, targets []int) (failed []int, err error) {
	status, failed, err := p.ask(ctx, targets...)
	switch {
	case err != nil:
		return nil, err
	case len(failed) == 1:
		p.refute(failed[0])
	case status == backends.Sat:
		if len(targets) >= p.size {
			p.size += p.size/10 + 1
		}
		return nil, p.show(ctx)
	}
	return failed, nil
}

// rest asks for a model that shows any open target, until there is none.
func rest(ctx context.Context, q *question) error {
	for !q.done() && len(q.targets) > 0 {
		status, err := q.askSome(ctx)
		if err != nil {
			return err
		}
		if status == backends.Sat {
			if err := q.show(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// askSome asks for a model that shows an open target, and refutes those that it finds to have none. If the
// solver serves only this question, a clause says that one of the open targets is true, so after UNSAT all are
// refuted. The clauses need not be retracted: the set of open targets only shrinks, so each clause
// implies the one before. A solver that serves other questions is asked for the first open target.
func (q *question) askSome(ctx context.Context) (status backends.Status, err error) {
	open := q.unseen()
	if !q.own && len(open) > 0 {
		status, _, err = q.ask(ctx, open[0])
		if status == backends.Unsat && !q.refuted {
			q.refute(open[0])
		}
		return status, err
	}
	if q.satisfiable && len(open) > 0 { // any first model shows some targets
		q.start()
		var some []cnf.Lit
		for _, t := range open {
			some = append(some, q.targets[t])
		}
		q.asked.Add(some...)
	}
	status, _, err = q.ask(ctx)
	return status, err
}
