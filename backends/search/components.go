package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"

	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
)

// components counts the solutions of a formula component by component. Once some variables are set, the
// open ones often split into components without a common constraint. Their counts are multiplied, and
// the count of each component is cached (Sang, Bacchus, Beame, Kautz and Pitassi, "Combining
// component caching and clause learning for effective model counting", SAT 2004). No clauses are learned.
//
// Variables are set in min-fill order, in which the first ones separate the rest. With the order by number
// of constraints, as in sharpSAT, two of 19 published feature models took 50 times as long
// (automotive01 .052 s of CPU time to 2.9, ecos-aaed2000 .6 to over 15), and two a fifth (.24 to .05).
type components struct {
	*encode.Propagator
	problem encode.Problem
	own     cnf.Var // variables above it are auxiliary: they do not distinguish solutions
	place   []int32 // by variable: its place in the order

	known       map[string]*big.Int // by component
	bytes, most int                 // memory of known, and its limit: beyond it, known is emptied
	key         []byte

	pause          func() error // called every few thousand steps
	err            error
	steps, checked uint64 // variables and constraints examined: in all, and at the last pause

	share, done float64 // of the whole count: what is counted at hand, and what has been; see counted

	round   int32   // of split
	met     []int32 // by variable: the last round that met it
	entered []int32 // the same by constraint
	within  []int32 // by variable: its component of those that split has found, or -1
	holds   []int32 // the same by constraint
	off     []bool  // by constraint: counted apart, so that it links nothing
	least   int     // open literals of a clause that is counted apart
	vars    []cnf.Var
	rules   []int32

	// Memory of the components that product has at hand, the latest last.
	parts   []component
	partVar []cnf.Var
	partOf  []int32
}

// component is a set of open variables that no constraint links to others, ascending, with the constraints between
// them (rules). begun lists those in which some variable is set; the variables determine the other constraints.
// held lists, for those of begun that have true literals, their place in begun and the number.
type component struct {
	long  int32 // the constraint between them with the most open literals
	vars  []cnf.Var
	rules []int32
	begun []int32
	held  []int32
}

// mostKnown bounds the memory of the counts that are kept.
const mostKnown = 256 << 20

func newComponents(ctx context.Context, p encode.Problem) (*components, error) {
	named, err := order.ByName("min-fill")
	if err != nil {
		return nil, err
	}
	o, err := named.For(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &components{
		Propagator: encode.NewPropagator(p), problem: p, own: cnf.Var(p.NumVars()),
		place: slices.Repeat([]int32{math.MaxInt32}, p.AllVars()), known: map[string]*big.Int{}, most: mostKnown,
		met: make([]int32, p.AllVars()), entered: make([]int32, len(p.Constraints)), within: make([]int32, p.AllVars()),
		holds: make([]int32, len(p.Constraints)), off: make([]bool, len(p.Constraints)), least: longClause,
	}
	for i, v := range o {
		c.place[v-1] = int32(i)
	}
	return c, nil
}

// count returns the number of solutions under assumptions, or nil soon after more returns false; see [Oracle.CountWhile].
func (c *components) count(ctx context.Context, assume []cnf.Lit, more func(steps uint64, counted float64) bool) (*big.Int, error) {
	if err := c.problem.CheckAssumptions(assume); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	before := c.steps
	c.pause = func() error {
		if !more(c.steps-before, c.done) {
			return errLimit
		}
		return ctx.Err()
	}
	c.err = c.pause()
	c.share, c.done = 1, 0
	total := new(big.Int)
	if c.err == nil && c.Assume(assume) {
		all := component{vars: make([]cnf.Var, len(c.met)), rules: make([]int32, len(c.entered))}
		for i := range all.vars {
			all.vars[i] = cnf.Var(i + 1)
		}
		for i := range all.rules {
			all.rules[i] = int32(i)
		}
		total = c.product(all)
	}
	switch c.err {
	case errLimit:
		return nil, nil
	case nil:
		return total, nil
	}
	return nil, c.err
}

// product returns the number of ways to set those variables of a component that are open now.
func (c *components) product(of component) *big.Int {
	defer c.counted(c.done, c.share)
	defer func(parts, vars, rules int) {
		c.parts, c.partVar, c.partOf = c.parts[:parts], c.partVar[:vars], c.partOf[:rules]
	}(len(c.parts), len(c.partVar), len(c.partOf))
	parts, free := c.split(of)
	total := new(big.Int).Lsh(big.NewInt(1), uint(free))
	bound := 0
	for _, part := range parts {
		bound += len(part.vars)
	}
	each := c.share / float64(max(1, bound))
	for _, part := range parts {
		if total.Sign() != 0 {
			c.share = each * float64(len(part.vars))
			total.Mul(total, c.component(part))
		}
	}
	return total
}

// counted notes that a share of the count is done, all of it after from was. The two values of a variable have equal
// shares. Components have shares in proportion to their variables; one whose count is known is done at once.
func (c *components) counted(from, share float64) {
	if c.err == nil {
		c.done, c.share = from+share, share
	}
}

// split returns the components of those variables of a component that are open now, the smallest first. free is the number
// of open variables that no constraint binds, without auxiliary ones.
func (c *components) split(of component) (parts []component, free int) {
	c.round++
	first := len(c.parts)
	for _, v := range of.vars {
		if c.met[v-1] == c.round || !c.IsOpen(v.Pos()) {
			continue
		}
		c.vars, c.rules, c.met[v-1] = append(c.vars[:0], v), c.rules[:0], c.round
		for i := 0; i < len(c.vars); i++ {
			c.enter(c.vars[i].Pos())
			c.enter(c.vars[i].Neg())
		}
		c.steps += uint64(len(c.vars) + len(c.rules))
		at := int32(len(c.parts) - first)
		switch {
		case len(c.rules) > 0:
			n := len(c.rules)
			lists := take(&c.partOf, 2*n)
			part := component{long: c.rules[0], vars: take(&c.partVar, len(c.vars)), rules: lists[:0:n], begun: lists[n : n : 2*n]}
			for _, i := range c.rules {
				c.holds[i] = at
				if c.Open(int(i)) > c.Open(int(part.long)) {
					part.long = i
				}
			}
			c.parts = append(c.parts, part)
		case v <= c.own:
			free++
			fallthrough
		default:
			at = -1
		}
		for _, v := range c.vars {
			c.within[v-1] = at
		}
	}
	parts = c.parts[first:]
	c.fill(parts, of)
	slices.SortStableFunc(parts, func(a, b component) int { return len(a.vars) - len(b.vars) })
	return parts, free
}

// take returns an empty slice with room for n entries. It cuts it from the memory, or from a new one if too little is left.
func take[T any](memory *[]T, n int) []T {
	at := len(*memory)
	if at+n > cap(*memory) {
		*memory = make([]T, at, 2*(at+n))
	}
	*memory = (*memory)[:at+n]
	return (*memory)[at : at : at+n]
}

// fill distributes a component's variables and constraints over its parts, and keeps their sequence.
func (c *components) fill(parts []component, of component) {
	if len(parts) == 0 {
		return
	}
	for _, v := range of.vars {
		if at := c.within[v-1]; c.met[v-1] == c.round && at >= 0 {
			parts[at].vars = append(parts[at].vars, v)
		}
	}
	for _, i := range of.rules {
		if c.entered[i] != c.round {
			continue
		}
		part := &parts[c.holds[i]]
		part.rules = append(part.rules, i)
		if c.Open(int(i)) == len(c.problem.Constraints[i].Lits) {
			continue
		}
		if held := c.Held(int(i)); held > 0 { // only one that counts beyond one binds with a true literal
			part.held = append(part.held, int32(len(part.begun)), int32(held))
		}
		part.begun = append(part.begun, i)
	}
}

// enter adds the constraints that contain a literal and still bind, and their open variables, to the
// component.
func (c *components) enter(l cnf.Lit) {
	for _, i := range c.Of(l) {
		if c.entered[i] == c.round || c.off[i] || !c.Binds(int(i)) {
			continue
		}
		c.entered[i] = c.round
		c.rules = append(c.rules, i)
		for _, l := range c.problem.Constraints[i].Lits {
			if v := l.Var(); c.met[v-1] != c.round && c.IsOpen(l) {
				c.met[v-1] = c.round
				c.vars = append(c.vars, v)
			}
		}
	}
}

// component returns the number of ways to set the variables of a component. Auxiliary variables are set
// last, and only until one way is found.
func (c *components) component(part component) *big.Int {
	defer c.counted(c.done, c.share)
	if len(part.rules) == 1 && slices.Max(part.vars) <= c.own && c.problem.Constraints[part.long].Weights == nil {
		rest := c.Rest(int(part.long))
		return assignments(len(rest.Lits), rest.Least, rest.Most)
	}
	c.key = ascending(c.key[:0], part.vars)
	c.key = ascending(append(c.key, 0), part.begun)
	if part.held != nil {
		c.key = append(c.key, 0)
		for _, n := range part.held {
			c.key = binary.AppendUvarint(c.key, uint64(n))
		}
	}
	if count, has := c.known[string(c.key)]; has {
		return count
	}
	key := string(c.key)
	total := c.apart(part)
	if total == nil {
		total = c.branch(part)
	}
	if c.err == nil {
		if c.bytes += len(key) + 8*len(total.Bits()) + 128; c.bytes > c.most {
			clear(c.known)
			c.bytes = 0
		}
		c.known[key] = total
	}
	return total
}

// branch counts a component by setting a variable to both values.
func (c *components) branch(part component) *big.Int {
	total, v := new(big.Int), c.choice(part.vars)
	half := c.share / 2
	for _, l := range [2]cnf.Lit{v.Pos(), v.Neg()} {
		if v > c.own && total.Sign() > 0 || !c.goOn() {
			break
		}
		length := c.Len()
		if c.share = half; c.Add(l) {
			total.Add(total, c.product(part))
		} else {
			c.done += half
		}
		c.Undo(length)
	}
	return total
}

// longClause is the number of open literals from which on a constraint may be answered apart.
const longClause = 16

// apart counts a component that splits without its longest constraint, a clause: as many ways as there are without
// the clause, less those in which all its literals are false. The cost is proportional to the clause's length. Branching
// costs its square, since it looks at the rest of the clause after each literal. apart returns nil if it does not apply.
func (c *components) apart(part component) *big.Int {
	if open := c.Open(int(part.long)); open < c.least || 4*open < len(part.vars) || slices.Max(part.vars) > c.own {
		return nil
	}
	rest := c.Rest(int(part.long))
	in := make(map[cnf.Var]cnf.Lit, len(rest.Lits))
	for _, l := range rest.Lits {
		in[l.Var()] = l
	}
	if !rest.IsClause() || len(in) < len(rest.Lits) {
		return nil
	}
	c.off[part.long] = true
	defer func() { c.off[part.long] = false }()
	pieces, free := c.split(part) // a free variable is in no other constraint, so in the clause
	falses := make([][]cnf.Lit, len(pieces))
	for i, piece := range pieces {
		for _, v := range piece.vars {
			if l, has := in[v]; has {
				falses[i] = append(falses[i], l.Not())
			}
		}
		if len(rest.Lits)-len(falses[i]) < 2 { // with fewer elsewhere, setting these would set literals of other pieces
			return nil
		}
	}
	all, none := new(big.Int).Lsh(big.NewInt(1), uint(free)), big.NewInt(1)
	each := c.share / float64(2*max(1, len(pieces)))
	for i, piece := range pieces {
		if !c.goOn() {
			break
		}
		c.share = each
		all.Mul(all, c.component(piece))
		length, consistent := c.Len(), none.Sign() != 0
		for _, l := range falses[i] {
			consistent = consistent && c.Add(l)
		}
		if consistent {
			none.Mul(none, c.product(piece))
		} else {
			none.SetInt64(0)
		}
		c.Undo(length)
	}
	return all.Sub(all, none)
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
func (c *components) choice(vars []cnf.Var) cnf.Var {
	best := vars[0]
	for _, v := range vars {
		if (v > c.own) == (best > c.own) && c.place[v-1] < c.place[best-1] {
			best = v
		}
	}
	return best
}

// goOn returns false if the context or the limit has ended the count.
func (c *components) goOn() bool {
	if c.steps-c.checked >= 1<<14 {
		c.checked = c.steps
		c.err = c.pause()
	}
	return c.err == nil
}

// assignments returns in how many ways from least to most of n literals are true. A constraint that is alone needs no
// search, which would look at the literals that are left after each one.
func assignments(n, least, most int) *big.Int {
	if most >= n && least > 0 { // few may be false
		all := new(big.Int).Lsh(big.NewInt(1), uint(n))
		return all.Sub(all, assignments(n, 0, least-1))
	}
	total, chosen := new(big.Int), big.NewInt(1) // the ways to choose k of them
	for k := 0; k <= min(most, n); k++ {
		if k >= least {
			total.Add(total, chosen)
		}
		chosen.Div(chosen.Mul(chosen, big.NewInt(int64(n-k))), big.NewInt(int64(k+1)))
	}
	return total
}
