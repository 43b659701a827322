package record

import (
	"encoding/json"
	"fmt"
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
	kinds := tasktest.Kinds()
	runs, err := s.Grid(kinds)
	require.NoError(t, err)
	st, err := Open(dir, s, kinds, runs, Observe(s), OpenMode{})
	require.NoError(t, err)
	for _, run := range runs {
		row := Row(run.Task.Parameters())
		row["schema"], row["id"], row["task"], row["repeat"] = SchemaVersion, run.ID, s.Task, "0"
		row["outcome"], row["answer"], row["agree"] = "ok", "a, \"quoted\" one", "yes"
		row["square"], row["trace"], row["wall_seconds"] = "9", "1;2;3", "0.25"
		row["position"], row["started"], row["environment"] = fmt.Sprint(run.Position), Now(), st.Environment()
		require.NoError(t, st.Append(row))
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
			`records.csv:\d: run [0-9a-f]{16} is not in the grid of config.yaml|has position`},
		"seed": {ConfigFile, first("repeats: 1\n", "repeats: 1\nseed: 12345\n"), `has position \d, but \d in the grid`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := stored(t)
			edit(t, dir, c.file, c.change)
			_, err := Read(dir, tasktest.Kinds())
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
	_, err := Read(dir, tasktest.Kinds())
	assert.ErrorContains(t, err, "is not in the grid of config.yaml")
	// Without the task, the set still has its columns and types.
	_, err = Read(dir, nil)
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
		rows, err := r.rows(data[:wholeLines(data)])
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, row := range rows {
			require.False(t, ids[row.ID()], "doubled")
			ids[row.ID()] = true
			// What was read can be written and read again.
			again, err := (reader{set: set, file: RecordsFile, lines: map[string]int{}}).rows(
				append(csvLine(set.Columns.Names()), row.line(set.Columns)...))
			require.NoError(t, err)
			require.Len(t, again, 1)
		}
	})
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
