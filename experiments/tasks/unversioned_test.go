package tasks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
)

// A row whose outside solver tells no version is found; linked solvers, and other back-ends, need none.
func TestRowsWithoutVersionsAreFound(t *testing.T) {
	kind, err := Kinds().Named("valid-cells")
	require.NoError(t, err)
	set := record.Set{Kind: kind, Columns: kind.Columns()}
	add := func(backend, solver, is string) {
		cells := made(t, "valid-cells", params{"problem": "queens", "n": 4, "backend": backend, "solver": solver}).Parameters()
		cells["outcome"], cells["solver_is"] = string(record.OK), is
		set.Rows = append(set.Rows, record.NewRow(set.Columns, cells))
	}
	add("sat", "gini", "")
	add("bdd", "gini", "")
	add("sat", "cadical", "1.9.5 (cadical -q {cnf})")
	assert.Empty(t, set.Unversioned())
	add("sat", "kissat", "")
	assert.Equal(t, []string{"solver kissat"}, set.Unversioned())
}
