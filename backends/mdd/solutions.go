package mdd

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"queens/encode/cnf"
)

// Solutions implements [backends.Backend]. The solutions come in the order of the diagram's values. The
// iteration has its own walk, so the Oracle may answer other questions meanwhile.
func (o *Oracle) Solutions(ctx context.Context, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return o.solutions(ctx, newWalk(o.d), assume)
}

// solutions yields the solutions under the assumptions. It follows only nodes that have a solution
// below, so no path ends early.
func (o *Oracle) solutions(ctx context.Context, w *walk, assume []cnf.Lit) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		possible, err := o.ask(ctx, w, assume, false, false)
		if err == nil && possible {
			possible, err = w.up(ctx)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !possible {
			return
		}
		model := cnf.Model(len(w.place))
		var visit func(r int, at uint32) bool
		visit = func(r int, at uint32) bool {
			if r == len(w.lines) {
				if err := ctx.Err(); err != nil {
					yield(nil, w.stopped(err))
					return false
				}
				return yield(slices.Clone(model), nil)
			}
			n := w.node(at)
			for values := n.values() & w.allowed[r]; values != 0; values &= values - 1 {
				child := n.child(values & -values)
				if r >= w.fork && r < w.end && !w.alive(child) {
					continue
				}
				v := w.lines[r][bits.TrailingZeros64(values)]
				model[v-1] = v.Pos()
				goes := visit(r+1, child)
				model[v-1] = v.Neg()
				if !goes {
					return false
				}
			}
			return true
		}
		visit(0, 0)
	}
}
