package ddnnf

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"queens/encode/cnf"
)

// ahead lists the nodes that must still give values to a solution.
type ahead struct {
	node int32
	next *ahead
}

// Solutions implements [backends.Backend]. The iteration has its own state, so the Oracle may answer other questions
// meanwhile.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		v, possible, err := o.check(ctx, assume)
		var sat []bool
		if err == nil && possible {
			if sat, err = o.graph.satisfiable(ctx, v); err == nil && !sat[len(sat)-1] {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
		if err != nil || !possible {
			return
		}
		l := &lister{Graph: o.graph, ctx: ctx, values: v, sat: sat, model: cnf.Model(len(v)), yield: yield}
		l.nodes(&ahead{node: int32(len(sat) - 1)})
	}
}

// lister yields solutions. Its methods return false when the iteration has ended.
type lister struct {
	*Graph
	ctx    context.Context
	values values
	sat    []bool
	model  []cnf.Lit
	yield  func([]cnf.Lit, error) bool
}

// nodes yields the solutions that extend the model by the nodes ahead, all of which have solutions.
func (l *lister) nodes(list *ahead) bool {
	for list != nil && l.kinds[list.node] == and {
		next := list.next
		for _, child := range l.of(int(list.node)) {
			next = &ahead{child, next}
		}
		list = next
	}
	switch {
	case list == nil:
		if err := l.ctx.Err(); err != nil {
			l.yield(nil, err)
			return false
		}
		return l.yield(append([]cnf.Lit(nil), l.model...), nil)
	case l.kinds[list.node] == leaf:
		least, most, lits := l.leaf(int(list.node))
		trues, open := l.values.of(lits)
		return l.literals(lits, least-trues, most-trues, open, list.next)
	}
	for _, child := range l.of(int(list.node)) {
		if l.sat[child] && !l.nodes(&ahead{child, list.next}) {
			return false
		}
	}
	return true
}

// literals yields the solutions in which from least to most of those literals are true that are open, then the nodes
// of a list. open is their number; the others come as they are assumed.
func (l *lister) literals(lits []int32, least, most, open int32, list *ahead) bool {
	if len(lits) == 0 {
		return l.nodes(list)
	}
	first := cnf.Lit(lits[0])
	if assumed := l.values[first.Var()-1]; assumed != 0 {
		l.model[first.Var()-1] = first.Var().Pos() * cnf.Lit(assumed)
		return l.literals(lits[1:], least, most, open, list)
	}
	if most > 0 {
		l.model[first.Var()-1] = first
		if !l.literals(lits[1:], least-1, most-1, open-1, list) {
			return false
		}
	}
	if open > least {
		l.model[first.Var()-1] = first.Not()
		return l.literals(lits[1:], least, most, open-1, list)
	}
	return true
}

// Samples implements [backends.Sampler]. One pass counts the solutions of every node; a draw takes each child of an
// *or* with a probability in proportion to its solutions.
func (o *Oracle) Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		v, possible, err := o.check(ctx, assume)
		var t *tally
		if err == nil && possible {
			t, err = o.graph.count(ctx, v, true, o.limit)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !possible || t.total().Sign() == 0 {
			return
		}
		d := drawer{tally: t, random: rand.New(rand.NewPCG(seed, 0))}
		for ctx.Err() == nil {
			d.model = cnf.Model(len(v))
			d.draw(int32(len(t.ways) - 1))
			if !yield(d.model, nil) {
				return
			}
		}
		yield(nil, ctx.Err())
	}
}

// drawer draws solutions.
type drawer struct {
	*tally
	random *rand.Rand
	model  []cnf.Lit
}

// draw draws values for a node's variables.
func (d *drawer) draw(node int32) {
	switch d.g.kinds[node] {
	case and:
		for _, child := range d.g.of(int(node)) {
			d.draw(child)
		}
	case or:
		children := d.g.of(int(node))
		rest := uniform(d.random, &d.ways[node])
		for _, child := range children {
			if rest.Cmp(&d.ways[child]) < 0 {
				d.draw(child)
				return
			}
			rest.Sub(rest, &d.ways[child])
		}
	case leaf:
		least, most, lits := d.g.leaf(int(node))
		trues, open := d.v.of(lits)
		need, room := least-trues, most-trues
		for _, word := range lits {
			l := cnf.Lit(word)
			value := d.v.literal(l)
			if value == 0 {
				open--
				with := assignments(int(open), int(max(0, need-1)), int(room-1))
				without := assignments(int(open), int(max(0, need)), int(room))
				if value = -1; uniform(d.random, without.Add(with, without)).Cmp(with) < 0 {
					value, need, room = 1, need-1, room-1
				}
			}
			if value == -1 {
				l = l.Not()
			}
			d.model[l.Var()-1] = l
		}
	}
}

// uniform returns a random number from 0 to n-1: it draws random bits until they are below n.
func uniform(random *rand.Rand, n *big.Int) *big.Int {
	words := make([]big.Word, len(n.Bits()))
	for x := new(big.Int); ; {
		for i := range words {
			words[i] = big.Word(random.Uint64())
		}
		words[len(words)-1] &= 1<<(n.BitLen()-bits.UintSize*(len(words)-1)) - 1
		if x.SetBits(words).Cmp(n) < 0 {
			return x
		}
	}
}
