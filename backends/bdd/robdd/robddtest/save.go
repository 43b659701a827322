package robddtest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/bdd/robdd"
)

// Save writes a diagram to a file.
func Save(t testing.TB, d *robdd.Diagram, file string, meta robdd.Meta) {
	t.Helper()
	out, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, d.Write(out, meta))
	require.NoError(t, out.Close())
}
