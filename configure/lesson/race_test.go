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
