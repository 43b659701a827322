//go:build linux

package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
)

func TestMergeKeepsOutOfAFolderBeingWritten(t *testing.T) {
	t.Parallel()
	asked := load(t, "name: x\ntask: toy\naxes: {n: 1..3}\n")
	base := t.TempDir()
	from, out := filepath.Join(base, "from"), filepath.Join(base, "out")
	st, runs, err := open(t, from, asked, record.OpenMode{})
	require.NoError(t, err)
	require.NoError(t, runner(t, &quiet{}).Run(context.Background(), st, runs))
	st.Close()

	// A run into out has begun: it has no record yet, but will have.
	writer, _, err := open(t, out, asked, record.OpenMode{})
	require.NoError(t, err)
	tree := snapshot(t, out)
	_, err = record.Merge(t.Context(), out, []string{from}, toys)
	var conflict record.Conflict
	require.True(t, errors.As(err, &conflict), "%v", err)
	assert.Equal(t, filepath.Join(out, record.RecordsFile)+": another harness is writing here", conflict.Text)
	assert.Equal(t, tree, snapshot(t, out))
	require.NoError(t, writer.Append(st.Rows[0]), "the writer continues")
	writer.Close()

	m, err := record.Merge(t.Context(), out, []string{from}, toys)
	require.NoError(t, err)
	assert.Len(t, m.Rows, len(runs))
	set, err := record.Read(out, toys)
	require.NoError(t, err)
	assert.Len(t, set.Rows, len(runs))

	// The lock ends with the merge, and an empty file left by a crash is not a set.
	again, _, err := open(t, out, asked, record.OpenMode{})
	require.NoError(t, err)
	again.Close()
	empty := filepath.Join(base, "empty")
	require.NoError(t, os.Mkdir(empty, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(empty, record.RecordsFile), nil, 0o644))
	m, err = record.Merge(t.Context(), empty, []string{from}, toys)
	require.NoError(t, err)
	assert.Len(t, m.Rows, len(runs))
}
