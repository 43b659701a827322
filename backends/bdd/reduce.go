package bdd

import (
	"context"
	"math"
	"reflect"
	"slices"

	"queens/backends"
	"queens/order"
	"queens/robdd"
)

// graph is the top-down result of free-set: states, each a function that is not yet known, and the
// choices that each of them leaves. Reducing it from the bottom up makes the ZDD.
type graph struct {
	ctx     context.Context
	order   order.Order
	budget  *budget
	choices []series[choice] // by level
	// slots[c] has an entry for each state of chunk c: first a reference to the low child of the last
	// choice, then the node of the choices reduced so far.
	slots    []*[chunkSize]uint32
	distinct distinct

	edges []robdd.Node // of the choices of the level being reduced
	heads []uint32     // by choice: the first choice with the same edges
	next  uint32       // the next id
}

// choice is a variable that is true and is the first one in its state.
type choice struct {
	state uint32 // a reference; lastChoice is set on its last choice, if low of that is not false
	high  uint32 // a reference
}

// A reference is 0 for false, 1 for true, or the number of a state. States are numbered by chunk; chunk
// 0 is not used.
const (
	chunkBits  = 6
	chunkSize  = 1 << chunkBits        // the number of bits in chunk.firsts
	maxChunks  = 1 << (31 - chunkBits) // one bit of a reference is reserved for lastChoice
	lastChoice = 1 << 31
	slab       = 8 // chunks that are allocated together
)

// newGraph makes an empty graph.
func newGraph(ctx context.Context, o order.Order, options Options) graph {
	return graph{
		ctx: ctx, order: o, choices: make([]series[choice], len(o)), slots: make([]*[chunkSize]uint32, 1),
		budget:   &budget{limit: options.MaxBytes, progress: options.Progress},
		distinct: distinct{workers: options.workers()}, next: 2,
	}
}

// chunk is a part of a series; it may be partly filled.
type chunk[T any] struct {
	items  *[chunkSize]T // nil once states have been expanded
	firsts uint64        // of expanded states: the arrivals that are the first of their state
	id     uint32        // of states
	len    uint32
}

// series holds the choices or the states of a level. The chunk being filled is kept apart from the
// others, so that each worker writes its items to its own memory.
type series[T any] struct {
	chunks []chunk[T]
	open   chunk[T]
}

// close moves the chunk being filled, if there is one, to the other chunks.
func (s *series[T]) close() {
	if s.open.len > 0 {
		s.chunks = append(s.chunks, s.open)
		s.open = chunk[T]{}
	}
}

// append moves the content of another series to the end of s.
func (s *series[T]) append(other *series[T]) {
	if other.close(); len(other.chunks) > 0 { // most levels have none
		s.close()
		s.chunks = append(s.chunks, other.chunks...)
		clear(other.chunks)
		other.chunks = other.chunks[:0]
	}
}

// add adds an item. It takes memory for another chunk if the open one is full.
func (s *series[T]) add(item T, from *spare[T], b *budget) error {
	if s.open.len%chunkSize == 0 {
		s.close()
		items, err := from.take(b)
		if err != nil {
			return err
		}
		s.open.items = items
	}
	s.open.items[s.open.len] = item
	s.open.len++
	return nil
}

// spare is memory for chunks.
type spare[T any] []*[chunkSize]T

// take takes the memory of a chunk.
func (sp *spare[T]) take(b *budget) (*[chunkSize]T, error) {
	if len(*sp) == 0 {
		if err := b.take(slab * chunkSize * int64(reflect.TypeFor[T]().Size())); err != nil {
			return nil, err
		}
		fresh := make([][chunkSize]T, slab)
		for i := range fresh {
			*sp = append(*sp, &fresh[i])
		}
	}
	last := len(*sp) - 1
	items := (*sp)[last]
	*sp = (*sp)[:last]
	return items, nil
}

// reduce turns choices into nodes from the bottom up and merges those with the same children. A choice
// whose high child is false is replaced by its low child. reduce calls reduced after each level.
func (g *graph) reduce(root uint32, reduced func(level int)) (*robdd.Diagram, error) {
	vars := variables(g.order)
	first := append(make([]uint32, 0, len(vars)+1), 2)
	levels := make([][]robdd.Node, 0, len(vars)) // the nodes, from the bottom up
	for level := range slices.Backward(g.choices) {
		if err := g.ctx.Err(); err != nil {
			return nil, err
		}
		nodes, err := g.level(&g.choices[level])
		if err != nil {
			return nil, err
		}
		reduced(level)
		levels = append(levels, nodes)
		first = append(first, g.next)
		g.budget.tell("upward, level", len(vars)-level, len(vars), uint64(g.next-2), "nodes")
	}
	nodes := make([]robdd.Node, g.next-2)
	for h := range levels {
		copy(nodes[first[h]-2:], levels[h])
		levels[h] = nil
	}
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, g.node(root))
}

// node returns the node for a reference.
func (g *graph) node(ref uint32) uint32 {
	if ref < 2 {
		return ref
	}
	return g.slots[ref>>chunkBits][ref%chunkSize]
}

// low returns the slot of a choice's state. The state's choices on lower levels have
// already been reduced.
func (g *graph) low(c choice) *uint32 {
	state := c.state &^ lastChoice
	return &g.slots[state>>chunkBits][state%chunkSize]
}

// level makes the nodes of a level.
func (g *graph) level(choices *series[choice]) ([]robdd.Node, error) {
	choices.close()
	all := choices.chunks
	n := len(all) * chunkSize
	if n > len(g.edges) {
		if err := g.budget.take(int64(n-len(g.edges)) * 12); err != nil {
			return nil, err
		}
		g.edges, g.heads = make([]robdd.Node, n), make([]uint32, n)
	}
	different, err := g.distinct.find(n, g.budget, g.heads, func(from, to int, into []uint64) {
		for i := range into {
			into[i] = 0
			chunk := &all[(from+i)/chunkSize]
			if i%chunkSize >= int(chunk.len) {
				continue
			}
			c := chunk.items[i%chunkSize]
			low := g.low(c)
			if c.state >= lastChoice {
				*low = g.node(*low)
			}
			e := robdd.Node{Low: *low, High: g.node(c.high)}
			g.edges[from+i] = e
			if e.High != 0 {
				h := (uint64(e.Low)<<32 | uint64(e.High)) * mix1
				into[i] = max(1, (h^h>>32)*mix2)
			}
		}
	}, func(i, k int) bool { return g.edges[i] == g.edges[k] })
	if err != nil {
		return nil, err
	}
	if most := uint64(math.MaxUint32); uint64(g.next)+uint64(different) > most {
		return nil, &backends.LimitError{What: "nodes", Limit: int64(most), Want: int64(g.next) + int64(different)}
	}
	if err := g.budget.take(int64(different) * 16); err != nil { // including the copy that reduce makes
		return nil, err
	}
	nodes := make([]robdd.Node, different)
	g.number(all, nodes)
	g.next += uint32(different)
	g.budget.give(int64(len(all)) * chunkSize * 8)
	choices.chunks = nil
	return nodes, nil
}

// number numbers the different nodes of a level in the order of their first choices, and stores for each
// choice the number of its node.
func (g *graph) number(all []chunk[choice], nodes []robdd.Node) {
	numbers := g.distinct.hashes // a first choice's entry becomes its node's number
	next := 0
	for i := range len(all) * chunkSize {
		if numbers[i] == 0 {
			continue
		}
		first := g.heads[i]
		if first == uint32(i) {
			nodes[next], numbers[i] = g.edges[i], uint64(next)
			next++
		}
		*g.low(all[i/chunkSize].items[i%chunkSize]) = g.next + uint32(numbers[first])
	}
}
