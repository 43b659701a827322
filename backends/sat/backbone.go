package sat

import (
	"context"
	"slices"

	"queens/backends"
)

// The methods of the field are those of Janota, Lynce and Marques-Silva, Algorithms for Computing Backbones of
// Propositional Formulae, AI Communications 28, 2015. The numbers are those of the paper as its review has them (J. H.
// Davenport, Computing Reviews CR144878); LogicNG, too, calls reuse algorithm 3. A study on 2,371 feature models (arXiv
// 2603.15833) has numbers of its own: its 2/3 is reuse, and its 5 coreChunks. The backbone is the set of literals that are true in all
// solutions. Their negations are the targets that no solution makes true.
//
//   - Algorithm 2 is [perCell], and 3, which asks only for what no model has shown, is [reuse].
//   - Algorithm 4 is [rest]: one query for all that is open.
//   - Algorithm 7 is [coreChunks].
//   - [core] lies between 6 and 4: it assumes packs, drops one literal of a core at a time, and ends with rest.

// coreChunks assumes chunks of open targets. At the end it asks one by one for those that cores have dropped.
func coreChunks(size int) func(context.Context, *question) error {
	return func(ctx context.Context, q *question) error {
		if _, _, err := q.ask(ctx); err != nil || q.refuted {
			return err
		}
		if err := q.show(ctx); err != nil { // from here on, at most one literal of each variable is open
			return err
		}
		if err := q.askChunks(ctx, size); err != nil {
			return err
		}
		return reuse(ctx, q)
	}
}

// askChunks assumes chunks of open targets, in their order. After UNSAT it drops the targets of the core from the chunk, and
// asks for none of them again; a core of one target refutes it.
func (q *question) askChunks(ctx context.Context, size int) error {
	asked := make([]bool, len(q.targets))
	for {
		var chunk []int
		for _, t := range q.unseen() {
			if !asked[t] && len(chunk) < size {
				chunk = append(chunk, t)
			}
		}
		if len(chunk) == 0 {
			return nil
		}
		for len(chunk) > 0 {
			status, failed, err := q.ask(ctx, chunk...)
			if err != nil {
				return err
			}
			if status == backends.Sat {
				if err := q.show(ctx); err != nil {
					return err
				}
				break
			}
			if len(failed) == 0 { // all models have been seen
				return nil
			}
			if len(failed) == 1 {
				q.refute(failed[0])
			}
			for _, t := range failed {
				asked[t] = true
			}
			chunk = slices.DeleteFunc(chunk, func(t int) bool { return asked[t] })
		}
	}
}
