package order

import (
	"cmp"
	"container/heap"
	"math/rand/v2"
	"slices"

	"queens/encode"
)

var minFill = Named{
	Name: "min-fill",
	Reason: "variables that separate the problem first: its elimination tree by the min-fill rule, " +
		"from the root down, the smallest branch first",
	variables: func(p encode.Problem) Order {
		g := openGraph(p)
		return g.order(p, g.minFill(rand.New(rand.NewPCG(0, 0))))
	},
}

// minFill returns the variables by the elimination tree of the constraint graph, in which two
// variables are neighbours if they share a constraint. Eliminating a variable makes its
// neighbours a clique; the min-fill rule takes a variable for which this adds the fewest edges
// (Kjaerulff, Triangulation of graphs, 1990), ties by chance. A variable's parent in the tree
// is the neighbour that is eliminated next. Every constraint lies on a path from the root, so
// the variables above a branch separate it from the others. When only variables with many
// neighbours are left, no tree helps: they come first, by number.
func (g *graph) minFill(rng *rand.Rand) []int32 {
	e := newElimination(g, rng)
	root := int32(len(g.vars))
	var eliminated []int32
	after := make([][]int32, len(g.vars)) // by variable: its neighbours when it was eliminated
	place := slices.Repeat([]int32{root}, len(g.vars))
	for range g.vars {
		v := e.next()
		if len(e.neighbours[v]) > mostNeighbours {
			break
		}
		place[v] = int32(len(eliminated))
		eliminated = append(eliminated, v)
		after[v] = e.eliminate(v)
	}
	sequence := make([]int32, 0, len(g.vars))
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
	stack := []int32{root}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v != root {
			sequence = append(sequence, v)
		}
		slices.SortStableFunc(children[v], func(a, b int32) int { return cmp.Compare(size[b], size[a]) })
		stack = append(stack, children[v]...)
	}
	return sequence
}

// elimination is the graph of the variables not yet eliminated.
type elimination struct {
	neighbours [][]int32
	fill       []int   // by variable: the edges that eliminating it adds; -1 once it is gone
	chance     []int32 // by variable: breaks ties
	queue      candidates
	mark       []int32 // by variable: the last visit
	visit      int32
}

// mostNeighbours bounds the cliques: a diagram that has to remember more variables at a place
// is out of reach, whatever the order. A constraint of more variables makes a path of them.
const mostNeighbours = 40

func newElimination(g *graph, rng *rand.Rand) *elimination {
	n := len(g.vars)
	e := &elimination{
		neighbours: make([][]int32, n), fill: make([]int, n), chance: make([]int32, n), mark: make([]int32, n),
	}
	for i, place := range rng.Perm(n) {
		e.chance[i] = int32(place)
	}
	for _, edge := range g.edges {
		for i, a := range edge {
			from := 0
			if len(edge) > mostNeighbours {
				from = max(0, i-1)
			}
			for _, b := range edge[from:i] {
				e.neighbours[a] = append(e.neighbours[a], b)
				e.neighbours[b] = append(e.neighbours[b], a)
			}
		}
	}
	for v := range e.neighbours {
		slices.Sort(e.neighbours[v])
		e.neighbours[v] = slices.Compact(e.neighbours[v])
	}
	for v := range e.neighbours {
		e.count(int32(v))
	}
	return e
}

// count computes a variable's fill and queues it.
func (e *elimination) count(v int32) {
	of := e.neighbours[v]
	fill := len(of) * (len(of) - 1) / 2
	if len(of) <= mostNeighbours {
		e.visit++
		for _, a := range of {
			e.mark[a] = e.visit
		}
		twice := 0
		for _, a := range of {
			for _, b := range e.neighbours[a] {
				if e.mark[b] == e.visit {
					twice++
				}
			}
		}
		fill -= twice / 2
	}
	e.fill[v] = fill
	heap.Push(&e.queue, candidate{v, fill, e.chance[v]})
}

// next returns a variable with the least fill.
func (e *elimination) next() int32 {
	for {
		c := heap.Pop(&e.queue).(candidate)
		if e.fill[c.v] == c.fill { // otherwise it is gone, or was queued again
			return c.v
		}
	}
}

// eliminate removes a variable, joins its neighbours, and returns them.
func (e *elimination) eliminate(v int32) []int32 {
	of := e.neighbours[v]
	filled := e.fill[v] > 0
	e.fill[v] = -1
	var changed []int32
	for _, a := range of {
		e.visit++
		e.mark[a], e.mark[v] = e.visit, e.visit
		kept := e.neighbours[a][:0]
		for _, b := range e.neighbours[a] {
			if e.mark[b] = e.visit; b != v {
				kept = append(kept, b)
			}
		}
		for _, b := range of {
			if e.mark[b] != e.visit {
				kept = append(kept, b)
			}
		}
		e.neighbours[a] = kept
		changed = append(changed, a)
	}
	if filled { // a new edge may join two neighbours of any neighbour
		for _, a := range of {
			changed = append(changed, e.neighbours[a]...)
		}
	}
	slices.Sort(changed)
	for _, a := range slices.Compact(changed) {
		e.count(a)
	}
	return of
}

// candidate is a variable with the fill it had when it was queued.
type candidate struct {
	v      int32
	fill   int
	chance int32
}

// candidates is a heap, the least fill first.
type candidates []candidate

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].fill, c[j].fill), cmp.Compare(c[i].chance, c[j].chance)) < 0
}
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
