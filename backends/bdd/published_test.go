package bdd

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"queens/robdd"
)

// NDD's table of packages (results/nqueens_metrics.csv) has n - 1 more live nodes for DD-BDD than for
// all others. DD-BDD has complement edges; with low edges regular, and a node counted once with and
// once without the mark where both occur, constants included, our diagrams have as many.
func TestComplementedReferences(t *testing.T) {
	for n, want := range map[int]int{4: 32, 5: 171, 6: 134, 7: 1105, 8: 2458, 9: 9565, 10: 25954} {
		d := robddOf(t, compile(t, problem(t, n, nil, nil), named(t, "row-major", n), Options{}))
		assert.Equal(t, want, references(d), "n = %d", n)
		assert.Equal(t, d.Len()+n-1, references(d), "n = %d", n)
	}
}

// reference is an edge: a node or the constant true, and whether it is complemented.
type reference struct {
	node       uint32
	complement bool
}

// marked is a node under complement edges.
type marked struct {
	level     int
	low, high reference
}

// references counts the distinct edges of the diagram's complement-edge form, its root included.
func references(d *robdd.Diagram) int {
	of := map[uint32]reference{0: {1, true}, 1: {1, false}}
	ids, nodes := map[marked]uint32{}, map[uint32]marked{}
	for level := d.Vars() - 1; level >= 0; level-- {
		first, end := d.Level(level)
		for id := first; id < end; id++ {
			m := marked{level, of[d.Node(id).Low], of[d.Node(id).High]}
			flip := m.low.complement
			m.low.complement, m.high.complement = false, m.high.complement != flip
			node, known := ids[m]
			if !known {
				node = id
				ids[m], nodes[id] = id, m
			}
			of[id] = reference{node, flip}
		}
	}
	seen := map[reference]bool{}
	var visit func(reference)
	visit = func(r reference) {
		if seen[r] {
			return
		}
		seen[r] = true
		if r.node > 1 {
			visit(nodes[r.node].low)
			visit(nodes[r.node].high)
		}
	}
	visit(of[d.Root()])
	return len(seen)
}
