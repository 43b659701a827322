package tasks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/encode"
	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
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

// Reorderings were a switch: configurations and records with false and true mean the same runs.
func TestReorderingWasASwitch(t *testing.T) {
	var both [2][]experiments.Run
	for i, values := range [2][]string{{"false, true", "true", "false"}, {"none, sift", "sift", "none"}} {
		file := filepath.Join(t.TempDir(), "switch.yaml")
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `name: switch
task: compile
axes: {n: [4, 5], construction: line-wise, sift: [%s]}
exclude: [{n: 4, sift: %s}]
report: {tables: [{title: x, rows: [n], columns: [sift], values: [nodes], where: {sift: [%s]}}]}
`, values[0], values[1], values[2]), 0o644))
		loaded, err := config.Load(file, nil, Kinds())
		require.NoError(t, err)
		both[i] = loaded.Runs
		assert.Equal(t, []any{"none"}, loaded.Report.Tables[0].Where["sift"])
	}
	require.Len(t, both[0], 3)
	for i, run := range both[0] {
		assert.Equal(t, run.ID, both[1][i].ID)
		assert.Contains(t, []string{"none", "sift"}, run.Task.Parameters()["sift"])
	}
	set, err := record.Read("../../results/reference/engines-top-down", Kinds())
	require.NoError(t, err)
	for _, row := range set.Rows {
		require.Equal(t, "none", row.Cell("sift"))
	}
	coverage, err := set.Coverage()
	require.NoError(t, err, "a row's run has the id that it had")
	assert.NotZero(t, coverage.Runs)
}
