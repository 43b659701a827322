package ddnnf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// Compiler compiles a problem, and can be interrupted. It sets variables by unit propagation. Once some are set, the
// open ones often split into components without a common constraint. Each component is compiled once, and its node
// kept (Sang, Bacchus, Beame, Kautz and Pitassi, "Combining component caching and clause learning for effective model
// counting", SAT 2004; that the trace of such a search is a d-DNNF: Huang and Darwiche, "The language of search",
// Journal of Artificial Intelligence Research 29, 2007, section 4). It learns no clauses.
//
// Variables are set in min-fill order, in which the first ones separate the rest. With the order by number
// of constraints, as in sharpSAT, two of 19 published feature models took 50 times as long
// (automotive01 .052 s of CPU time to 2.9, ecos-aaed2000 .6 to over 15), and two a fifth (.24 to .05).
// Variables with too many neighbours for min-fill come first; see deepen.
type Compiler struct {
	*encode.Propagator
	builder
	splitter
	given  encode.Problem // the graph's problem, or a simpler one with the same solutions
	simple *simplifier
	order  order.Separation // of the last bound, but with the depth of the order that is followed
	most   int              // the bound of its cliques
	turn   uint64           // steps at the last search for an order
	own    cnf.Var          // variables above it are auxiliary: they do not distinguish solutions
	place  []int32          // by variable: its place in the order

	known, older *memo // of components; those of older are forgotten when known is full
	mostKeys     int64 // limit of bytes of known; 0 for what the limit leaves
	limit        int64 // of bytes in all; 0 for none
	key          []byte

	ctx            context.Context
	more           func(steps uint64, done float64) bool
	err            error
	often          bool   // pause at every step
	steps, checked uint64 // variables and constraints examined: in all, and at the last pause

	share, done float64 // of the whole: what is compiled at hand, and what has been; see progress

	least int // open literals of a clause that is compiled apart

	// Memory of the literals and children that product has at hand, the latest last.
	lits     []cnf.Lit
	children []int32
}

// NewCompiler returns a Compiler for a problem, with a limit of memory in bytes; 0 for none.
func NewCompiler(ctx context.Context, p encode.Problem, limit int64) (*Compiler, error) {
	c := &Compiler{
		builder: builder{Graph: Graph{problem: p}}, simple: newSimplifier(p), own: cnf.Var(p.NumVars()), limit: limit,
		least: longClause, most: order.MostNeighbours,
	}
	if err := c.begin(ctx, p); err != nil {
		return nil, err
	}
	return c, nil
}

// begin prepares for a problem.
func (c *Compiler) begin(ctx context.Context, p encode.Problem) error {
	c.given, c.Propagator, c.known, c.older = p, encode.NewPropagator(p), newMemo(), newMemo()
	c.splitter = newSplitter(p)
	first, err := order.Separate(ctx, p, c.most)
	if err == nil {
		c.follow(first)
	}
	return err
}

// follow sets variables in an order from now on.
func (c *Compiler) follow(by order.Separation) {
	c.place = slices.Repeat([]int32{math.MaxInt32}, c.given.AllVars())
	for i, v := range by.Order {
		c.place[v-1] = int32(i)
	}
	c.order, c.turn = by, c.steps
}

// mostClique is the last bound of the cliques of an order: for each of their pairs, order.Separate has a list.
const mostClique = 640

// deepen finds an order with twice the bound, if the last one left variables too wide, and compiling has gone on for as long
// as that may take. If its tree has eight levels fewer, deepen returns errDeeper, since each level can double the work; what is
// compiled stays known. The first order leaves 1,160 of the 1,920 variables of business-erp: so it takes 6 s, and without deepen it was
// not done in 40. Boards to 15 have no such order.
func (c *Compiler) deepen() error {
	const visits = 8 // of neighbours, in the time of a step
	const levels = 8
	if c.order.Wide == 0 || c.most >= mostClique || c.steps-c.turn < 2*c.order.Visits/visits {
		return nil
	}
	c.most *= 2
	next, err := order.Separate(c.ctx, c.given, c.most)
	if err != nil {
		return err
	}
	c.steps += next.Visits / visits
	if next.Depth+levels <= c.order.Depth {
		c.follow(next)
		return errDeeper
	}
	next.Depth, c.turn = c.order.Depth, c.steps // the order stays
	c.order = next
	return nil
}

// Bytes returns the bytes that the compiler holds.
func (c *Compiler) Bytes() int64 {
	return c.Graph.Bytes() + 4*int64(cap(c.table)) + c.known.held() + c.older.held()
}

// SetLimit changes the limit of memory in bytes; 0 for none.
func (c *Compiler) SetLimit(bytes int64) { c.limit = bytes }

// Steps returns how many variables and constraints have been examined.
func (c *Compiler) Steps() uint64 { return c.steps }

// Run compiles. From time to time it calls more with the steps so far, which are variables and constraints examined,
// and with an estimate of the share of the work that is done, from 0 to 1. If more returns false, the graph
// is nil, and Run can be called again: it loses nothing that it has compiled. The estimate is low where components
// recur: after a tenth of the steps it was .03 to .5 on 12 of 16 formulas, and far less on four whose clauses bind
// near variables only.
func (c *Compiler) Run(ctx context.Context, more func(steps uint64, done float64) bool) (*Graph, error) {
	c.ctx, c.more, c.err, c.checked = ctx, more, nil, 0
	root := c.whole()
	for c.err == errSimpler || c.err == errDeeper {
		if c.err == errSimpler {
			c.err = c.begin(ctx, c.simple.problem)
		} else {
			c.err = nil
		}
		if c.err == nil {
			root = c.whole()
		}
	}
	switch {
	case c.err == errStopped:
		return nil, nil
	case c.err != nil:
		return nil, c.err
	}
	c.known, c.older, c.simple = newMemo(), newMemo(), &simplifier{over: true}
	return c.under(root), nil
}

// whole returns a node for all variables; none if there is no solution.
func (c *Compiler) whole() int32 {
	c.share, c.done = 1, 0
	if !c.goOn() || !c.Assume(nil) {
		return none
	}
	return c.product(c.all(), 0)
}

// all returns all variables with all constraints.
func (c *Compiler) all() component {
	all := component{vars: make([]cnf.Var, c.given.AllVars()), rules: make([]int32, len(c.given.Constraints))}
	for i := range all.vars {
		all.vars[i] = cnf.Var(i + 1)
	}
	for i := range all.rules {
		all.rules[i] = int32(i)
	}
	return all
}

// product returns a node for those variables of a component that are open or have been set since the trail had a
// length; none if they have no solution.
func (c *Compiler) product(of component, length int) int32 {
	defer c.progress(c.done, c.share)
	defer func(parts, vars, rules, children int) {
		c.parts, c.partVar, c.partOf, c.children = c.parts[:parts], c.partVar[:vars], c.partOf[:rules], c.children[:children]
	}(len(c.parts), len(c.partVar), len(c.partOf), len(c.children))
	first := len(c.children)
	c.lits = c.lits[:0]
	for i := length; i < c.Len(); i++ {
		if l := c.At(i); l.Var() <= c.own {
			c.lits = append(c.lits, l)
		}
	}
	slices.SortFunc(c.lits, func(a, b cnf.Lit) int { return int(a.Var() - b.Var()) })
	c.children = append(c.children, c.counted(len(c.lits), len(c.lits), c.lits))
	parts := c.split(of)
	free := c.free(of.vars)
	c.children = append(c.children, c.counted(0, len(free), free))
	bound := 0
	for _, part := range parts {
		bound += len(part.vars)
	}
	each := c.share / float64(max(1, bound))
	for _, part := range parts {
		c.share = each * float64(len(part.vars))
		node := c.component(part)
		if node == none {
			return none
		}
		c.children = append(c.children, node)
	}
	return c.both(c.children[first:])
}

// free returns the open variables that no constraint binds, without auxiliary ones, until the next split.
func (c *Compiler) free(vars []cnf.Var) []cnf.Lit {
	c.lits = c.lits[:0]
	for _, v := range vars {
		if v <= c.own && c.within[v-1] < 0 && c.IsOpen(v.Pos()) {
			c.lits = append(c.lits, v.Pos())
		}
	}
	return c.lits
}

// progress notes that a part is done, before which the share from of the whole was done. The two values of a variable
// have equal shares. Components have shares in proportion to their variables; one that is known is done at once.
func (c *Compiler) progress(from, share float64) {
	if c.err == nil {
		c.done, c.share = from+share, share
	}
}

// component returns a node for a component; none if it has no solution. Auxiliary variables are set
// last, and only until one way is found: then the node is always true.
func (c *Compiler) component(part component) int32 {
	defer c.progress(c.done, c.share)
	if len(part.rules) == 1 && slices.Max(part.vars) <= c.own && c.given.Constraints[part.long].Weights == nil {
		rest := c.Rest(int(part.long))
		if rest.Least > rest.Most {
			return none
		}
		return c.counted(rest.Least, rest.Most, rest.Lits)
	}
	c.key = ascending(c.key[:0], part.vars)
	c.key = ascending(append(c.key, 0), part.begun)
	if part.held != nil {
		c.key = append(c.key, 0)
		for _, n := range part.held {
			c.key = binary.AppendUvarint(c.key, uint64(n))
		}
	}
	node, has := c.known.of(c.key)
	if has {
		return node
	}
	key := slices.Clone(c.key)
	if node, has = c.older.of(key); !has {
		if node, has = c.apart(part); !has {
			node = c.branch(part)
		}
	}
	if c.err == nil {
		c.keep(key, node)
	}
	return node
}

// keep notes a component's node. When the keys take two thirds of what the graph leaves of the limit, those used longest ago
// are forgotten.
func (c *Compiler) keep(key []byte, node int32) {
	most := c.mostKeys
	if most == 0 && c.limit > 0 {
		most = max(1<<16, (c.limit-c.Graph.Bytes())/3)
	}
	if most > 0 && c.known.bytes() > most {
		c.known, c.older = c.older.forget(), c.known
	}
	c.known.keep(key, node)
}

// branch compiles a component by setting a variable to both values.
func (c *Compiler) branch(part component) int32 {
	v, half := c.choice(part.vars), c.share/2
	var nodes [2]int32
	found := nodes[:0]
	for _, l := range [2]cnf.Lit{v.Pos(), v.Neg()} {
		if v > c.own && len(found) > 0 || !c.goOn() {
			break
		}
		c.share = half
		if node := c.with(part, l); node != none {
			found = append(found, node)
		}
	}
	return c.either(found)
}

// with returns a node for a component in which some open literals are true; none if it has no solution.
func (c *Compiler) with(part component, lits ...cnf.Lit) int32 {
	length := c.Len()
	defer c.Undo(length)
	for _, l := range lits {
		if !c.Add(l) {
			c.done += c.share
			return none
		}
	}
	return c.product(part, length)
}

// longClause is the number of open literals from which on a constraint may be compiled apart.
const longClause = 16

// apart compiles a component that splits without its longest constraint, a clause. Either the first piece makes the
// clause true, and the others are free of it; or it does not, and one of the others must. A piece makes it true by its
// first literal of the clause, or only by its second, and so on. The cost is in proportion to the clause's length, and
// to that of the piece for each literal in it. Branching costs the square of the clause's length, since it looks at
// the rest of the clause after each literal. apart returns false if it does not apply.
func (c *Compiler) apart(part component) (node int32, applies bool) {
	if open := c.Open(int(part.long)); open < c.least || 4*open < len(part.vars) || slices.Max(part.vars) > c.own {
		return none, false
	}
	rest := c.Rest(int(part.long))
	in := make(map[cnf.Var]cnf.Lit, len(rest.Lits))
	for _, l := range rest.Lits {
		in[l.Var()] = l
	}
	if !rest.IsClause() || len(in) < len(rest.Lits) {
		return none, false
	}
	c.off[part.long] = true
	defer func() { c.off[part.long] = false }()
	pieces := c.split(part)
	var alone []cnf.Lit // in no other constraint
	for _, v := range c.free(part.vars) {
		alone = append(alone, in[v.Var()])
	}
	within := make([][]cnf.Lit, len(pieces))
	for i, piece := range pieces {
		for _, v := range piece.vars {
			if l, has := in[v]; has {
				within[i] = append(within[i], l)
			}
		}
		if len(rest.Lits)-len(within[i]) < 2 { // with fewer elsewhere, setting these would set literals of other pieces
			return none, false
		}
	}
	// From the last piece to the first: the ways of these pieces in all, and those that make the clause true.
	all, some := c.counted(0, len(alone), alone), none
	if len(alone) > 0 {
		some = c.counted(1, len(alone), alone)
	}
	share := c.share / float64(len(rest.Lits)+2*len(pieces))
	for i, piece := range slices.Backward(pieces) {
		if !c.goOn() {
			return none, true
		}
		c.share = share
		any := c.component(piece)
		var ways []int32
		for k := range within[i] {
			c.share = share
			lits := append(cnf.Negated(within[i][:k]), within[i][k])
			if node := c.with(piece, lits...); node != none {
				ways = append(ways, node)
			}
		}
		var sum []int32
		if first := c.either(ways); first != none && all != none {
			sum = append(sum, c.both([]int32{first, all}))
		}
		if some != none {
			if node := c.with(piece, cnf.Negated(within[i])...); node != none {
				sum = append(sum, c.both([]int32{node, some}))
			}
		}
		if some = c.either(sum); any == none || all == none {
			all = none
		} else {
			all = c.both([]int32{any, all})
		}
	}
	return some, true
}

// ascending appends ascending numbers, each as its difference from the previous one.
func ascending[T ~int32](key []byte, numbers []T) []byte {
	last := T(-1)
	for _, n := range numbers {
		key = binary.AppendUvarint(key, uint64(n-last))
		last = n
	}
	return key
}

// choice returns the variable that is set next.
func (c *Compiler) choice(vars []cnf.Var) cnf.Var {
	best := vars[0]
	for _, v := range vars {
		if (v > c.own) == (best > c.own) && c.place[v-1] < c.place[best-1] {
			best = v
		}
	}
	return best
}

// errStopped says that more has returned false, errSimpler that there is a simpler problem, errDeeper that there is another order.
var errStopped, errSimpler, errDeeper = errors.New("stopped"), errors.New("simpler"), errors.New("deeper")

// simplify works on a simpler problem for a quarter of the time that compiling has taken. It returns errSimpler once
// that is done, if the problem has half as many literals.
func (c *Compiler) simplify() error {
	s := c.simple
	if s.over {
		return nil
	}
	before := s.work
	s.run((c.steps - before) / 4)
	c.steps += s.work - before
	if s.over && 2*s.literals <= s.first {
		return errSimpler
	}
	return nil
}

// goOn returns false if the context, the limit of memory, or more has ended the compilation.
func (c *Compiler) goOn() bool {
	if c.err == nil && (c.often || c.steps-c.checked >= 1<<10 || c.checked == 0) {
		c.checked = max(1, c.steps)
		switch needs := needed(len(c.kinds), len(c.words)); {
		case c.limit > 0 && needs > c.limit/3*2:
			c.err = fmt.Errorf("compiling %s as a d-DNNF: %w", c.problem, limitError(c.limit, needs/2*3)) // with its keys
		case len(c.words) > math.MaxInt32/2:
			c.err = &backends.LimitError{What: "words", Limit: math.MaxInt32 / 2, Want: int64(len(c.words))}
		case !c.more(c.steps, c.done):
			c.err = errStopped
		case c.ctx.Err() != nil:
			c.err = c.ctx.Err()
		default:
			if c.err = c.simplify(); c.err == nil {
				c.err = c.deepen()
			}
		}
	}
	return c.err == nil
}
