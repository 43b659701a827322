package order

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"queens/encode"
)

var minFill = Named{
	Name: "min-fill",
	Reason: "variables that separate the problem first: its elimination tree by the min-fill rule, " +
		"from the root down, the smallest branch first",
	variables: func(ctx context.Context, p encode.Problem) (Order, error) {
		s, err := Separate(ctx, p, MostNeighbours)
		return s.Order, err
	},
}

// Separation is the order of the rule min-fill with a bound of the cliques.
type Separation struct {
	Order  Order
	Wide   int    // number of variables with more neighbours, which come first, by number
	Depth  int    // of the elimination tree, with these
	Visits uint64 // neighbours that were looked at to find it
}

// Separate returns the order min-fill with another bound of the cliques, in variables. The work grows at most with the bound's
// square.
func Separate(ctx context.Context, p encode.Problem, most int) (s Separation, err error) {
	g := openGraph(p)
	e, err := newElimination(ctx, g, most)
	if err != nil {
		return s, err
	}
	sequence, wide, depth, err := e.sequence(ctx, g, rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return s, err
	}
	return Separation{g.order(p, sequence), wide, depth, e.visits}, nil
}

// minFilled returns the sequence of a new elimination of at most [MostNeighbours].
func minFilled(ctx context.Context, g *graph, rng *rand.Rand) ([]int32, error) {
	e, err := newElimination(ctx, g, MostNeighbours)
	if err != nil {
		return nil, err
	}
	sequence, _, _, err := e.sequence(ctx, g, rng)
	return sequence, err
}

// sequence returns a sequence of the variables that follows the elimination tree of the constraint
// graph, in which two variables are neighbours if they share a constraint. Eliminating a variable makes
// its neighbours a clique; the min-fill rule takes a variable for which this adds the fewest edges
// (Kjaerulff, Triangulation of graphs, 1990) and breaks ties at random. A variable's parent in the tree
// is the neighbour that is eliminated next. Every constraint lies on a path from the root, so the
// variables above a branch separate it from the other branches. When only variables with too many
// neighbours are left, no tree helps: they come first, by number.
//
// The smallest branch comes first. While a branch is decided, the diagram must also remember the
// variables above on which later siblings depend; the largest branch comes last and has no later
// siblings. Largest first makes the ROBDD 1.3 to 12 times as large on generated problems with shuffled
// variables that compile in 6 s (medians of three, in nodes, smallest first and largest first: features
// of 100 variables 658 and 3,784, of 300 12,350 and 59,454; local of 100 81,316 and 154,591, of 300
// 183,713 and 669,668). Grids and random 3-SAT, which have no such tree, show no difference.
func (e *elimination) sequence(ctx context.Context, g *graph, rng *rand.Rand) (sequence []int32, wide, depth int, err error) {
	root := int32(len(g.vars))
	var eliminated []int32
	after := make([][]int32, len(g.vars)) // by variable: its neighbours when it was eliminated
	place := slices.Repeat([]int32{root}, len(g.vars))
	for v := e.next(rng); v >= 0; v = e.next(rng) {
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
		place[v] = int32(len(eliminated))
		eliminated = append(eliminated, v)
		after[v] = e.eliminate(v)
	}
	sequence = make([]int32, 0, len(g.vars))
	for v, place := range place {
		if place == root {
			sequence = append(sequence, int32(v))
		}
	}
	children := make([][]int32, len(g.vars)+1)
	size := make([]int32, len(g.vars))
	for _, v := range eliminated {
		size[v]++
		parent, next := root, root
		for _, a := range after[v] {
			if place[a] < next {
				parent, next = a, place[a]
			}
		}
		if parent != root {
			size[parent] += size[v]
		}
		children[parent] = append(children[parent], v)
	}
	wide, depth = len(sequence), len(sequence)
	depths := slices.Repeat([]int{wide}, len(g.vars)+1) // of the root; below it, one more than its parent's
	stack := []int32{root}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v != root {
			sequence = append(sequence, v)
		}
		for _, child := range children[v] {
			depths[child] = depths[v] + 1
			depth = max(depth, depths[child])
		}
		slices.SortStableFunc(children[v], func(a, b int32) int { return cmp.Compare(size[b], size[a]) })
		stack = append(stack, children[v]...)
	}
	return sequence, wide, depth, nil
}

// elimination is the graph of the variables not yet eliminated. It updates their fills edge by edge.
//
// A variable with more than the bound of neighbours is wide: it cannot be the next one. One with more than ten times the bound is
// a hub until it is no longer wide: its fill is not kept, and no step walks along its neighbours, except when two hubs
// become neighbours. So the work for an edge is bounded however many constraints a variable is in. Most wide variables
// have few more neighbours than others; looking up pairs of them costs ten times as much as walking.
type elimination struct {
	most       int                   // the bound
	visits     uint64                // neighbours that were looked at
	neighbours [][]int32             // by variable; those of a hub include eliminated variables
	degree     []int32               // by variable: the number of its neighbours
	wide       []bool                // by variable: it had more neighbours than the bound when it was queued last, or has since
	fill       []int32               // by variable: how many edges eliminating it adds, or hub or eliminated
	hubs       map[[2]int32]struct{} // pairs of neighbours that were both hubs, the smaller first
	queue      [][]int32             // by fill: variables that have or had that fill
	least      int                   // no variable of a smaller fill is queued
	mark       []int32               // by variable: the last visit that marked it
	visit      int32
	met        []int32 // by variable: the last join that met it
	joins      int32
	changed    []int32 // variables to queue again
	dirty      []bool  // by variable: it is in changed
}

// Values of fill that are no number of edges.
const (
	eliminated = -1
	hub        = -2
)

// MostNeighbours bounds the cliques of the order min-fill: a diagram that must remember more variables at a place is too large
// in any order. A constraint of more variables only links each one to the next.
const MostNeighbours = 40

func newElimination(ctx context.Context, g *graph, most int) (*elimination, error) {
	n := len(g.vars)
	e := &elimination{
		most: most, neighbours: make([][]int32, n), degree: make([]int32, n), wide: make([]bool, n), fill: make([]int32, n),
		hubs: make(map[[2]int32]struct{}), met: make([]int32, n),
		queue: make([][]int32, most*(most-1)/2+1), mark: make([]int32, n), dirty: make([]bool, n),
	}
	for _, edge := range g.edges {
		for i, a := range edge {
			from := 0
			if len(edge) > most {
				from = max(0, i-1)
			}
			for _, b := range edge[from:i] {
				e.neighbours[a] = append(e.neighbours[a], b)
				e.neighbours[b] = append(e.neighbours[b], a)
			}
		}
	}
	for v, of := range e.neighbours {
		slices.Sort(of)
		e.neighbours[v] = slices.Compact(of)
		e.degree[v] = int32(len(e.neighbours[v]))
		e.widen(int32(v))
	}
	for v := range int32(n) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e.fill[v] != hub {
			e.fill[v] = e.absent(e.neighbours[v])
			e.push(v)
		}
	}
	return e, nil
}

// see marks variables, and seen counts how many are marked.
func (e *elimination) see(vars []int32) {
	e.visit++
	for _, v := range vars {
		e.mark[v] = e.visit
	}
}

func (e *elimination) seen(vars []int32) int32 {
	count := int32(0)
	for _, v := range vars {
		if e.mark[v] == e.visit {
			count++
		}
	}
	return count
}

// adjacent reports whether two variables are neighbours. The neighbours of a must be marked unless it is a hub.
func (e *elimination) adjacent(a, b int32) bool {
	if e.fill[a] != hub {
		return e.mark[b] == e.visit
	}
	if e.fill[b] != hub {
		return slices.Contains(e.neighbours[b], a)
	}
	_, ok := e.hubs[[2]int32{min(a, b), max(a, b)}]
	return ok
}

// absent returns how many pairs of the variables are not neighbours.
func (e *elimination) absent(vars []int32) int32 {
	e.see(vars)
	e.visits += uint64(len(vars))
	twice := 0 // the pairs that are neighbours
	for i, a := range vars {
		if e.fill[a] != hub {
			for _, b := range e.neighbours[a] {
				switch {
				case e.mark[b] != e.visit:
				case e.fill[b] == hub: // this pair is met once
					twice += 2
				default:
					twice++
				}
			}
			continue
		}
		for _, b := range vars[:i] {
			if e.fill[b] == hub && e.adjacent(a, b) {
				twice += 2
			}
		}
	}
	return int32((len(vars)*(len(vars)-1) - twice) / 2)
}

// widen makes a variable wide or a hub if it has enough neighbours.
func (e *elimination) widen(v int32) {
	e.wide[v] = e.wide[v] || int(e.degree[v]) > e.most
	if e.fill[v] == hub || int(e.degree[v]) <= 10*e.most {
		return
	}
	e.fill[v] = hub
	for _, a := range e.neighbours[v] {
		if e.fill[a] == hub {
			e.hubs[[2]int32{min(a, v), max(a, v)}] = struct{}{}
		}
	}
}

// alive returns a variable's neighbours.
func (e *elimination) alive(v int32) []int32 {
	if len(e.neighbours[v]) > int(e.degree[v]) {
		e.neighbours[v] = slices.DeleteFunc(e.neighbours[v], func(a int32) bool { return e.fill[a] == eliminated })
	}
	return e.neighbours[v]
}

// push queues a variable under its fill unless it is wide.
func (e *elimination) push(v int32) {
	if int(e.degree[v]) > e.most {
		return
	}
	e.wide[v] = false
	if e.fill[v] == hub {
		e.fill[v] = e.absent(e.alive(v))
	}
	fill := int(e.fill[v])
	e.queue[fill] = append(e.queue[fill], v)
	e.least = min(e.least, fill)
}

// next returns a variable with the least fill among those that are not wide, or -1 if there is none.
func (e *elimination) next(rng *rand.Rand) int32 {
	for ; e.least < len(e.queue); e.least++ {
		for of := e.queue[e.least]; len(of) > 0; {
			i, last := rng.IntN(len(of)), len(of)-1
			v := of[i]
			of[i], of = of[last], of[:last]
			e.queue[e.least] = of
			if int(e.fill[v]) == e.least && !e.wide[v] {
				return v
			} // otherwise it is eliminated or a hub, or queued again elsewhere
		}
	}
	return -1
}

// eliminate removes a variable, makes its neighbours a clique, and returns them.
func (e *elimination) eliminate(v int32) []int32 {
	of := e.neighbours[v]
	e.fill[v] = eliminated
	e.see(of)
	for _, a := range of {
		e.degree[a]--
		if e.fill[a] != hub { // pairs of v and a neighbour of a no longer count in a's fill
			e.neighbours[a] = slices.DeleteFunc(e.neighbours[a], func(b int32) bool { return b == v })
			e.fill[a] -= e.degree[a] - e.seen(e.neighbours[a])
		}
		e.change(a)
	}
	for i, a := range of {
		if e.fill[a] != hub {
			e.see(e.neighbours[a])
		}
		for _, b := range of[:i] {
			if !e.adjacent(a, b) {
				e.join(a, b)
			}
		}
	}
	for _, a := range e.changed {
		if e.dirty[a] {
			e.dirty[a] = false
			e.push(a)
		}
	}
	e.changed = e.changed[:0]
	return of
}

// join makes a and b neighbours. The neighbours of a must be marked unless it is a hub.
func (e *elimination) join(a, b int32) {
	walk, other := b, a
	if e.wide[b] && (!e.wide[a] || e.degree[a] < e.degree[b]) {
		walk, other = a, b
	}
	marks, visit := e.mark, e.visit
	if other == b && e.fill[b] != hub {
		e.joins++
		marks, visit = e.met, e.joins
		for _, c := range e.neighbours[b] {
			e.met[c] = e.joins
		}
	}
	e.visits += uint64(len(e.neighbours[walk]))
	common, looked := int32(0), e.fill[other] == hub
	both := looked && e.fill[walk] == hub
	for _, c := range e.alive(walk) {
		switch {
		case !looked && marks[c] != visit, both && e.fill[c] == hub: // no fill depends on two hubs and a third
			continue
		case looked && !e.adjacent(other, c):
			continue
		}
		common++
		if e.fill[c] != hub {
			e.fill[c]--
			e.change(c)
		}
	}
	e.mark[b] = e.visit
	e.link(a, b, common)
	e.link(b, a, common)
	if both {
		e.hubs[[2]int32{min(a, b), max(a, b)}] = struct{}{}
	}
}

// link adds b to the neighbours of a. They have the given number of neighbours in common.
func (e *elimination) link(a, b, common int32) {
	if e.fill[a] != hub {
		e.fill[a] += e.degree[a] - common
	}
	e.neighbours[a] = append(e.neighbours[a], b)
	e.degree[a]++
	e.widen(a)
}

func (e *elimination) change(v int32) {
	if !e.dirty[v] {
		e.dirty[v] = true
		e.changed = append(e.changed, v)
	}
}
