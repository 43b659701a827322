package bdd

import (
	"fmt"
	"math"
	"slices"

	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// constraintWise conjoins the constraints one after the other, starting with those whose first variable
// lies lowest in the order.
//
// It takes any problem. At each step the function is that of the constraints below some level, so it
// never has nodes for distinctions that only upper constraints make. (The bucket elimination of Dechter,
// "Bucket elimination: a unifying framework for reasoning", Artificial Intelligence 113, 1999, processes
// clauses in this order.)
func constraintWise(c *conjoiner, f robdd.Func) robdd.Func {
	top := func(rule encode.Constraint) int {
		top := len(c.levels)
		for _, l := range rule.Lits {
			top = min(top, c.levels[l.Var()-1])
		}
		return top
	}
	all := slices.Concat(c.groups...)
	slices.SortStableFunc(all, func(a, b encode.Constraint) int { return top(b) - top(a) })
	leave := leaving(c.problem, all)
	for i, rule := range all {
		f = c.step(rule.Name, c.without(c.and(f, c.counted(rule.Least, rule.Most, rule.Lits)), leave[i]))
		c.foresee(f, all, i+1)
	}
	return f
}

// minJudged is the number of nodes from which foresee judges: some tenths of a second of work.
const minJudged = 1 << 17

// foresee stops the construction if the diagram would far exceed the memory limit. It compares the nodes
// with the estimate of their number, both for the constraints conjoined so far, and assumes that the
// logarithm of the estimate stays wrong by the same factor. The estimate alone tells nothing: it is 2^70
// for one published feature model with 881 nodes. Of the published models that held as many nodes, the
// five that ended came to at most 2^24 nodes by this forecast. Of eight that did not end in 25 s, six came
// to 2^33 or more; two others, to 2^23 and 2^28, are not refused.
func (c *conjoiner) foresee(f robdd.Func, all []encode.Constraint, done int) {
	if c.list != nil || c.err != nil || c.sift || c.limit == 0 || c.m.Stats().Live < c.judged {
		return
	}
	stats := c.m.Stats()
	c.judged = 2 * stats.Live
	nodes := c.m.NodeCount(f)
	now, whole := order.Cost(c.problem, all[:done], c.order), order.Cost(c.problem, all, c.order)
	if now < 2 {
		return
	}
	want := math.Pow(float64(nodes), math.Log(whole)/math.Log(now))
	if bytes := want * float64(stats.Bytes) / float64(stats.Live); bytes > 4*float64(c.limit) {
		c.err = fmt.Errorf("the diagram would need far more memory under this order: with %d of %d constraints it has "+
			"%d nodes, with all of them about %.0e: %w", done, len(all), nodes, want,
			&robdd.LimitError{What: "bytes", Limit: c.limit, Want: int64(min(bytes, 1<<62))})
	}
}
