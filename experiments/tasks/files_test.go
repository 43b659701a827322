package tasks

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/spec"
)

// The name of an order from a file includes the hash of its content: a changed file makes a
// different run, and no run accepts it in place of its own.
func TestOrderFromAFile(t *testing.T) {
	dir := t.TempDir()
	file, config := filepath.Join(dir, "mine.order"), filepath.Join(dir, "x.yaml")
	write := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	write(config, "name: x\ntask: compile\naxes: {n: 2, order: [row-major, 'file:"+file+"']}\n")
	grid := func() map[string]experiments.Task {
		asked, _, err := spec.Load(config, nil, Kinds())
		require.NoError(t, err)
		runs, err := asked.Grid(Kinds())
		require.NoError(t, err)
		byID := map[string]experiments.Task{}
		for _, r := range runs {
			task, err := compileKind().Task(r.Params, nil)
			require.NoError(t, err)
			if task.Value().(*Compile).Order != "row-major" {
				byID[r.ID] = task
			}
		}
		return byID
	}
	write(file, "b2 a2 b1 a1\n")
	first := grid()
	require.Len(t, first, 1)
	for _, task := range first {
		_, err := task.Run(context.Background(), &experiments.Meter{})
		assert.NoError(t, err)
		o, err := orderOfBoard(task.Value().(*Compile).Order, 2)
		require.NoError(t, err)
		assert.Equal(t, "b2 a2 b1 a1", cellsText(2, o))
	}
	write(file, "a1 a2 b1 b2\n")
	second := grid()
	for id, task := range first {
		assert.NotContains(t, second, id)
		_, err := task.Run(context.Background(), &experiments.Meter{})
		assert.ErrorContains(t, err, "mine.order is not the file that the run was made for")
	}
	require.NoError(t, os.Remove(file))
	_, _, err := spec.Load(config, nil, Kinds())
	assert.ErrorContains(t, err, "x.yaml:3:33: axes.order[1]: open "+file+": no such file")
}

// A program that a run needs but the machine lacks is reported before it runs, with the axis
// that asks for it.
func TestLackingPrograms(t *testing.T) {
	t.Setenv("PATH", "")
	described := experiments.Programs{
		"solver": {"kissat": {Command: "kissat -q {cnf}"}},
		"engine": {"buddy": {Command: "bin/buddy {ops}"}},
	}
	for _, c := range []struct {
		kind, given, parameter, what string
	}{
		{"valid-cells", `{"backend": "sat", "solver": "gini"}`, "", ""},
		{"valid-cells", `{"backend": "sat", "solver": "cadical"}`, "solver", "its Debian package is cadical"},
		{"enumerate", `{"backend": "sat", "solver": "kissat"}`, "solver", `SAT solver "kissat": exec: "kissat"`},
		{"diagonals", `{"backend": "sat", "solver": "./mine {cnf}"}`, "solver", "./mine"},
		{"compile", `{"engine": "queens"}`, "", ""},
		{"compile", `{"engine": "buddy"}`, "engine", "engine buddy: exec: \"bin/buddy\""},
		{"compile", `{"engine": "dir/mine"}`, "engine", "expected {cnf} or {ops}"},
	} {
		k, err := Kinds().Named(c.kind)
		require.NoError(t, err)
		task, err := k.Task([]byte(c.given), described)
		require.NoError(t, err)
		parameter, _, check := task.Program()
		assert.Equal(t, c.parameter, parameter)
		if c.what != "" {
			assert.ErrorContains(t, check(t.Context()), c.what)
		}
	}
}

// An order file may be one of several, by size: its runs have one name beside the hashes. A file
// that does not fit is refused before any run, at its place in the configuration.
func TestOrderFilesBySize(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "x.yaml")
	write := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	write(filepath.Join(dir, "d1.order"), "\uFEFFa1\n")
	write(filepath.Join(dir, "d2.order"), "b2 a2 b1 a1\n")
	write(config, "name: x\ntask: compile\naxes: {n: [1, 2], order: [row-major, 'file:"+dir+"/d{n}.order']}\n"+
		"exclude: [{order: 'file:"+dir+"/d{n}.order', n: 1}]\n")
	grid := func() []spec.Run {
		asked, _, err := spec.Load(config, nil, Kinds())
		require.NoError(t, err)
		runs, err := asked.Grid(Kinds())
		require.NoError(t, err)
		return runs
	}
	runs := grid()
	assert.Len(t, runs, 2+1, "the file of size 1 is excluded by its name without a hash")
	for _, r := range runs {
		task, err := compileKind().Task(r.Params, nil)
		require.NoError(t, err)
		if o := task.Value().(*Compile).Order; o != "row-major" {
			assert.Regexp(t, `^file:.*/d\{n\}\.order#[0-9a-f]{16}$`, o)
			found, err := orderOfBoard(o, 2)
			require.NoError(t, err)
			assert.Equal(t, "b2 a2 b1 a1", cellsText(2, found))
		}
	}
	write(filepath.Join(dir, "d2.order"), "b2 a2 b1\n")
	_, _, err := spec.Load(config, nil, Kinds())
	assert.ErrorContains(t, err, "x.yaml:3:38: axes.order[1]: "+dir+"/d2.order:1: the file ends after 3 of 4 variables")
}
