package lesson

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/configure"
)

func TestRaceAsksTheSameOfAll(t *testing.T) {
	pool := newPool()
	lap, err := Race(context.Background(), pool, 8, 3, 7, "")
	require.NoError(t, err)
	require.Len(t, lap.Placed, 3)
	for _, r := range lap.Rows {
		if r.Failed == "" {
			assert.Equal(t, lap.Rows[0].Valid, r.Valid, r.Name)
			assert.Positive(t, r.Valid, "the queens are those of a solution")
		}
	}
	assert.Equal(t, "bdd", lap.Rows[0].Backend)
	for _, bad := range [][2]int{{3, 0}, {14, 0}, {8, 8}, {8, -1}} {
		_, err := Race(context.Background(), pool, bad[0], bad[1], 1, "")
		assert.ErrorAs(t, err, new(*InputError))
	}
}

// Improve never makes an order worse and returns an order, whose diagram has the nodes
// it reports.
func TestImprove(t *testing.T) {
	ctx, pool := context.Background(), newPool()
	i, err := Improve(ctx, 6, "knight-lines", 3)
	require.NoError(t, err)
	assert.Less(t, i.Nodes, i.Start)
	assert.Positive(t, i.Evaluations)
	profiles, err := Profiles(ctx, pool, configure.State{N: 6}, []string{strings.Join(i.Order, ","), "knight-lines"})
	require.NoError(t, err)
	assert.Equal(t, i.Nodes, profiles[0].Nodes)
	assert.Equal(t, i.Start, profiles[1].Nodes)
	cells, err := board.ParseCells(6, strings.Join(i.Order, ","))
	require.NoError(t, err)
	assert.Equal(t, 0, profiles[0].Levels[cells[0].Index(6)])
	_, err = Improve(ctx, 10, "", 1)
	assert.ErrorAs(t, err, new(*InputError))
	_, err = Profiles(ctx, pool, configure.State{N: 10}, []string{"a1,b2"})
	assert.ErrorAs(t, err, new(*InputError))
	empty, err := Improve(ctx, 3, "", 1)
	require.NoError(t, err)
	assert.Zero(t, empty.Nodes)
}
