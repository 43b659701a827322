package tasks

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/experiments"
	"queens/experiments/config"
	"queens/internal/param"
	"queens/internal/system/program"
)

// The name of an order from a file includes the hash of its content: a changed file makes a
// different run, and no run accepts it in place of its own.
func TestOrderFromAFile(t *testing.T) {
	dir := t.TempDir()
	file, yaml := filepath.Join(dir, "mine.order"), filepath.Join(dir, "x.yaml")
	write := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	write(yaml, "name: x\ntask: compile\naxes: {n: 2, order: [row-major, 'file:"+file+"']}\n")
	grid := func() map[string]experiments.Task {
		loaded, err := config.Load(yaml, nil, Kinds())
		require.NoError(t, err)
		runs := loaded.Runs
		byID := map[string]experiments.Task{}
		for _, r := range runs {
			if r.Task.Value.(*Compile).Order != "row-major" {
				byID[r.ID] = r.Task
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
		o, err := task.Value.(*Compile).Order.OfBoard(2)
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
	_, err := config.Load(yaml, nil, Kinds())
	assert.ErrorContains(t, err, "x.yaml:3:33: axes.order[1]: open "+file+": no such file")
}

// A program that a run needs but the machine lacks is reported before it runs, with the axis
// that asks for it.
func TestLackingPrograms(t *testing.T) {
	t.Setenv("PATH", "")
	described := program.Descriptions{
		"solver": {"kissat": {Command: "kissat -q {cnf}"}},
		"engine": {"buddy": {Command: "bin/buddy {ops}"}},
	}
	for _, c := range []struct {
		kind            string
		given           map[string]string
		parameter, what string
	}{
		{"valid-cells", map[string]string{"backend": "sat", "solver": "gini"}, "", ""},
		{"valid-cells", map[string]string{"backend": "sat", "solver": "cadical"}, "solver", "its Debian package is cadical"},
		{"valid-cells", map[string]string{"backend": "sat", "solver": "kissat"}, "solver", `SAT solver "kissat": program "kissat" is not on the PATH`},
		{"diagonals", map[string]string{"backend": "sat", "solver": "./mine {cnf}"}, "solver", "./mine"},
		{"compile", map[string]string{"engine": "queens"}, "", ""},
		{"compile", map[string]string{"engine": "buddy"}, "engine", "engine buddy: program \"bin/buddy\": "},
		{"compile", map[string]string{"engine": "dir/mine"}, "engine", "expected {cnf} or {ops}"},
	} {
		k, err := Kinds().Named(c.kind)
		require.NoError(t, err)
		task, err := k.Task(c.given, described)
		require.NoError(t, err)
		needed := task.Program()
		if c.parameter == "" {
			assert.Nil(t, needed)
			continue
		}
		assert.Equal(t, c.parameter, needed.Parameter)
		assert.ErrorContains(t, needed.Check(t.Context()), c.what)
	}
}

// An order file may be one of several, by size: its runs have one name beside the hashes. A file
// that does not fit is refused before any run, at its place in the configuration.
func TestOrderFilesBySize(t *testing.T) {
	dir := t.TempDir()
	yaml := filepath.Join(dir, "x.yaml")
	write := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	write(filepath.Join(dir, "d1.order"), "\uFEFFa1\n")
	write(filepath.Join(dir, "d2.order"), "b2 a2 b1 a1\n")
	write(yaml, "name: x\ntask: compile\naxes: {n: [1, 2], order: [row-major, 'file:"+dir+"/d{n}.order']}\n"+
		"exclude: [{order: 'file:"+dir+"/d{n}.order', n: 1}]\n")
	grid := func() []experiments.Run {
		loaded, err := config.Load(yaml, nil, Kinds())
		require.NoError(t, err)
		runs := loaded.Runs
		return runs
	}
	runs := grid()
	assert.Len(t, runs, 2+1, "the file of size 1 is excluded by its name without a hash")
	for _, r := range runs {
		if o := r.Task.Value.(*Compile).Order; o != "row-major" {
			assert.Regexp(t, `^file:.*/d\{n\}\.order#[0-9a-f]{16}$`, o)
			found, err := o.OfBoard(2)
			require.NoError(t, err)
			assert.Equal(t, "b2 a2 b1 a1", cellsText(2, found))
		}
	}
	write(filepath.Join(dir, "d2.order"), "b2 a2 b1\n")
	_, err := config.Load(yaml, nil, Kinds())
	assert.ErrorContains(t, err, "x.yaml:3:38: axes.order[1]: "+dir+"/d2.order:1: the file ends after 3 of 4 variables")
}

// Problems from files: a pattern stands for all files that match it, pinned by their content; they
// have no size, an order that suits them, and the answers of the problem that was written.
func TestProblemsFromFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("one.cnf", "p cnf 3 2\n1 2 3 0\n-1 -2 0\n")     // 5 of 8 models
	write("two.cnf", "p cnf 3 2\n1 -2 0\n2 -3 0\n")       // 1 >= 2 >= 3: 4 models
	opb := write("pairs.opb", "+1 x1 +1 x2 +1 x3 = 1;\n") // 3 models
	yaml := write("x.yaml", "name: x\ntask: compile\naxes: {problem: [queens, 'cnf:"+dir+"/*.cnf', 'opb:"+opb+"'], n: 4..5, "+
		"order: [row-major, min-fill]}\n")
	loaded, err := config.Load(yaml, nil, Kinds())
	require.NoError(t, err)
	runs := loaded.Runs
	assert.Len(t, runs, 2*2+3*2, "queens by size and order, files by order")
	counts := map[string]int{}
	for _, r := range runs {
		asked := r.Task.Value.(*Compile)
		if !asked.FromFile() {
			continue
		}
		assert.Zero(t, asked.N)
		parameters, err := r.Task.JSON()
		require.NoError(t, err)
		assert.NotContains(t, string(parameters), `"n"`)
		assert.Regexp(t, `^(cnf|opb):.*#[0-9a-f]{16}$`, asked.Problem)
		assert.Contains(t, []ask.OrderName{"estimate", "min-fill"}, asked.Order)
		counts[filepath.Base(param.Unpinned(string(asked.Problem)))+" "+run(t, r.Task).Answer]++
	}
	assert.Equal(t, map[string]int{"one.cnf 5": 2, "two.cnf 4": 2, "pairs.opb 3": 2}, counts)

	// Records of files that have gone can still be read: their runs are the same.
	for _, name := range []string{"one.cnf", "two.cnf"} {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	without, err := loaded.Grid(loaded.Kind)
	require.NoError(t, err)
	ids := func(runs []experiments.Run) (list []string) {
		for _, r := range runs {
			list = append(list, r.ID)
		}
		return list
	}
	assert.Equal(t, ids(runs), ids(without))
	write("one.cnf", "p cnf 3 2\n1 2 3 0\n-1 -2 0\n")
	write("two.cnf", "p cnf 3 2\n1 -2 0\n2 -3 0\n")

	checked := 0
	for _, b := range ask.Names(ask.Able(ask.Valid)) {
		for _, name := range []string{"one", "two"} {
			checked += judge(t, made(t, "valid-cells", params{"problem": "cnf:" + dir + "/" + name + ".cnf", "placed": 1, "seed": 2,
				"backend": b, "queries": 3}))
		}
	}
	assert.GreaterOrEqual(t, checked, 6)

	for axes, want := range map[string]string{
		"{problem: 'cnf:" + dir + "/none*.cnf'}": "axes.problem: no file matches ",
		"{problem: 'cnf:" + yaml + "'}":          "axes.problem: " + yaml + ":1:",
		"{problem: latin}":                       "axes.n: expected the size of problem latin",
	} {
		_, err := config.Load(write("bad.yaml", "name: bad\ntask: compile\naxes: "+axes+"\n"), nil, Kinds())
		assert.ErrorContains(t, err, want)
	}
}

// ** takes all folders below, a name with brackets is that file if there is one, and compressed files are
// read. Each has the answer of the problem that was written.
func TestPatternsTakeFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write("tree/top.cnf", "p cnf 2 1\n1 2 0\n")                 // 3 models
	write("tree/inner/one.cnf", "p cnf 3 1\n1 2 3 0\n")         // 7
	write("tree/inner/deeper/m[1].cnf", "p cnf 2 1\n-1 -2 0\n") // 3
	write("tree/inner/deeper/m1.cnf.txt", "not a formula")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte("p cnf 2 2\n1 0\n-2 0\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	write("tree/small.cnf.gz", packed.String()) // 1
	all := map[string]string{"top.cnf": "3", "one.cnf": "7", "m[1].cnf": "3"}
	for pattern, want := range map[string]map[string]string{
		"tree/**/*.cnf":              all,
		"**/*.cnf":                   all,
		"tree/inner/**/*.cnf":        {"one.cnf": "7", "m[1].cnf": "3"},
		"tree/{top,small}.cnf*":      {"top.cnf": "3", "small.cnf.gz": "1"},
		"tree/inner/deeper/m[1].cnf": {"m[1].cnf": "3"},
		"tree/*.gz":                  {"small.cnf.gz": "1"},
		"tree/**.cnf":                nil,
		"tree/[.cnf":                 nil,
	} {
		write("x.yaml", "name: x\ntask: count\naxes: {problem: 'cnf:"+pattern+"'}\n")
		asked, err := config.Load("x.yaml", nil, Kinds())
		if want == nil {
			assert.ErrorContains(t, err, "x.yaml:3:17: axes.problem: pattern "+pattern)
			continue
		}
		require.NoError(t, err, pattern)
		got := map[string]string{}
		for _, r := range asked.Runs {
			got[filepath.Base(param.Unpinned(string(r.Task.Value.(*Count).Problem)))] = run(t, r.Task).Answer
		}
		assert.Equal(t, want, got, pattern)
	}
}
