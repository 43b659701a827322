package robdd

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// chained is a node of a chain-reduced BDD as Bryant defines it, by its levels and
// children.
type chained struct{ top, bottom, low, high int }

// chainReduced builds the chain-reduced BDD of a function from its truth table, by the
// definition, without a plain diagram in between, and counts its nodes.
func chainReduced(d *Diagram, table []bool) int {
	ids := map[chained]int{} // from 2: 0 and 1 are the terminals
	nodes := []chained{{}, {}}
	var build func(level, assignment int) int
	build = func(level, assignment int) int {
		if level == len(d.order) {
			if table[assignment] {
				return 1
			}
			return 0
		}
		n := chained{level, level, build(level+1, assignment), build(level+1, assignment|1<<(d.order[level]-1))}
		if n.low == n.high {
			return n.low
		}
		if n.low > 1 {
			if below := nodes[n.low]; below.top == level+1 && below.high == n.high {
				n.bottom, n.low = below.bottom, below.low
			}
		}
		id, known := ids[n]
		if !known {
			id = len(nodes)
			ids[n], nodes = id, append(nodes, n)
		}
		return id
	}
	reached := map[int]bool{}
	var visit func(id int)
	visit = func(id int) {
		if id > 1 && !reached[id] {
			reached[id] = true
			visit(nodes[id].low)
			visit(nodes[id].high)
		}
	}
	visit(build(0, 0))
	return len(reached)
}

func TestChainReducedIsBryants(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	shorter := 0
	for range 2000 {
		d, table := randomDiagram(t, r, 1+r.IntN(7))
		want := chainReduced(d, table)
		assert.Equal(t, want, d.ChainReduced(), "%v", table)
		if want < d.Len() {
			shorter++
		}
	}
	assert.Greater(t, shorter, 100, "hardly any diagram has a chain")
}
