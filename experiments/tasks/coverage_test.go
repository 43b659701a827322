package tasks

import (
	"encoding/json"
	"maps"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/experiments/config"
	"queens/experiments/record"
)

// If an outside program has no record, its runs were left out on purpose; if it has some, the others are
// missing.
func TestCoverageWithoutAProgram(t *testing.T) {
	spec := config.Spec{Task: "valid-cells", Repeats: 2, Axes: config.Axes{
		"problem": {"queens"}, "n": {json.Number("4")}, "backend": {"sat"}, "solver": {"gini", "minisat", "cadical"}}}
	runs, err := spec.Grid(kindOf(t, spec.Task))
	require.NoError(t, err)
	require.Len(t, runs, 6)
	set := record.Set{Spec: spec, Kind: runs[0].Task.Kind, Columns: runs[0].Task.Kind.Columns()}
	for _, r := range runs {
		cells := r.Task.Parameters()
		if cells["solver"] == "gini" || cells["solver"] == "minisat" && r.Repeat == 1 {
			maps.Copy(cells, map[string]string{"id": r.ID, "position": strconv.Itoa(r.Position)})
			set.Rows = append(set.Rows, record.NewRow(set.Columns, cells))
		}
	}
	c, err := set.Coverage()
	require.NoError(t, err)
	assert.Equal(t, []string{"solver = cadical"}, c.LeftOut)
	assert.Equal(t, "1 of 6 runs is missing", c.String())
}

// Every part of a proof says who checked it, and the parts' placements add up to all.
func TestPartsOfAProofAreChecked(t *testing.T) {
	const n, k, parts = 13, 2, 3
	var placements int64
	for part := 1; part <= parts; part++ {
		f := run(t, made(t, "threshold", params{"n": n, "k": k, "parts": parts, "part": part}))
		assert.Equal(t, "yes", f.Answer)
		assert.Equal(t, "board", f.CheckedBy)
		placements += f.Values.(ThresholdResult).Placements
	}
	count := int64(0)
	for a := range n * n {
		for b := range a {
			if !board.At(n, a).Attacks(board.At(n, b)) {
				count++
			}
		}
	}
	assert.Equal(t, count, placements)
}
