//go:build linux

package run

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
)

// copied returns a copy of the test binary, and puts another program in its place.
func copied(t *testing.T) (path string, replace func()) {
	t.Helper()
	program, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "harness")
	require.NoError(t, os.WriteFile(path, program, 0o755))
	return path, func() {
		other := path + ".new"
		require.NoError(t, os.WriteFile(other, []byte("#!/bin/sh\necho '{\"answer\": \"16\"}'\n"), 0o755))
		require.NoError(t, os.Rename(other, path))
	}
}

// A program that is replaced while its runs go on makes all of them itself.
func TestReplacedProgramGoesOn(t *testing.T) {
	path, replace := copied(t)
	config := write(t, "x.yaml", "name: x\ntask: toy\naxes: {n: 1..40}\n")
	dir := filepath.Join(t.TempDir(), "x")
	cmd := harness(t, config, dir)
	cmd.Path = path
	progress, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = progress.Read(make([]byte, 1)) // the first run has a record
	require.NoError(t, err)
	replace()
	for err == nil {
		_, err = progress.Read(make([]byte, 4096))
	}
	require.NoError(t, cmd.Wait())
	set, err := record.Read(dir, toys)
	require.NoError(t, err)
	assert.Equal(t, map[record.Outcome]int{record.OK: 40}, record.Tally(set.Rows))
}

// Where a program's file cannot be held, its replacement ends the runs without a record.
func TestReplacedProgramIsNoticed(t *testing.T) {
	path, replace := copied(t)
	file, err := os.Stat(path)
	require.NoError(t, err)
	st, runs, err := open(t, filepath.Join(t.TempDir(), "x"), load(t, twelve), record.OpenMode{})
	require.NoError(t, err)
	r := runner(t, &quiet{after: func(n int) {
		if n == 5 {
			replace()
		}
	}})
	r.Self = Command{Path: path, Args: []string{path, "run-one"}, file: file}
	err = r.Run(context.Background(), st, runs)
	assert.ErrorContains(t, err, path+" has been replaced since this harness began: start it again with --resume")
	assert.Len(t, st.Rows, 5)
}

// Rows are not lost when someone removes the folder, or puts another file in the records' place, while
// runs go on: it is noticed at the next row, and all rows are saved elsewhere, where runs go on.
func TestRecordsThatVanishAreRescued(t *testing.T) {
	for why, vanish := range map[string]func(dir string) error{
		"has been removed": os.RemoveAll,
		"has been replaced by another file": func(dir string) error {
			records := filepath.Join(dir, record.RecordsFile)
			data, err := os.ReadFile(records)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(records+".new", data, 0o644))
			return os.Rename(records+".new", records)
		},
		"with its parent": func(dir string) error { return os.RemoveAll(filepath.Dir(dir)) },
	} {
		t.Setenv("TMPDIR", t.TempDir())
		dir := filepath.Join(t.TempDir(), "results", "x")
		asked := load(t, twelve)
		st, runs, err := open(t, dir, asked, record.OpenMode{})
		require.NoError(t, err)
		err = runner(t, &quiet{after: func(n int) {
			if n == 5 {
				require.NoError(t, vanish(dir))
			}
		}}).Run(context.Background(), st, runs)
		var lost record.Lost
		require.ErrorAs(t, err, &lost, why)
		_, saved, found := strings.Cut(lost.Text, "while runs went on: all 6 rows are in ")
		require.True(t, found, lost.Text)
		st, _, err = open(t, saved, asked, record.OpenMode{Resume: true})
		require.NoError(t, err, why)
		assert.Len(t, st.Missing(runs), 6, why)
		require.NoError(t, st.Close())
	}
}
