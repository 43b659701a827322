package encodetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode"
)

// Family builds a family's problem of size n.
func Family(t testing.TB, name string, n int) encode.Problem {
	t.Helper()
	f, err := encode.FamilyNamed(name)
	require.NoError(t, err)
	p, err := f.Build(n)
	require.NoError(t, err)
	return p
}

// Queens builds queens with lists of placed and blocked cells.
func Queens(t testing.TB, n int, placed, blocked string) encode.Problem {
	t.Helper()
	p, err := board.ParseCells(n, placed)
	require.NoError(t, err)
	b, err := board.ParseCells(n, blocked)
	require.NoError(t, err)
	problem, err := encode.Queens(n, p, b)
	require.NoError(t, err)
	return problem
}
