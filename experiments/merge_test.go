package experiments

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMergeKeepsOutOfAFolderBeingWritten(t *testing.T) {
	spec := load(t, "name: x\ntask: toy\naxes: {n: 1..3}\n")
	base := t.TempDir()
	from, out := filepath.Join(base, "from"), filepath.Join(base, "out")
	st, runs, err := open(t, from, spec, OpenMode{})
	require.NoError(t, err)
	require.NoError(t, runner(t, &quiet{}).Run(context.Background(), st, runs))
	st.Close()

	// A run into out has begun: it has no record yet, but will have.
	writer, _, err := open(t, out, spec, OpenMode{})
	require.NoError(t, err)
	tree := snapshot(t, out)
	_, err = Merge(out, []string{from}, false)
	var refusal Refusal
	require.True(t, errors.As(err, &refusal), "%v", err)
	assert.Equal(t, filepath.Join(out, RecordsFile)+": another harness is writing here", refusal.Text)
	assert.Equal(t, tree, snapshot(t, out))
	require.NoError(t, writer.Append(st.Records[0]), "the writer goes on")
	writer.Close()

	m, err := Merge(out, []string{from}, false)
	require.NoError(t, err)
	assert.Len(t, m.Records, len(runs))
	set, err := Read(out)
	require.NoError(t, err)
	assert.Len(t, set.Records, len(runs))

	// The lock ends with the merge, and an empty file left by a crash is no set.
	again, _, err := open(t, out, spec, OpenMode{})
	require.NoError(t, err)
	again.Close()
	empty := filepath.Join(base, "empty")
	require.NoError(t, os.Mkdir(empty, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(empty, RecordsFile), nil, 0o644))
	m, err = Merge(empty, []string{from}, false)
	require.NoError(t, err)
	assert.Len(t, m.Records, len(runs))
}
