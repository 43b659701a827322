package tasks

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/experiments"
	"queens/order"
)

func runTask(t *testing.T, task experiments.Task) experiments.Finding {
	found, err := task.Run(context.Background(), &experiments.Meter{})
	require.NoError(t, err)
	return found
}

// The two methods find the same result, field by field, with and without sifting.
func TestOrderSizeMethodsAgree(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for _, sift := range Sift("").Values() {
			task := &OrderSize{N: n, Order: "snake", Sift: Sift(sift), Method: "listed"}
			listed := runTask(t, task)
			require.Len(t, task.References(), 1)
			engine := runTask(t, task.References()[0])
			assert.Equal(t, listed, engine, "n=%d sift %s", n, sift)
		}
	}
	assert.Equal(t, "ROBDD 2451, ZDD 373",
		runTask(t, &OrderSize{N: 8, Order: "row-major", Sift: "no", Method: "engine"}).Answer)
	sifted := runTask(t, &OrderSize{N: 8, Order: "row-major", Sift: "bdd", Method: "listed"}).Values.(OrderSizeResult)
	assert.Less(t, sifted.BDDNodes, 2451)
}

func TestOrderSearchTask(t *testing.T) {
	task := &OrderSearch{N: 7, Diagram: "bdd", Seed: 1, Evaluations: 200_000, Aim: "smallest"}
	found := runTask(t, task).Values.(OrderSearchResult)
	assert.Equal(t, found, runTask(t, task).Values, "the same seed and work give the same order")
	assert.Equal(t, 1099, found.RowMajor)
	assert.Less(t, found.Nodes, 1000)
	assert.GreaterOrEqual(t, found.Evaluated, int64(200_000))
	o, err := order.Read(strings.NewReader(found.Cells), "cells", encode.Cells(7))
	require.NoError(t, err)
	assert.Equal(t, o.Levels(), found.Levels)
}

func TestOrderSearchForTheLargest(t *testing.T) {
	found := runTask(t, &OrderSearch{N: 6, Diagram: "bdd", Seed: 1, Evaluations: 100_000, Aim: "largest"}).Values.(OrderSearchResult)
	assert.Greater(t, found.Nodes, found.RowMajor)
	o, err := order.Read(strings.NewReader(found.Cells), "cells", encode.Cells(6))
	require.NoError(t, err)
	size := runTask(t, &OrderSize{N: 6, Order: "row-major", Sift: "no", Method: "engine"}).Values.(OrderSizeResult)
	assert.Equal(t, size.BDDNodes, found.RowMajor)
	assert.Equal(t, o.Levels(), found.Levels)
}

// All sequences of rows include those from both ends, which have fewer sets; the minima are
// known.
func TestOrderRowsTask(t *testing.T) {
	all := runTask(t, &OrderRows{N: 8, Diagram: "bdd", Sequences: "all"}).Values.(OrderRowsResult)
	ends := runTask(t, &OrderRows{N: 8, Diagram: "bdd", Sequences: "ends"}).Values.(OrderRowsResult)
	assert.Equal(t, []int{2329, 2357}, []int{all.Nodes, ends.Nodes})
	assert.Equal(t, (1<<8+1<<4)/2, all.Sets, "up to mirroring")
	assert.Less(t, ends.Sets, all.Sets)
	for _, result := range []OrderRowsResult{all, ends} {
		assert.Equal(t, 2451, result.RowMajor)
		o, err := order.Read(strings.NewReader(result.Cells), "cells", encode.Cells(8))
		require.NoError(t, err)
		assert.Equal(t, o.Levels(), result.Levels)
	}
	assert.False(t, (&OrderRows{N: 13, Sequences: "all"}).Normalise())
	assert.True(t, (&OrderRows{N: 13, Sequences: "ends"}).Normalise())
}

func TestOrderProofTask(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for _, diagram := range DiagramKind("").Values() {
			task := &OrderProof{N: n, Diagram: DiagramKind(diagram), Method: "sets"}
			require.Len(t, task.References(), 1)
			assert.Equal(t, runTask(t, task).Answer, runTask(t, task.References()[0]).Answer, "n=%d %s", n, diagram)
		}
	}
	large := &OrderProof{N: 6, Diagram: "bdd", Method: "sets"}
	assert.Empty(t, large.References())
	assert.Equal(t, "69", runTask(t, large).Answer)
	assert.True(t, large.Normalise())
	large.Method = "tables"
	assert.False(t, large.Normalise(), "truth tables go up to n = 4")
}

func TestOrderBoundTask(t *testing.T) {
	found := runTask(t, &OrderBound{N: 6, Diagram: "bdd"}).Values.(OrderBoundResult)
	assert.Equal(t, 69, found.BestKnown)
	assert.GreaterOrEqual(t, found.LowerBound, 36)
	assert.LessOrEqual(t, found.LowerBound, 69)
}
