package bdd

import (
	"fmt"
	"math"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// constraintWise conjoins the constraints in buckets: those with the same first variable in the order. A bucket is
// conjoined first by itself and then with the function of the buckets below.
//
// It takes any problem. This is the bucket elimination of Dechter ("Bucket elimination: a unifying framework for
// reasoning", Artificial Intelligence 113, 1999). The function so far has no nodes for distinctions that only upper
// constraints make, and each variable walks it once, where otherwise each constraint would. Conjoining the constraints
// one by one creates 1.04 to 8.8 times as many nodes (13 models).
//
// The literals that unit propagation derives are conjoined first, and then what they leave of each constraint. A
// constraint that they satisfy is skipped: to conjoin it would walk down all fixed literals above it, which makes the
// cost quadratic in the number of fixed literals.
func constraintWise(c *conjoiner, f robdd.Func) robdd.Func {
	units := encode.NewPropagator(c.problem)
	if !units.Assume(nil) {
		return c.step("fixed literals", robdd.False)
	}
	fixed := c.problem.Values(nil)
	follows := slices.DeleteFunc(units.Trail(), func(l cnf.Lit) bool {
		return int(l.Var()) > len(fixed) || fixed[l.Var()-1] != 0
	})
	if len(follows) > 0 {
		f = c.and(f, c.cube(follows))
	}
	f = c.step("fixed literals", f)
	var all []encode.Constraint
	for i, rule := range slices.Concat(c.groups...) { // the problem's constraints, each with a name
		if units.Binds(i) {
			rest := units.Rest(i)
			rest.Name = rule.Name
			all = append(all, rest)
		}
	}
	firsts := c.lowestFirst(all)
	leave := leaving(c.problem, all)
	for begin, end := 0, 0; begin < len(all); begin = end {
		var left []cnf.Var
		bucket := robdd.True
		for ; end < len(all) && firsts[end] == firsts[begin]; end++ {
			rule := all[end]
			left = append(left, leave[end]...)
			made := c.constraint(rule)
			if end == begin {
				bucket = made
				continue
			}
			c.held = []robdd.Func{f}
			bucket = c.step(rule.Name, c.and(bucket, made))
			f, c.held = c.held[0], nil
		}
		f = c.step(all[end-1].Name, c.without(c.and(f, bucket), left))
		c.foresee(f, all, end)
	}
	return f
}

// lowestFirst sorts constraints by the levels of their variables, compared from the top down, and returns the first
// level of each. Within a bucket, each conjunction then walks only the top of those before it.
func (c *conjoiner) lowestFirst(all []encode.Constraint) (firsts []int) {
	type placed struct {
		encode.Constraint
		levels []int
	}
	sorted := make([]placed, len(all))
	for i, rule := range all {
		sorted[i].Constraint = rule
		for _, l := range rule.Lits {
			sorted[i].levels = append(sorted[i].levels, c.levels[l.Var()-1])
		}
		slices.Sort(sorted[i].levels)
	}
	slices.SortStableFunc(sorted, func(a, b placed) int { return slices.Compare(b.levels, a.levels) })
	for i, rule := range sorted {
		all[i], firsts = rule.Constraint, append(firsts, rule.levels[0])
	}
	return firsts
}

// minJudged is the number of nodes from which foresee judges the memory: some tenths of a second of work.
const minJudged = 1 << 17

// foresee stops the construction if the diagram would far exceed the memory limit, or if [Options.More] says so. It
// divides the logarithm of the node count so far by that of its estimate ([order.Cost]), and assumes
// that this ratio stays the same. The estimate alone is useless: it is 2^70 for one published feature model with 881
// nodes. Of the published models that reach minJudged nodes, five were compiled; the forecast for each was
// at most 2^24 nodes. Eight others did not end within 25 s: six, with a forecast of 2^33 or more, are
// refused; two, with 2^23 and 2^28, are not. The forecast of all steps is made in the same way: after some 7,000 it was .9 to
// 3.1 times what they were in the end (10 formulas), but 50 times and more on five.
func (c *conjoiner) foresee(f robdd.Func, all []encode.Constraint, done int) {
	if c.list != nil || c.err != nil || c.change != nil {
		return
	}
	stats := c.m.Stats()
	grown := func(nodes float64) float64 { // infinite if it is too early to say
		now, whole := order.Cost(c.problem, all[:done], c.order), order.Cost(c.problem, all, c.order)
		if now < 2 || nodes < 2 {
			return math.Inf(1)
		}
		return math.Pow(nodes, math.Log(whole)/math.Log(now))
	}
	if c.more != nil {
		c.limit, c.err = c.more(Growth{stats.Steps, int64(stats.Bytes), func() float64 { return grown(float64(stats.Steps)) }})
		c.m.SetMaxBytes(c.limit)
	}
	if c.limit > 0 && c.err == nil && stats.Live >= max(minJudged, c.judged) {
		c.judged = 2 * stats.Live
		nodes := c.m.NodeCount(f)
		want := grown(float64(nodes))
		if bytes := want * float64(stats.Bytes) / float64(stats.Live); bytes > 4*float64(c.limit) && !math.IsInf(want, 1) {
			c.err = fmt.Errorf("the diagram would need far more memory under this order: with %d of %d constraints it has "+
				"%d nodes, with all of them about %.0e: %w", done, len(all), nodes, want,
				&backends.LimitError{What: "bytes", Limit: c.limit, Want: int64(min(bytes, 1<<62))})
		}
	}
}
