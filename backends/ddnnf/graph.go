package ddnnf

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// Graph is a problem's solutions as a d-DNNF: a directed graph without cycles whose nodes stand for sets of
// assignments.
//
//   - A leaf says that from least to most of its literals are true. A conjunction of n literals is "n of n", n free
//     variables are "0 to n", and a clause is "1 to n".
//   - The children of an *and* share no variable (it is decomposable), so their solutions are combined freely.
//   - The children of an *or* have the same variables (it is smooth) and no common solution (it is deterministic).
//
// Children come before their parents; the root is the last node. Every node has a solution, and is reached from the
// root. A node takes 5 bytes, and 4 for each child or literal; a leaf takes 8 more. See Darwiche and Marquis, "A
// knowledge compilation map", Journal of Artificial Intelligence Research 17, 2002, section 3. Leaves that count come
// from the constraints: as nodes that decide, one of n literals would take 2n of them. A Graph does not change, and
// goroutines may share it.
type Graph struct {
	problem encode.Problem
	kinds   []kind
	begins  []int32 // by node, and one more: where its words begin
	words   []int32 // of a leaf: least, most, its literals; of other nodes: their children
}

// kind is the kind of a node.
type kind uint8

const (
	and kind = iota
	or
	leaf
)

// Problem returns the problem whose solutions the graph holds.
func (g *Graph) Problem() encode.Problem { return g.problem }

// Len returns the number of nodes, leaves included. It is 0 if there is no solution.
func (g *Graph) Len() int { return len(g.kinds) }

// Edges returns the number of edges.
func (g *Graph) Edges() (edges int) {
	for i, k := range g.kinds {
		if k != leaf {
			edges += len(g.of(i))
		}
	}
	return edges
}

// Bytes returns the bytes that the graph takes.
func (g *Graph) Bytes() int64 {
	return int64(cap(g.kinds)) + 4*int64(cap(g.begins)+cap(g.words))
}

// of returns a node's words.
func (g *Graph) of(node int) []int32 { return g.words[g.begins[node]:g.begins[node+1]] }

// leaf returns what a leaf says.
func (g *Graph) leaf(node int) (least, most int32, lits []int32) {
	words := g.of(node)
	return words[0], words[1], words[2:]
}

// builder adds nodes to a Graph, each once.
type builder struct {
	Graph
	table []int32 // of nodes + 1 by hash, at most half full
}

// add returns the node of a kind with these words. It must have a solution; its children are there already.
func (b *builder) add(k kind, words []int32) int32 {
	if 2*(len(b.kinds)+1) > len(b.table) {
		b.table = make([]int32, max(1<<8, 2*len(b.table)))
		for i := range b.kinds {
			*b.slot(b.kinds[i], b.of(i)) = int32(i + 1)
		}
	}
	slot := b.slot(k, words)
	if *slot == 0 {
		if len(b.begins) == 0 {
			b.begins = append(b.begins, 0)
		}
		b.kinds, b.words = append(b.kinds, k), append(b.words, words...)
		b.begins = append(b.begins, int32(len(b.words)))
		*slot = int32(len(b.kinds))
	}
	return *slot - 1
}

// slot returns where the table has a node, or 0 if it has none.
func (b *builder) slot(k kind, words []int32) *int32 {
	hash := uint64(k)
	for _, w := range words {
		hash = (hash ^ uint64(uint32(w))) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	for at := hash; ; at++ {
		slot := &b.table[at&uint64(len(b.table)-1)]
		if node := int(*slot) - 1; node < 0 || b.kinds[node] == k && slices.Equal(b.of(node), words) {
			return slot
		}
	}
}

// both returns the conjunction of nodes without common variables. It uses the list.
func (b *builder) both(nodes []int32) int32 {
	always := b.add(and, nil)
	nodes = slices.DeleteFunc(nodes, func(node int32) bool { return node == always })
	switch len(nodes) {
	case 0:
		return always
	case 1:
		return nodes[0]
	}
	slices.Sort(nodes)
	return b.add(and, nodes)
}

// either returns the disjunction of nodes of the same variables without common solutions; none if there are no nodes.
// It uses the list.
func (b *builder) either(nodes []int32) int32 {
	switch len(nodes) {
	case 0:
		return none
	case 1:
		return nodes[0]
	}
	slices.Sort(nodes)
	return b.add(or, nodes)
}

// counted returns the leaf that says that from least to most of some literals are true.
func (b *builder) counted(least, most int, lits []cnf.Lit) int32 {
	if len(lits) == 0 {
		return b.add(and, nil)
	}
	words := append(make([]int32, 0, 16), int32(least), int32(min(most, len(lits))))
	for _, l := range lits {
		words = append(words, int32(l))
	}
	return b.add(leaf, words)
}

// none stands for a node without a solution.
const none int32 = -1

// under returns the graph of the nodes that a root reaches, in their sequence, in the builder's memory.
func (b *builder) under(root int32) *Graph {
	g := &b.Graph
	b.table = nil
	number := make([]int32, len(g.kinds)) // 0 if it is not reached
	if root != none {
		number[root] = 1
	}
	for i := root; i >= 0; i-- {
		if number[i] != 0 && g.kinds[i] != leaf {
			for _, child := range g.of(int(i)) {
				number[child] = 1
			}
		}
	}
	nodes, words := 0, int32(0)
	for i, reached := range number {
		if reached == 0 {
			continue
		}
		own := g.of(i)
		copy(g.words[words:], own)
		number[i], g.kinds[nodes], own = int32(nodes), g.kinds[i], g.words[words:int(words)+len(own)]
		if g.kinds[nodes] != leaf {
			for k, child := range own {
				own[k] = number[child]
			}
		}
		g.begins[nodes] = words // of at most i, whose end is read above
		nodes, words = nodes+1, words+int32(len(own))
	}
	if root == none {
		return &Graph{problem: g.problem}
	}
	g.begins[nodes] = words
	g.kinds, g.begins, g.words = slices.Clip(g.kinds[:nodes]), g.begins[:nodes+1], g.words[:words]
	return g
}
