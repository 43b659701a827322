package bdd

import (
	"context"
	"slices"
	"sort"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// conjoiner is the state of a construction by Boolean operations: a manager, the
// function that grows, and the record of how it grew. The first error is kept and
// makes every later call return false, so a construction reads like its formula;
// conjoin reports the error.
type conjoiner struct {
	ctx     context.Context
	problem encode.Problem
	rules
	order  order.Order
	levels []int // of each variable
	limit  int64 // in bytes; 0: none
	more   func(Growth) (int64, error)
	judged uint64 // nodes from which foresee judges the memory again; 0: it has not yet judged
	m      *robdd.Manager
	held   []robdd.Func // further functions needed later; a step may replace them
	live   uint64       // nodes after the last collection
	eager  bool         // collect at every step
	change reordering   // see Options.Sift; nil: none
	trace  bool         // see Options.Trace
	steps  int
	sifted int // nodes after the last change of the order
	stats  Stats
	budget budget // for progress alone
	err    error

	// If list is not nil, the operations are recorded there instead of carried out; m is then nil.
	list *Operations
}

// conjoin builds by operations. They start from the conjunction of the problem's units: the placed
// queens and blocked cells.
func conjoin(
	ctx context.Context, p encode.Problem, o order.Order, options Options,
	build func(c *conjoiner, start robdd.Func) robdd.Func,
) (*Compiled, error) {
	m, err := robdd.NewManager(variables(o), robdd.Config{MaxBytes: options.MaxBytes})
	if err != nil {
		return nil, err
	}
	change, err := reorderingNamed(options.Sift)
	if err != nil {
		return nil, err
	}
	c := &conjoiner{
		ctx: ctx, problem: p, rules: newRules(p), order: o, levels: o.Levels(), limit: options.MaxBytes, more: options.More, m: m,
		eager: options.eager, change: change, trace: options.Trace, budget: budget{progress: options.Progress},
	}
	made := c.finish(build(c, c.cube(p.Fixed)))
	engine := m.Stats()
	c.stats.NodesCreated, c.stats.PeakNodes, c.stats.PeakBytes = engine.Created, engine.PeakLive, engine.PeakBytes
	if c.err != nil {
		return nil, c.err
	}
	return &Compiled{made: made, stats: c.stats}, nil
}

// do records an operation or carries it out.
func (c *conjoiner) do(op operation, carryOut func() (robdd.Func, error)) (f robdd.Func) {
	if c.list != nil {
		return c.list.add(op)
	}
	if c.err == nil {
		f, c.err = carryOut() // false if it fails
	}
	return f
}

func (c *conjoiner) and(f, g robdd.Func) robdd.Func {
	return c.do(operation{word: "and", of: []robdd.Func{f, g}}, func() (robdd.Func, error) { return c.m.And(c.ctx, f, g) })
}

func (c *conjoiner) or(f, g robdd.Func) robdd.Func {
	return c.do(operation{word: "or", of: []robdd.Func{f, g}}, func() (robdd.Func, error) { return c.m.Or(c.ctx, f, g) })
}

// mk returns "if v then high else low", for children below v.
func (c *conjoiner) mk(v cnf.Var, low, high robdd.Func) robdd.Func {
	return c.do(operation{word: "node", lits: []cnf.Lit{v.Pos()}, of: []robdd.Func{low, high}},
		func() (robdd.Func, error) { return c.m.Mk(robdd.Var(v), low, high) })
}

// cube returns the conjunction of literals, made from the bottom up: false if they contradict each
// other.
func (c *conjoiner) cube(lits []cnf.Lit) robdd.Func {
	f := robdd.True
	upward := c.upward(lits)
	if c.list != nil && len(lits) > 0 {
		return c.list.add(operation{word: "cube", lits: upward})
	}
	for i, l := range upward {
		switch {
		case i > 0 && upward[i-1] == l.Not():
			return robdd.False
		case i > 0 && upward[i-1] == l:
		case l.Positive():
			f = c.mk(l.Var(), robdd.False, f)
		default:
			f = c.mk(l.Var(), f, robdd.False)
		}
	}
	return f
}

// clause returns the disjunction of literals of different variables.
func (c *conjoiner) clause(lits ...cnf.Lit) robdd.Func {
	f := robdd.False
	if c.list != nil && len(lits) > 0 {
		return c.list.add(operation{word: "clause", lits: c.upward(lits)})
	}
	for _, l := range c.upward(lits) {
		if l.Positive() {
			f = c.mk(l.Var(), f, robdd.True)
		} else {
			f = c.mk(l.Var(), robdd.True, f)
		}
	}
	return f
}

// constraint returns a constraint's function. It builds from the bottom up, without operations, and keeps most + 1
// functions for the literals from each one down: a lattice.
func (c *conjoiner) constraint(rule encode.Constraint) robdd.Func {
	least, most, lits := rule.Least, rule.Most, rule.Lits
	switch {
	case rule.IsClause():
		return c.clause(lits...)
	case most < least:
		return robdd.False
	case rule.Weights != nil:
		return c.weighing(rule)
	}
	// right[k]: if k of the other literals are true, the number is right. One more than most never is.
	right := make([]robdd.Func, min(most, len(lits))+2)
	for k := range right {
		if right[k] = robdd.False; least <= k && k <= most {
			right[k] = robdd.True
		}
	}
	for _, l := range c.upward(lits) {
		more := robdd.False // right[k+1] before this literal
		for k := len(right) - 2; k >= 0; k-- {
			fewer := right[k]
			if l.Positive() {
				right[k] = c.mk(l.Var(), fewer, more)
			} else {
				right[k] = c.mk(l.Var(), more, fewer)
			}
			more = fewer
		}
	}
	return right[0]
}

// sums are the sums, from low to high, of the weights above a place for which f is what the literals below must meet.
type sums struct {
	low, high int
	f         robdd.Func
}

const unbounded = 1 << 40 // beyond all sums

// weighing returns the function of a constraint with weights: layer by layer, by the sum so far. Sums that the literals
// below cannot tell apart share a node (Abio and others, A New Look at BDDs for Pseudo-Boolean Constraints, JAIR 45, 2012).
func (c *conjoiner) weighing(rule encode.Constraint) robdd.Func {
	weight := make(map[cnf.Lit]int, len(rule.Lits))
	for k, l := range rule.Lits {
		weight[l] = rule.Weight(k)
	}
	lits := c.upward(rule.Lits)
	slices.Reverse(lits)
	below := make([]int, len(lits)+1) // by place: the weight of the literals from there on
	for i, l := range slices.Backward(lits) {
		below[i] = below[i+1] + weight[l]
	}
	layers, made := make([][]sums, len(lits)), 0
	var at func(place, sum int) sums
	at = func(place, sum int) sums {
		switch {
		case c.err != nil:
			return sums{sum, sum, robdd.False}
		case sum > rule.Most:
			return sums{rule.Most + 1, unbounded, robdd.False}
		case sum+below[place] < rule.Least:
			return sums{-unbounded, rule.Least - below[place] - 1, robdd.False}
		case rule.Least <= sum && sum+below[place] <= rule.Most:
			return sums{rule.Least, rule.Most - below[place], robdd.True}
		}
		i := sort.Search(len(layers[place]), func(i int) bool { return layers[place][i].high >= sum })
		if i < len(layers[place]) && layers[place][i].low <= sum {
			return layers[place][i]
		}
		l := lits[place]
		no, yes := at(place+1, sum), at(place+1, sum+weight[l])
		s := sums{low: max(no.low, yes.low-weight[l]), high: min(no.high, yes.high-weight[l])}
		if l.Positive() {
			s.f = c.mk(l.Var(), no.f, yes.f)
		} else {
			s.f = c.mk(l.Var(), yes.f, no.f)
		}
		if made++; made%(1<<12) == 0 && c.err == nil {
			c.err = c.ctx.Err()
		}
		layers[place] = slices.Insert(layers[place], i, s)
		return s
	}
	return at(0, 0).f
}

// upward returns the literals sorted by descending level.
func (c *conjoiner) upward(lits []cnf.Lit) []cnf.Lit {
	lits = slices.Clone(lits)
	slices.SortFunc(lits, func(a, b cnf.Lit) int { return c.levels[b.Var()-1] - c.levels[a.Var()-1] })
	return lits
}

// step records that a step is done; f is the function so far. Between steps only f and held are needed,
// so here garbage is collected and the order may change. Garbage is collected when it outweighs the live
// nodes, which costs a fraction of the time it took to make.
func (c *conjoiner) step(name string, f robdd.Func) robdd.Func {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err != nil || c.list != nil {
		return f
	}
	roots := append(slices.Clone(c.held), f)
	nodes := int(c.m.Stats().Live) // garbage included: counting only reachable nodes would visit them
	switch {
	case c.eager || uint64(nodes) > 2*c.live+minGarbage:
		c.m.Collect(roots...)
		c.live = c.m.Stats().Live
		nodes = int(c.live)
	case c.trace || c.change != nil:
		nodes = c.m.NodeCount(roots...)
	}
	if c.change != nil && nodes > minSifted && nodes > 2*c.sifted {
		roots = c.reorder(roots)
		c.held, f = roots[:len(c.held)], roots[len(c.held)]
		nodes = c.sifted
	}
	if c.trace {
		c.stats.Growth = append(c.stats.Growth, Step{name, nodes})
	}
	c.steps++
	c.budget.tell("step", c.steps, 0, uint64(nodes), "nodes")
	return f
}

// reorder changes the order and records the new one. It returns the roots' new nodes.
func (c *conjoiner) reorder(roots []robdd.Func) []robdd.Func {
	roots, c.err = c.change(c.m, c.ctx, roots...)
	for i := range c.levels {
		c.levels[i] = c.m.LevelOf(robdd.Var(i + 1))
	}
	c.stats.Siftings++
	c.sifted, c.live = c.m.NodeCount(roots...), c.m.Stats().Live
	return roots
}

// minSifted is the number of nodes below which a change of the order does not pay.
const minSifted = 1000

// minGarbage is the number of dead nodes below which a collection does not pay.
const minGarbage = 1 << 16

// occupy conjoins the part of each constraint of a group that conflicts between two literals do not cover:
// for an exactly-one constraint, that some literal is true; for a constraint with other numbers, all of it.
func (c *conjoiner) occupy(f robdd.Func, g group) robdd.Func {
	for _, line := range g {
		if line.Excludes() && line.Least <= 1 {
			line.Most = len(line.Lits)
		}
		if line.Least > 0 || line.Limits() {
			f = c.step(line.Name, c.and(f, c.constraint(line)))
		}
	}
	return f
}

// occupyBut occupies all groups except those that follow from a group that has been occupied.
func (c *conjoiner) occupyBut(f robdd.Func, done group) robdd.Func {
	for _, g := range c.groups {
		if len(done) == 0 || !g.followsFrom(done) {
			f = c.occupy(f, g)
		}
	}
	return f
}

// complete conjoins the remaining conditions once each of the lines has a true variable and the literals
// that it excludes are false: conflicts between two literals outside the lines, and constraints that do
// not follow.
func (c *conjoiner) complete(f robdd.Func, lines group) robdd.Func {
	in := make(map[cnf.Lit]bool)
	for _, line := range lines {
		for _, l := range line.Lits {
			in[l] = true
		}
	}
	for _, g := range c.groups {
		for _, rule := range g {
			var out []cnf.Lit
			for _, l := range rule.Lits {
				if !in[l] {
					out = append(out, l)
				}
			}
			if rule.Excludes() && len(out) > 1 {
				f = c.step(rule.Name, c.and(f, c.constraint(encode.AtMostOne("", out...))))
			}
		}
	}
	return c.occupyBut(f, lines)
}

// without quantifies variables existentially: for some values of them, f is true.
func (c *conjoiner) without(f robdd.Func, vars []cnf.Var) robdd.Func {
	for _, v := range vars {
		if c.err != nil {
			return f
		}
		var high, low robdd.Func
		if high, c.err = c.m.Restrict(c.ctx, f, robdd.Lit(v.Pos())); c.err == nil {
			low, c.err = c.m.Restrict(c.ctx, f, robdd.Lit(v.Neg()))
		}
		f = c.or(low, high)
	}
	return f
}

// finish returns the diagram of f over the variables that are not auxiliary.
func (c *conjoiner) finish(f robdd.Func) *robdd.Diagram {
	const each = 16 // bytes of a node of the frozen diagram, and of what numbers it
	if c.err == nil && c.limit > 0 {
		if want := int64(c.m.Stats().Bytes) + each*int64(c.m.NodeCount(f)); want > c.limit {
			c.err = &backends.LimitError{What: "bytes", Limit: c.limit, Want: want}
			return nil
		}
	}
	if c.problem.Auxiliary == 0 || c.err != nil {
		return c.m.Freeze(f)
	}
	var auxiliary []cnf.Var
	for v := cnf.Var(c.problem.NumVars() + 1); int(v) <= c.problem.AllVars(); v++ {
		auxiliary = append(auxiliary, v)
	}
	d := c.m.Freeze(c.without(f, auxiliary)) // no change for auxiliary variables that were quantified earlier
	var order []robdd.Var
	first := []uint32{2}
	for level, v := range slices.Backward(d.Order()) {
		if _, end := d.Level(level); int(v) <= c.problem.NumVars() {
			order, first = append(order, v), append(first, end)
		}
	}
	slices.Reverse(order)
	nodes := make([]robdd.Node, d.Len())
	for i := range nodes {
		nodes[i] = d.Node(uint32(i) + 2)
	}
	own, err := robdd.NewDiagram(robdd.BDD, order, first, nodes, d.Root())
	if err != nil {
		panic(err) // the manager's order is a permutation
	}
	return own
}

// record lists the operations of a construction instead of carrying them out.
func record(p encode.Problem, o order.Order, build func(c *conjoiner, start robdd.Func) robdd.Func) *Operations {
	list := &Operations{problem: p, order: o}
	c := &conjoiner{ctx: context.Background(), problem: p, rules: newRules(p), levels: o.Levels(), list: list}
	list.end(build(c, c.cube(p.Fixed)))
	return list
}
