package config

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
	"queens/experiments/tasktest"
	"queens/internal/param"
)

var toys = tasktest.Kinds()

// write writes text to a file in a new folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func loaded(t *testing.T, text string, sets ...string) Experiment {
	t.Helper()
	s, err := Load(write(t, "x.yaml", text), sets, toys)
	require.NoError(t, err)
	return s
}

// mistakes loads a bad configuration and returns the lines of the message, with FILE for the
// file's path.
func mistakes(t *testing.T, text string, sets ...string) []string {
	t.Helper()
	path := write(t, "x.yaml", text)
	_, err := Load(path, sets, toys)
	require.Error(t, err)
	return strings.Split(strings.ReplaceAll(err.Error(), path, "FILE"), "\n")
}

func TestLoadFillsInAndWritesBack(t *testing.T) {
	spec := loaded(t, `
name: squares
task: toy
axes:
  n: [2..4, 10]
  how: well
repeats: 3
limits: {memory: 1GiB}
`)
	assert.Equal(t, Limits{WallClock: defaultWallClock, Memory: 1 << 30}, spec.Limits)
	text, err := spec.YAML()
	require.NoError(t, err)
	assert.Equal(t, `name: squares
task: toy
axes:
  how: well
  n: [2..4, 10]
repeats: 3
limits:
  wall_clock: 10m0s
  memory: 1GiB
`, string(text))
	again, err := Decode("x.yaml", text)
	require.NoError(t, err)
	assert.Equal(t, spec.Hash(), again.Hash())
	asLoaded := loaded(t, string(text))
	assert.Equal(t, spec.Hash(), asLoaded.Hash())
}

func TestLoadReportsEverythingAtOnceWithPlaces(t *testing.T) {
	assert.Equal(t, []string{
		`FILE:1:7: name: "Bad Name": expected a name of lower-case letters, digits and . _ -, starting with a letter or a digit`,
		`FILE:3:1: unknown key "repeets"; did you mean repeats?`,
		`FILE:5:7: axes.n[0]: "0": expected an integer from 1 to 100, or a range such as 4..8, 10..50 step 10 or 0..n/2, or an expression such as n/3`,
		`FILE:5:10: axes.n[1]: "four": expected an integer from 1 to 100, or a range such as 4..8, 10..50 step 10 or 0..n/2, or an expression such as n/3`,
		`FILE:6:8: axes.how: "wel": expected one of well, slowly, hungry, grabbing, panic, error, exit, shot, wrong, disputed, refuted, confirmed, forking, escaping, hiding, awaiting, endless, twice, twisted, halting; did you mean well?`,
		`FILE:7:3: unknown key "order"; known keys: how, n, seed, small`,
		`FILE:9:10: limits.memory: "12": expected an amount such as 512MiB or 4GiB`,
		`FILE:10:10: repeats: "-1": expected an integer from 1 to 100000`,
	}, mistakes(t, `name: Bad Name
task: toy
repeets: 3
axes:
  n: [0, four]
  how: wel
  order: x
limits:
 memory: 12
repeats: -1
`))
}

// The mistakes in an answer are reported before anything is measured.
func TestLoadChecksTheAnswer(t *testing.T) {
	const text = `name: x
task: toy
axes: {n: 3}
answer: >-
  {{$t := table "Size: square"}}At n = 3 it is {{$t.Value "n = 3" "square"}},
  {{(table "ratio").Value "3"}}%s.
report:
  tables: [{title: Size, rows: [n], values: [square, small]}]
  plots:
  - {title: ratio, kind: break-even, x: n, series: [how]}
`
	loaded(t, fmt.Sprintf(text, ""))
	for wrong, want := range map[string]string{
		`{{(table "Size: squares").Value "n"}}`: `no table "Size: squares"; did you mean Size: square?`,
		`{{table (table "ratios").Key}}`:        `no table "ratios"; did you mean ratio?`,
		`{{$u.Value "n"}}`:                      `not a template: undefined variable "$u"`,
		`{{"`:                                   `not a template: unterminated quoted string`,
		`{{tabel "Size"}}`:                      `not a template: function "tabel" not defined`,
	} {
		assert.Equal(t, []string{"FILE:4:9: answer: " + want}, mistakes(t, fmt.Sprintf(text, wrong)), wrong)
	}
	loaded(t, "name: x\ntask: toy\naxes: {n: 3}\nanswer: '{{(table \"of the axes\").Value \"n\"}}'")
}

func TestLoadNamesSlips(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "FILE:1:1: expected keys such as name, task and axes",
		"- a\n":                                 "FILE:1:1: expected keys such as name, task and axes",
		"name: x\n bad\n  : [":                  "FILE:2:1: not YAML: did not find expected key",
		"name: x\ntask: tyo\naxes: {n: 1}":      `FILE:2:7: task: "tyo": expected one of toy; did you mean toy?`,
		"name: x\naxes: {n: 1}":                 `FILE:1:1: key "task" is missing`,
		"name: x\ntask: toy\naxes: {how: well}": `FILE:3:7: key "n" is missing`,
		"name: x\ntask: toy\naxes: {n: []}":     "FILE:3:11: axes.n: the list is empty: expected 1 or more items, each an integer from 1 to 100, or a range such as 4..8, 10..50 step 10 or 0..n/2, or an expression such as n/3",
		"name: x\ntask: toy\naxes: {n: 8..4}":   `FILE:3:11: axes.n: "8..4": the range is empty`,
		"name: x\ntask: toy\naxes: {n: 0..4}":   `FILE:3:11: axes.n: "0": expected an integer from 1 to 100`,
		"name: x\ntask: toy\nrepeats: no\naxes: {n: [8..4, 0..4]}":                              `FILE:3:10: repeats: "no": expected an integer from 1 to 100000`,
		"name: x\ntask: toy\naxes: {n: [8..4, 0..4]}":                                           "FILE:3:12: axes.n[0]: \"8..4\": the range is empty\nFILE:3:18: axes.n[1]: \"0\": expected an integer from 1 to 100",
		"name: x\ntask: toy\naxes: {n: 5, small: 4..n-9, how: well}":                            "FILE:3:21: axes.small: the ranges are empty",
		"name: x\ntask: toy\naxes: {n: 1..m}":                                                   `FILE:3:11: axes.n: "m": no integer axis "m" comes before this one`,
		"name: x\ntask: toy\naxes: {n: [3, 5], small: 4}":                                       "FILE:3:11: axes.n: 3: not valid with any value of the other axes",
		"name: x\ntask: toy\naxes: {n: 3}\nexclude: [{n: '>1'}]":                                "FILE:4:10: exclude: it leaves no run: every point is excluded",
		"name: x\ntask: toy\nname: y\naxes: {n: 3}":                                             `FILE:3:1: not YAML: mapping key "name" already defined at line 1`,
		"name: x\ntask: toy\naxes: {n: }":                                                       `FILE:3:8: key "n" has no value`,
		"name: 2024\ntask: toy\naxes: {n: 3}":                                                   `FILE:1:7: name: "2024": expected a name of lower-case letters, digits and . _ -, starting with a letter or a digit; to YAML this is no text: put it in quotes, as in "2024"`,
		"name: x\ntask: toy\naxes: {n: 3}\nsolvers: {k: {command: k, version: 2.20}}":           `FILE:4:36: solvers.k.version: "2.20": expected text; to YAML this is no text: put it in quotes, as in "2.20"`,
		"name: x\ntask: toy\naxes: {n: 3}\nreport: {plots: [{title: t, kind: lines, x: smal}]}": `FILE:4:45: report.plots[0].x: "smal": expected one of schema, id, task, n, small, how, seed, repeat, outcome, reason, unfinished, answer, agree, checked_by, square, trace, never, encode_seconds, build_seconds, first_query_seconds, later_query_seconds, count_seconds, encode_cpu_seconds, build_cpu_seconds, first_query_cpu_seconds, later_query_cpu_seconds, count_cpu_seconds, wall_seconds, user_seconds, system_seconds, peak_rss_bytes, position, started, load, environment; did you mean small?`,
		"name: x\ntask: toy\naxes: {n: 3}\nreport:\n  tables:\n  - {title: Some time, rows: [n], values: [wall_seconds]}\n  - {title: t, rows: [n], values: [square, build_seconds]}\n  - {title: 't: square', rows: [n], values: [square]}\n  plots:\n  - {title: Some Time, kind: lines, x: n, y: wall_seconds}\n  - {title: some-time, kind: break-even, x: n, series: [how]}\n  - {title: '?', kind: cactus, y: wall_seconds}": `FILE:8:13: report.tables[2].title: table "t: square" would be the file t-square.csv, like table "t: square": choose another title
FILE:11:13: report.plots[1].title: plot "some-time" would be the file some-time.svg, like plot "Some Time": choose another title
FILE:11:13: report.plots[1].title: table "some-time" would be the file some-time.csv, like table "Some time": choose another title
FILE:12:13: report.plots[2].title: plot "?": the title has no ASCII letter or digit for a file name: choose another title`,
		"name: x\ntask: toy\naxes: {n: [3, 5], small: 4}\nreport: {plots: [{title: '?', kind: cactus, y: square}]}": "FILE:3:11: axes.n: 3: not valid with any value of the other axes\nFILE:4:26: report.plots[0].title: plot \"?\": the title has no ASCII letter or digit for a file name: choose another title",
	} {
		got := mistakes(t, text)
		assert.Equal(t, want, strings.Join(got, "\n"), text)
	}
}

func TestOverrides(t *testing.T) {
	const text = "name: x\ntask: toy\naxes: {n: 3}\nrepeats: 2\n"
	t.Setenv("QUEENS_REPEATS", "5")
	t.Setenv("QUEENS_AXES_N", "4..6,9")
	t.Setenv("QUEENS_LIMITS_MEMORY", "64MiB")
	spec := loaded(t, text)
	assert.Equal(t, 5, spec.Repeats)
	assert.Equal(t, param.Bytes(64<<20), spec.Limits.Memory)
	runs := spec.Runs
	assert.Len(t, runs, 4*5)
	assert.Equal(t, []string{
		"environment variable QUEENS_REPEATS=5 overrides repeats",
		"environment variable QUEENS_LIMITS_MEMORY=64MiB overrides limits.memory",
		"environment variable QUEENS_AXES_N=4..6,9 overrides axes.n",
	}, spec.Notes)
	assert.Equal(t, []string{"environment variable QUEENS_LIMITS_MEMORY=64MiB overrides limits.memory"},
		loaded(t, text, "repeats=7", "axes.n=5").Notes, "what --set overrides in turn has no effect")

	spec = loaded(t, text, "repeats=7", "axes.n=[5]", "axes.how=wrong", "limits.wall_clock=3s")
	assert.Equal(t, 7, spec.Repeats)
	assert.Equal(t, "3s", spec.Limits.WallClock.String())
	assert.Equal(t, Axis{"wrong"}, spec.Axes["how"])
	assert.Equal(t, Axis{json.Number("5")}, spec.Axes["n"])

	t.Setenv("QUEENS_REPEATS", "many")
	assert.Equal(t, []string{
		`--set axes.n=x: axes.n: "x": expected an integer from 1 to 100, or a range such as 4..8, 10..50 step 10 or 0..n/2, or an expression such as n/3`,
		`--set n=4..6: unknown key "n"; did you mean axes.n?`,
		`environment variable QUEENS_REPEATS=many: repeats: "many": expected an integer from 1 to 100000`,
	}, mistakes(t, text, "axes.n=x", "n=4..6"))
	t.Setenv("QUEENS_REPEATS", "")
	assert.Equal(t, []string{`--set axes.m=3: unknown key "m"; did you mean n?`}, mistakes(t, text, "axes.m=3"))
	assert.Equal(t, []string{`--set axes=3: axes: "3": expected a mapping of keys to values`}, mistakes(t, text, "axes=3"))
	assert.Equal(t, []string{"--set repeats: expected KEY=VALUE, as in repeats=3 or axes.n=4..6"}, mistakes(t, text, "repeats", "repeats=3")[:1])

	t.Setenv("QUEENS_BRIDGES", "bin/bridges")
	loaded(t, text)
	for misspelt, hint := range map[string]string{
		"QUEENS_REPEAT": "; did you mean QUEENS_REPEATS?", "QUEENS_AXES_SMAL": "; did you mean QUEENS_AXES_SMALL?",
		"QUEENS_LIMITS_WALLCLOCK": "; did you mean QUEENS_LIMITS_WALL_CLOCK?", "QUEENS_OF_ENGLAND_AND_SCOTLAND": "",
	} {
		t.Setenv(misspelt, "3")
		assert.Equal(t, []string{"environment variable " + misspelt + ": it overrides no key of a configuration" + hint},
			mistakes(t, text))
		require.NoError(t, os.Unsetenv(misspelt))
	}
}

func TestGridDependsNormalisesAndExcludes(t *testing.T) {
	spec := loaded(t, `
name: x
task: toy
axes:
  n: [4, 7, 10..30 step 10, 2..40 times 3]
  small: 0..n/2
  seed: [1, 2]
exclude:
- {n: "> 9", small: ">= n/5"}
- {n: [2, 6, 18], small: [1, "> 1"]}
repeats: 2
`)
	runs := spec.Runs
	count := map[string]int{}
	names := map[string]bool{}
	for _, r := range runs {
		count[parameters(t, r)]++
		names[r.ID] = true
	}
	assert.Len(t, names, len(runs))
	want := 0
	for n, smallest := range map[int]int{4: 2, 7: 3, 10: 1, 20: 3, 30: 5, 2: 0, 6: 0, 18: 0} {
		want += 2 * (1 + 2*smallest) // small 0 has no seed
		_ = n
	}
	assert.Len(t, runs, want)
	assert.Equal(t, 2, count[`{"n":7,"small":3,"how":"well","seed":2}`])
	assert.Equal(t, 2, count[`{"n":7,"small":0,"how":"well","seed":0}`])
	assert.Zero(t, count[`{"n":10,"small":2,"how":"well","seed":1}`])
	assert.Zero(t, count[`{"n":6,"small":1,"how":"well","seed":1}`])
}

// The notes name listed values that make no run of their own (here seeds of a toy whose small is 0), and an
// exclusion that leaves nothing out.
func TestGridNamesWhatMakesNoRun(t *testing.T) {
	spec := loaded(t, "name: x\ntask: toy\naxes: {n: 4, small: 0, seed: 1..12}\nexclude: [{n: 5}]\n")
	assert.Equal(t, []string{
		"axes.seed: 2, 3, 4, ..., 12 without runs of their own: with the other axes they change nothing",
		"exclude[0] leaves nothing out",
	}, spec.Notes)
	spec = loaded(t, "name: x\ntask: toy\naxes: {n: 4, small: [0, 1], seed: 1..12}\nexclude: [{seed: 5}]\n")
	assert.Empty(t, spec.Notes)
}

// A report that no records of the grid could fill is refused before the first run, and so are exclusions that leave none.
func TestReportThatCannotBeMade(t *testing.T) {
	const head = "name: x\ntask: toy\naxes: {n: [3, 4], how: [well, slowly], seed: 1..2, small: 1}\n"
	table := func(rest string) string {
		return head + "report:\n  tables:\n  - {title: t, rows: [n], values: [square]" + rest + "}\n"
	}
	plot := func(rest string) string { return head + "report:\n  plots:\n  - {title: p, " + rest + "}\n" }
	const joined = "one number would stand for different values of how: add how to the "
	for text, want := range map[string]string{
		table(""): "FILE:6:22: report.tables[0].rows: " + joined + "rows or columns, or choose one with where",
		plot("kind: lines, x: n, y: square, series: [seed]"):                             "FILE:6:54: report.plots[0].series: " + joined + "series, or choose one with where",
		plot("kind: lines, x: how, y: square, series: [n]"):                              "FILE:6:32: report.plots[0].x: how has no numbers here: expected a parameter or a measure that has",
		plot("kind: ratio, x: n, y: square, series: [how], base: good"):                  `FILE:6:67: report.plots[0].base: "good": expected one of the series slowly, well`,
		plot("kind: break-even, x: n"):                                                   "FILE:6:22: report.plots[0].kind: break-even: a plot of this kind needs series, too",
		head + "exclude: [{n: '> 2'}]\n":                                                 "FILE:4:10: exclude: it leaves no run: every point is excluded",
		"name: x\ntask: toy\naxes: {n: [3, 4], small: 5..n, seed: 1}\nexclude: [{n: 9}]": "FILE:3:26: axes.small: the ranges are empty",
	} {
		assert.Equal(t, []string{want}, mistakes(t, text), text)
	}
	for _, text := range []string{
		table(", columns: [how]"), table(", where: {how: well}"),
		plot("kind: lines, x: n, y: square, series: [how]"), plot("kind: cactus, y: wall_seconds"),
		plot("kind: ratio, x: n, y: square, series: [how], base: slowly"),
		plot("kind: lines, x: square, y: wall_seconds, series: [how]"), // a measure: records will tell
	} {
		loaded(t, text)
	}
}

func TestShuffleInterleavesAndRepeats(t *testing.T) {
	runs := loaded(t, "name: x\ntask: toy\naxes: {n: 1..30}\nrepeats: 3\n").Runs
	a, b, c := shuffled(runs, 1), shuffled(runs, 1), shuffled(runs, 2)
	assert.Equal(t, a, b)
	assert.NotEqual(t, a, c)
	assert.Equal(t, runs, shuffled(runs, 0), "a grid comes in its seed's order")
	assert.ElementsMatch(t, ids(runs), ids(a))
	for i, r := range a {
		assert.Equal(t, i/30, r.Repeat, "each round holds every point once")
		assert.Equal(t, i+1, r.Position)
	}
}

// parameters returns the text that the run's id is a hash of, without the repeat.
func parameters(t *testing.T, r experiments.Run) string {
	t.Helper()
	text, err := r.Task.JSON()
	require.NoError(t, err)
	return string(text)
}

func ids(runs []experiments.Run) []string {
	var list []string
	for _, r := range runs {
		list = append(list, r.ID)
	}
	return list
}

// The validator knows every keyword that the schema uses.
func TestSchemaUsesKnownKeywords(t *testing.T) {
	text, err := json.Marshal(Schema(tasktest.Kinds()))
	require.NoError(t, err)
	known := strings.Fields(`$schema $defs $ref title description default examples format type enum const pattern minimum maximum
		items minItems properties required additionalProperties propertyNames anyOf allOf if then`)
	var walk func(schema any)
	walk = func(schema any) {
		keywords, _ := schema.(map[string]any)
		for keyword, value := range keywords {
			assert.Contains(t, known, keyword)
			switch keyword {
			case "$defs", "properties":
				for _, below := range value.(map[string]any) {
					walk(below)
				}
			case "anyOf", "allOf":
				for _, below := range value.([]any) {
					walk(below)
				}
			case "items", "additionalProperties", "propertyNames", "if", "then":
				walk(value)
			}
		}
	}
	var schema any
	require.NoError(t, json.Unmarshal(text, &schema))
	walk(schema)
}

// An exclusion may compare an axis with a later one.
func TestExclusionByALaterAxis(t *testing.T) {
	spec := loaded(t, "name: x\ntask: toy\naxes: {n: 1..6, small: 0..3}\nexclude: [{n: '> small'}, {small: 2}]\n")
	runs := spec.Runs
	var points []string
	for _, r := range runs {
		points = append(points, parameters(t, r))
	}
	assert.ElementsMatch(t, points, []string{
		`{"n":1,"small":1,"how":"well","seed":0}`, `{"n":3,"small":3,"how":"well","seed":0}`,
	})
}

// In a balanced grid, a point without a seed (here a toy whose small is 0) has a run for each seed.
func TestBalanced(t *testing.T) {
	const text = "name: x\ntask: toy\naxes: {n: 4, small: [0, 1], seed: 1..5}\nrepeats: 2\nbalanced: "
	count := func(text string) map[string]int {
		times, ids := map[string]int{}, map[string]bool{}
		for _, r := range loaded(t, text).Runs {
			times[parameters(t, r)]++
			ids[r.ID] = true
		}
		assert.Len(t, ids, len(loaded(t, text).Runs), "each run has its own name")
		return times
	}
	without, with := `{"n":4,"small":0,"how":"well","seed":0}`, `{"n":4,"small":1,"how":"well","seed":3}`
	assert.Equal(t, []int{2, 2}, []int{count(text + "false")[without], count(text + "false")[with]})
	assert.Equal(t, []int{10, 2}, []int{count(text + "true")[without], count(text + "true")[with]})
	balanced := loaded(t, text+"true")
	assert.NotEqual(t, loaded(t, text+"false").Hash(), balanced.Hash(), "another measurement")
	again, err := Decode("x", must(balanced.YAML()))
	require.NoError(t, err)
	runs, err := again.Grid(balanced.Kind)
	require.NoError(t, err)
	assert.Equal(t, balanced.Runs, runs, "from a record set's configuration")
}

func must(data []byte, _ error) []byte { return data }
