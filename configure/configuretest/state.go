package configuretest

import (
	"cmp"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/configure"
)

// State reads a state written as in a link, such as n=8&q=a1,b3&x=h8&forced=suggest.
func State(t *testing.T, query string) configure.State {
	t.Helper()
	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	n, err := strconv.Atoi(values.Get("n"))
	require.NoError(t, err)
	placed, err := board.ParseCells(n, values.Get("q"))
	require.NoError(t, err)
	blocked, err := board.ParseCells(n, values.Get("x"))
	require.NoError(t, err)
	mode, err := configure.ParseMode(cmp.Or(values.Get("forced"), "off"))
	require.NoError(t, err)
	return configure.State{N: n, Placed: placed, Blocked: blocked, Mode: mode}
}
