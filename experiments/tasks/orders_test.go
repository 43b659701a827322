package tasks

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	searchbackend "queens/backends/search"
	"queens/encode"
	"queens/experiments"
	"queens/order"
	"queens/robdd"
)

// The two methods find the same result, field by field, with and without sifting.
func TestOrderSizeMethodsAgree(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for _, sift := range Sift("").Values() {
			task := made(t, "order-size", params{"n": n, "order": "snake", "sift": sift, "method": "listed"})
			listed := run(t, task)
			require.Len(t, task.References(), 1)
			engine := run(t, task.References()[0])
			assert.Equal(t, listed, engine, "n=%d sift %s", n, sift)
		}
	}
	assert.Equal(t, "ROBDD 2451, ZDD 373",
		run(t, made(t, "order-size", params{"n": 8, "order": "row-major", "sift": "no", "method": "engine"})).Answer)
	assert.Equal(t, "", run(t, made(t, "order-size", params{"n": 8, "order": "row-major", "sift": "no", "method": "engine"})).CheckedBy)
	sifted := run(t, made(t, "order-size", params{"n": 8, "order": "row-major", "sift": "bdd", "method": "listed"})).Values.(OrderSizeResult)
	assert.Less(t, sifted.BDDNodes, 2451)
}

// The cofactors of two rows by their definition: the sets of completions that the placements on
// these rows leave.
func TestOrderCofactorsTask(t *testing.T) {
	const n = 7
	problem, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	for last := range 3 {
		left := map[string][]string{}
		for model, err := range searchbackend.New(problem).Solutions(context.Background(), nil) {
			require.NoError(t, err)
			above, below := "", ""
			for _, c := range queensOf(n, model) {
				if c.Row < 2-last || c.Row >= n-last {
					above += c.String()
				} else {
					below += c.String()
				}
			}
			left[above] = append(left[above], below)
		}
		different := map[string]bool{}
		for _, completions := range left {
			slices.Sort(completions)
			different[strings.Join(completions, " ")] = true
		}
		task := made(t, "order-cofactors", params{"n": n, "rows": 2, "last": last, "method": "listed"})
		require.Len(t, task.References(), 1)
		found := run(t, task)
		assert.Equal(t, len(different), found.Values.(OrderCofactorsResult).Cofactors, "%d last rows", last)
		assert.Equal(t, found, run(t, task.References()[0]))
	}
	assert.False(t, exists(t, made(t, "order-cofactors", params{"n": n, "rows": n})))
	assert.False(t, exists(t, made(t, "order-cofactors", params{"n": n, "rows": 2, "last": 3})))
	assert.True(t, exists(t, made(t, "order-cofactors", params{"n": n, "rows": 2, "last": 2})))
}

func TestOrderSearchTask(t *testing.T) {
	task := made(t, "order-search", params{"n": 7, "diagram": "bdd", "seed": 1, "evaluations": 200_000, "aim": "smallest"})
	found := run(t, task).Values.(OrderSearchResult)
	assert.Equal(t, found, run(t, task).Values, "the same seed and work give the same order")
	assert.Equal(t, 1099, found.RowMajor)
	assert.Less(t, found.Nodes, 1000)
	assert.GreaterOrEqual(t, found.Evaluated, int64(200_000))
	assert.Equal(t, "engine", run(t, task).CheckedBy)
	o, err := order.Read(strings.NewReader(found.Cells), "cells", encode.Cells(7))
	require.NoError(t, err)
	assert.Equal(t, o.Levels(), found.Levels)
}

func TestOrderSearchForTheLargest(t *testing.T) {
	found := run(t, made(t, "order-search", params{"n": 6, "diagram": "bdd", "seed": 1, "evaluations": 100_000, "aim": "largest"})).Values.(OrderSearchResult)
	assert.Greater(t, found.Nodes, found.RowMajor)
	o, err := order.Read(strings.NewReader(found.Cells), "cells", encode.Cells(6))
	require.NoError(t, err)
	size := run(t, made(t, "order-size", params{"n": 6, "order": "row-major", "sift": "no", "method": "engine"})).Values.(OrderSizeResult)
	assert.Equal(t, size.BDDNodes, found.RowMajor)
	assert.Equal(t, o.Levels(), found.Levels)
}

// All sequences of rows include those from both ends, which have fewer sets; the minima are
// known.
func TestOrderRowsTask(t *testing.T) {
	all := run(t, made(t, "order-rows", params{"n": 8, "diagram": "bdd", "sequences": "all"})).Values.(OrderRowsResult)
	ends := run(t, made(t, "order-rows", params{"n": 8, "diagram": "bdd", "sequences": "ends"})).Values.(OrderRowsResult)
	assert.Equal(t, []int{2329, 2357}, []int{all.Nodes, ends.Nodes})
	assert.Equal(t, (1<<8+1<<4)/2, all.Sets, "up to mirroring")
	assert.Less(t, ends.Sets, all.Sets)
	for _, result := range []OrderRowsResult{all, ends} {
		assert.Equal(t, 2451, result.RowMajor)
		o, err := order.Read(strings.NewReader(result.Cells), "cells", encode.Cells(8))
		require.NoError(t, err)
		assert.Equal(t, o.Levels(), result.Levels)
	}
	assert.Equal(t, "4 5 1 8 2 7 3 6", all.Rows)
	assert.False(t, exists(t, made(t, "order-rows", params{"n": 13, "sequences": "all"})))
	assert.True(t, exists(t, made(t, "order-rows", params{"n": 13, "sequences": "ends"})))
}

// One sequence of rows: with the turn of the rule it has at most as many nodes as the rule; from
// the first row to the last at most as many as row-major; and no fewer than the best of those
// from both ends, of which it is one.
func TestOrderRowsInOneSequence(t *testing.T) {
	const n = 8
	ends := run(t, made(t, "order-rows", params{"n": n, "diagram": "bdd", "sequences": "ends"})).Values.(OrderRowsResult)
	for turn, most := range map[int]int{5: 2416, n: 2451} {
		task := made(t, "order-rows", params{"n": n, "diagram": "bdd", "sequences": "turn", "turn": turn})
		require.True(t, exists(t, task))
		found := run(t, task)
		assert.Equal(t, "engine", found.CheckedBy)
		result := found.Values.(OrderRowsResult)
		assert.Equal(t, map[int]string{5: "1 2 3 4 5 8 7 6", n: "1 2 3 4 5 6 7 8"}[turn], result.Rows)
		assert.LessOrEqual(t, result.Nodes, most)
		assert.GreaterOrEqual(t, result.Nodes, ends.Nodes)
		assert.Equal(t, n+1, result.Sets)
	}
	without := made(t, "order-rows", params{"n": n, "sequences": "ends", "turn": 3})
	assert.True(t, exists(t, without))
	assert.Zero(t, without.Value.(*OrderRows).Turn)
	assert.False(t, exists(t, made(t, "order-rows", params{"n": n, "sequences": "turn"})))
	assert.False(t, exists(t, made(t, "order-rows", params{"n": n, "sequences": "turn", "turn": n + 1})))
}

// A size that the engine does not confirm makes the run wrong.
func TestConfirm(t *testing.T) {
	o, err := ask.OrderName("row-major").OfBoard(6)
	require.NoError(t, err)
	require.NoError(t, confirm(context.Background(), 6, robdd.BDD, o, 129))
	var refuted *experiments.Contradiction
	require.ErrorAs(t, confirm(context.Background(), 6, robdd.BDD, o, 128), &refuted)
	assert.Equal(t, "engine", refuted.By)
	assert.EqualError(t, refuted, "the bdd under the order found has 129 nodes, not 128")
}
