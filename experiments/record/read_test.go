package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/tasktest"
)

// stored writes a complete record set of four runs and returns its folder.
func stored(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "x")
	s := config.Spec{Name: "x", Task: "toy", Axes: config.Axes{"n": {"1..4"}, "how": {"well"}}, Repeats: 1}
	s.Limits = config.Limits{WallClock: 1, Memory: 1 << 20}
	kind := tasktest.Kinds()[0]
	runs, err := s.Grid(kind)
	require.NoError(t, err)
	st, err := Open(dir, config.Experiment{Spec: s, Kind: kind, Runs: runs}, Observe(s), OpenMode{})
	require.NoError(t, err)
	for _, run := range runs {
		cells := run.Task.Parameters()
		maps.Copy(cells, map[string]string{
			"schema": SchemaVersion, "id": run.ID, "task": s.Task, "repeat": "0",
			"outcome": "ok", "answer": "a, \"quoted\" one", "agree": "yes", "checked_by": "school",
			"square": "9", "trace": "1;2;3", "wall_seconds": "0.25",
			"position": fmt.Sprint(run.Position), "started": Now(), "environment": st.Environment(),
		})
		require.NoError(t, st.Append(NewRow(st.Columns, cells)))
	}
	require.NoError(t, st.Close())
	return dir
}

// edit rewrites a file of the set.
func edit(t testing.TB, dir, name string, change func(string) string) {
	t.Helper()
	path := filepath.Join(dir, name)
	old, err := os.ReadFile(path)
	require.NoError(t, err)
	text := change(string(old))
	require.NotEqual(t, string(old), text, "the edit changes nothing")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestReaderRefusesWhatWasEdited(t *testing.T) {
	first := func(old, by string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, by, 1) }
	}
	lines := func(change func([]string) []string) func(string) string {
		return func(text string) string { return strings.Join(change(strings.SplitAfter(text, "\n")), "") }
	}
	for name, c := range map[string]struct {
		file   string
		change func(string) string
		want   string
	}{
		"NaN": {RecordsFile, first("0.25", "NaN"),
			`records.csv:2:\d+: wall_seconds "NaN": expected a decimal number`},
		"infinity":    {RecordsFile, first("0.25", "1e999"), `wall_seconds "1e999": expected a decimal number`},
		"hexadecimal": {RecordsFile, first("0.25", "0x1p-2"), `expected a decimal number`},
		"text": {RecordsFile, first(",1;2;3,", ",1;two;3,"),
			`trace "1;two;3": expected integers separated by ;`},
		"outcome": {RecordsFile, first(",ok,", ",fine,"), `outcome "fine": expected one of`},
		"refuted": {RecordsFile, first(",yes,", ",no,"), "records.csv:2:.*: outcome ok beside agree no"},
		"checked": {RecordsFile, first(",school,", ",,"), "records.csv:2:.*: agree yes without checked_by"},
		"unsaid":  {RecordsFile, first(",yes,", ",,"), "records.csv:2:.*: checked_by school without agree"},
		"reason":  {RecordsFile, first(",ok,,", ",ok,why,"), `records.csv:2:.*: outcome ok beside the reason "why"`},
		"phase":   {RecordsFile, first(",ok,,,", ",ok,,build_seconds,"), "records.csv:2:.*: outcome ok beside unfinished build_seconds"},
		"wrong":   {RecordsFile, first(",ok,", ",wrong,"), `records.csv:2:.*: outcome wrong beside agree "yes": expected no`},
		"agree":   {RecordsFile, first(",yes,", ",perhaps,"), `agree "perhaps": expected yes, no or nothing`},
		"schema": {RecordsFile, lines(func(l []string) []string { l[1] = "2" + l[1][1:]; return l }),
			`schema "2": expected version 1`},
		"task": {RecordsFile, first(",toy,", ",tyo,"), `task "tyo": expected toy`},
		"parameter": {RecordsFile, first(",well,", ",slowly,"),
			`records.csv:2: the id "[0-9a-f]{16}" does not match the row's task`},
		"reversed header": {RecordsFile, first("schema,id,", "id,schema,"), `records.csv:1: the columns are not those of env.json: another order`},
		"further column": {RecordsFile, lines(func(l []string) []string {
			l[0] = strings.TrimSuffix(l[0],
				"\n") + ",more\n"
			return l
		}), `not those of env.json: more: \(none\), here there`},
		"short row": {RecordsFile, lines(func(l []string) []string { l[2] = "1,a\n"; return l }),
			`records.csv: record on line 3: wrong number of fields`},
		"doubled row": {RecordsFile, lines(func(l []string) []string { l[2] = l[1]; return l }),
			`records.csv:3: run [0-9a-f]{16} is already on line 2`},
		"quote": {RecordsFile, first(`"a, `, `a", `), `records.csv: (parse error|record) on line 2`},
		"environment": {RecordsFile, lines(func(l []string) []string {
			l[1] = strings.TrimSuffix(l[1],
				"\n") + "0\n"
			return l
		}), `environment "[0-9a-f]{16}0": expected the id of an environment in env.json`},
		"machine": {EnvFile, first(`"cores": `, `"cores": 1`),
			`env.json: environment "[0-9a-f]{16}": the id of its fields is`},
		"role": {EnvFile, first("square result text", "square prize text"),
			`column "square prize text": expected a name, a role of`},
		"no columns": {EnvFile, first(`"columns"`, `"pillars"`), `records.csv:1: the columns are not those of env.json: .*schema: \(none\), here there`},
		"grid": {ConfigFile, first("1..4", "1..3"),
			`records.csv: run [0-9a-f]{16} is not in the grid of config.yaml|has position`},
		"seed": {ConfigFile, first("repeats: 1\n", "repeats: 1\nseed: 12345\n"), `has position \d, but \d in the grid`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := stored(t)
			edit(t, dir, c.file, c.change)
			set, err := Read(dir, tasktest.Kinds())
			if err == nil {
				_, err = set.Coverage()
			}
			require.Error(t, err)
			assert.Regexp(t, c.want, err.Error())
		})
	}
}

// A run with the right columns that is not in the grid is refused.
func TestReaderRefusesForeignRuns(t *testing.T) {
	dir := stored(t)
	params := json.RawMessage(`{"n":99,"small":0,"how":"well","seed":0}`)
	edit(t, dir, RecordsFile, func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		cells := strings.Split(lines[1], ",")
		cells[1], cells[3] = experiments.RunID("toy", params, 0), "99"
		return text + strings.Join(cells, ",")
	})
	set, err := Read(dir, tasktest.Kinds())
	require.NoError(t, err)
	_, err = set.Coverage()
	assert.ErrorContains(t, err, "is not in the grid of config.yaml")
	_, err = Merge(t.Context(), filepath.Join(t.TempDir(), "merged"), []string{dir}, tasktest.Kinds())
	assert.ErrorContains(t, err, "is not in the grid of config.yaml")
	// Without the task, the set still has its columns and types.
	set, err = Read(dir, nil)
	require.NoError(t, err)
	_, err = set.Coverage()
	assert.NoError(t, err)
}

func FuzzRecords(f *testing.F) {
	dir := stored(f)
	set, err := Read(dir, tasktest.Kinds())
	require.NoError(f, err)
	data, err := os.ReadFile(filepath.Join(dir, RecordsFile))
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(strings.Join(set.Columns.Names(), ",") + "\n"))
	f.Add([]byte("schema,id\n1,\"a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader{set: set, file: RecordsFile, lines: map[string]int{}}
		rows, err := r.rows(bytes.NewReader(data))
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, row := range rows {
			require.False(t, ids[row.ID()], "doubled")
			ids[row.ID()] = true
			// What was read can be written and read again.
			again, err := (reader{set: set, file: RecordsFile, lines: map[string]int{}}).rows(
				bytes.NewReader(append(csvLine(set.Columns.Names()), csvLine(row.line(set.Columns))...)))
			require.NoError(t, err)
			require.Len(t, again, 1)
		}
	})
}

// What can be no record set is refused before it fills the memory: a device, a pipe, a file of three
// gigabytes without a line.
func TestReaderRefusesWhatNeverEnds(t *testing.T) {
	for name, replace := range map[string]func(path string) error{
		"not a regular file": func(path string) error { return os.Symlink(os.DevNull, path) },
		"a line of more than": func(path string) error {
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				return err
			}
			return os.Truncate(path, 3<<30)
		},
	} {
		dir := stored(t)
		path := filepath.Join(dir, RecordsFile)
		require.NoError(t, os.Remove(path))
		require.NoError(t, replace(path))
		_, err := Read(dir, nil)
		assert.ErrorContains(t, err, name)
		_, err = Merge(t.Context(), dir, []string{stored(t)}, tasktest.Kinds())
		assert.ErrorContains(t, err, name)
	}
	header := strings.NewReader("schema,\"" + strings.Repeat("a", maxLine+1))
	_, err := reader{file: "x"}.rows(&boundedLines{Reader: header})
	assert.ErrorContains(t, err, "a line of more than")
}

func FuzzEnvironments(f *testing.F) {
	data, err := os.ReadFile(filepath.Join(stored(f), EnvFile))
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte("{}"))
	f.Add([]byte(`{"id": "", "others": [{}], "columns": ["a b c d"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		envs, columns, err := parseEnvironments(EnvFile, data)
		if err != nil {
			return
		}
		data, err = formatEnvironments(envs, columns)
		require.NoError(t, err)
		again, sameColumns, err := parseEnvironments(EnvFile, data)
		require.NoError(t, err)
		require.Equal(t, len(envs), len(again))
		require.Equal(t, columns, sameColumns)
	})
}
