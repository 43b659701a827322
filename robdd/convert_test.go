package robdd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// wideDiagram returns a random diagram with levels of up to 16,384 nodes: a binary tree, and below it
// levels in which every node has a parent. If skips is set, edges skip many levels; otherwise only edges
// to false do.
func wideDiagram(t *testing.T, kind Kind, skips bool, rng *rand.Rand) *Diagram {
	const width, tree = 1 << 14, 14
	nodes, first := []Node{}, []uint32{2}
	add := func(e Node) { nodes = append(nodes, e) }
	close := func() { first = append(first, uint32(len(nodes)+2)) }
	if kind == BDD {
		add(Node{0, 1})
	} else {
		add(Node{1, 1})
	}
	close()
	for h := 1; h < 8; h++ { // each node has one of the level below, in turn, as its high child
		lo, hi := first[h-1], first[h]
		met := map[Node]bool{}
		for i := range uint32(min(width, 8*(hi-lo))) {
			e := Node{Low: rng.Uint32N(hi), High: lo + i%(hi-lo)}
			for e.Low == e.High && (kind == BDD || skips) || !skips && e.Low != 0 && e.Low < lo {
				e.Low = rng.Uint32N(hi)
			}
			if kind == BDD && !skips && rng.IntN(2) == 0 {
				e = Node{Low: e.High} // redundant in a ZDD
			}
			if !met[e] {
				met[e] = true
				add(e)
			}
		}
		close()
	}
	for h := 0; h < tree; h++ {
		lo, hi := first[len(first)-2], first[len(first)-1]
		for ; lo < hi; lo += 2 {
			add(Node{lo, min(lo+1, hi-1)})
			if lo+1 == hi {
				nodes[len(nodes)-1].Low = 0
			}
		}
		close()
	}
	order := natural(len(first) - 1)
	d, err := NewDiagram(kind, order, first, nodes, uint32(len(nodes)+1))
	require.NoError(t, err)
	return d
}

// The diagram drawn is sound, has the predicted size, and converts back to the original.
func TestConvertWideDiagrams(t *testing.T) {
	ctx, seed := context.Background(), rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range 4 {
		kind, skips := Kind(i%2), i < 2
		hint := fmt.Sprintf("%v, skipping levels: %v, seed %d", kind, skips, seed)
		d := wideDiagram(t, kind, skips, rng)
		require.NoError(t, d.Check(), hint)
		other := d.Convert(1 - kind)
		require.NoError(t, other.Check(), hint)
		require.Equal(t, d.ConvertedLen(1-kind), other.Len(), hint)
		back := other.Convert(kind) // the nodes of chains are redundant
		require.True(t, d.Equal(back), hint)
		require.NoError(t, back.Check(), hint)
		for workers := 2; workers <= 5; workers++ {
			same, _, err := d.convert(ctx, 1-kind, 0, workers, 1+rng.IntN(100))
			require.NoError(t, err)
			require.Equal(t, other, same, "%d workers, %s", workers, hint)
		}
		ended, end := context.WithCancel(ctx)
		end()
		_, _, err := d.ConvertWithin(ended, 1-kind, 0, 1)
		require.ErrorIs(t, err, context.Canceled)
	}
}
