package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trace that does not end does not fill the memory: what is copied into a head is read to
// the end, and only its beginning is kept.
func TestHeadKeepsTheBeginning(t *testing.T) {
	var h head
	endless := io.LimitReader(strings.NewReader(strings.Repeat("x", 8<<20)), 5<<20) // in pieces
	n, err := io.Copy(&h, endless)
	require.NoError(t, err)
	require.Equal(t, int64(5<<20), n)
	require.Equal(t, 1<<20, h.text.Len())
}
