package tasks

import (
	"encoding/json"
	"maps"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
)

// The runs of an outside program that has no record were left out on purpose; single runs of it are missing.
func TestCoverageWithoutAProgram(t *testing.T) {
	spec := config.Spec{Task: "enumerate", Repeats: 2, Axes: config.Axes{
		"problem": {"queens"}, "n": {json.Number("4")}, "backend": {"sat"}, "solver": {"gini", "minisat", "cadical"}}}
	runs, err := spec.Grid(Kinds())
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
