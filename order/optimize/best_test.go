package optimize

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// Every order of the table has the number of nodes that it states: the engine confirms it, and up to
// n = 11 a count from the listed solutions. None has more than row-major, and the proved ones have the
// minimum.
func TestBestOrders(t *testing.T) {
	most := 14
	if testing.Short() {
		most = 11
	}
	checkBest(t, 1, most)
}

func checkBest(t *testing.T, from, to int) {
	proved := map[int]Sizes{4: {23, 8}, 5: {145, 40}, 6: {69, 24}}
	rowMajor := map[int]Sizes{ // slow to compute
		13: {2044394, 204781}, 14: {9572418, 911420}, 15: {51889029, 4796502}, 16: {292364273, 26398067},
	}
	lines := map[string]bool{}
	for _, best := range order.Smallests() {
		n, o, name := best.N, best.Order, fmt.Sprintf("%s-%d", best.Diagram, best.N)
		d, err := robdd.ParseKind(best.Diagram)
		require.NoError(t, err)
		assert.False(t, lines[name], "%s is there twice", name)
		lines[name] = true
		assert.Equal(t, o, named(t, "best-"+best.Diagram, n), "the named order is the table's")
		assert.Equal(t, o, Canonical(n, o), "%s: of eight images, the first is kept", name)
		if n < from || n > to {
			continue
		}
		if want, known := proved[n]; known {
			assert.Equal(t, want.Of(d), best.Nodes, name)
		}
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		nodes := func(o order.Order) int {
			c, err := bdd.Compile(context.Background(), p, o, bdd.Options{})
			require.NoError(t, err)
			return c.Nodes(d)
		}
		assert.Equal(t, best.Nodes, nodes(o), name)
		if n <= 11 {
			assert.Equal(t, best.Nodes, queens(t, n).Sizes(o).Of(d), name)
		}
		before, known := rowMajor[n]
		if !known {
			least := nodes(named(t, "row-major", n)) // of the kind at hand
			before = Sizes{least, least}
		}
		assert.LessOrEqual(t, best.Nodes, before.Of(d), name)
	}
	assert.Len(t, lines, 2*14, "n = 4 to 17")
}
