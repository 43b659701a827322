package spec

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Configurations that exhausted memory, or were read as something other than they say.
func TestHostileYAML(t *testing.T) {
	const head = "name: x\ntask: toy\naxes: {n: 3}\n"
	laughs := "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
	for c := 'b'; c < 'm'; c++ {
		alias := "*" + string(c-1)
		laughs += string(c) + ": &" + string(c) + " [" + strings.Repeat(alias+",", 9) + alias + "]\n"
	}
	for text, want := range map[string]string{
		head + "report: &r {tables: *r}\n":                       "nested more than 64 deep",
		head + "exclude: &e [{n: 1}, *e]\n":                      "nested more than 64 deep",
		head + laughs:                                            "the configuration holds more than 100000 values",
		head + strings.Repeat("[", 5000):                         "",
		head + "---\nname: y\n":                                  "FILE:4:1: a second document begins here",
		head + "---\n":                                           "FILE:4:1: a second document begins here",
		"name: x\ntask: toy\naxes: {n: 010}\n":                   `FILE:3:11: axes.n: "010": expected an integer in decimal digits, without a leading zero`,
		"name: x\ntask: toy\naxes: {n: [0x10, 0b1, 1_0]}\n":      `axes.n[2]: "1_0": expected an integer in decimal digits`,
		"name: x\ntask: toy\naxes: {n: 010..012}\n":              `FILE:3:11: axes.n: "010..012": expected an integer from 1 to 100, or a range`,
		"name: x\ntask: toy\naxes: {n: 3}\n? [a]\n: b\n":         "expected a key: a word before a colon",
		"name: x\ntask: toy\naxes: {<<: {n: 3}, n: 4}\n":         "expected a key: a word before a colon",
		"name: x\ntask: toy\naxes: {n: 3, seed: 1..9 times 1}\n": "a range with times starts at 1 or more and multiplies by 2 or more",
		// The product of 10 and itself passes 64 bits before it passes the end.
		"name: x\ntask: toy\naxes: {n: 3, seed: 1..999999999999999999 times 999999999}\nrepeats: 0\n": `repeats: "0"`,
		"name: x\ntask: toy\naxes: {n: 3, small: n*999999999..n*999999999 times 999999999}\n":         "axes.n: 3: not valid",
	} {
		start := time.Now()
		got := strings.Join(mistakes(t, text), "\n")
		assert.Contains(t, got, want, text)
		assert.Less(t, time.Since(start), 20*time.Second, text)
	}
	// An alias is not a mistake in itself.
	s := load(t, "name: x\ntask: toy\naxes: {n: &n [3, 4], seed: *n}\n")
	assert.Equal(t, s.Axes["n"], s.Axes["seed"])
}

func TestRangesEndBeforeTheyOverflow(t *testing.T) {
	for text, want := range map[string]int{
		"1..999999999999999999 times 999999999":         3,
		"999999999999999990..999999999999999999":        10,
		"1..9 step 999999999":                           1,
		"n*999999999..999999999999999999 times 1000000": 2,
	} {
		values, isRange, err := expandRange(text, map[string]int64{"n": 9})
		require.NoError(t, err, text)
		assert.True(t, isRange)
		assert.Len(t, values, want, text)
		for i := 1; i < len(values); i++ {
			assert.Greater(t, values[i], values[i-1], text)
		}
	}
	_, _, err := expandRange("n*999999999..n", map[string]int64{"n": 1 << 40})
	assert.ErrorIs(t, err, errOverflow)
	_, err = eval("n-9", map[string]int64{"n": -1 << 63})
	assert.ErrorIs(t, err, errOverflow)
}

// A misspelt task is reported, and the rest is checked for the task that was meant.
func TestMisspeltTaskHasItsAxesChecked(t *testing.T) {
	assert.Equal(t, []string{
		`FILE:2:7: task: "tyo": expected one of toy; did you mean toy?`,
		`FILE:3:11: axes.n: "0": expected an integer from 1 to 100, or a range such as 4..8, 10..50 step 10 or 0..n/2, or an expression such as n/3`,
		`FILE:3:14: unknown key "hwo"; did you mean how?`,
	}, mistakes(t, "name: x\ntask: tyo\naxes: {n: 0, hwo: well}\n"))
}

func TestLargeFilesAreNotRead(t *testing.T) {
	_, _, _, err := Load("/dev/zero", nil, toys)
	if os.PathSeparator == '/' {
		assert.ErrorContains(t, err, "/dev/zero: more than 1048576 bytes")
	}
}

// FuzzLoad checks that loading never crashes, and that an accepted configuration can be written
// and read back.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"name: x\ntask: toy\naxes: {n: 3}\n",
		"name: x\ntask: toy\naxes: {n: [2..4, 10..30 step 10, 1..9 times 3], small: 0..n/2, how: [well, wrong]}\nrepeats: 3\n",
		"name: x\ntask: toy\naxes: {n: 3}\nexclude: [{n: '>1', how: [well]}]\nlimits: {wall_clock: 90s, memory: 64MiB}\n",
		"name: x\ntask: toy\naxes: {n: 3}\nreport: {tables: [{title: t, rows: [n], values: [square]}], plots: [{title: p, kind: lines, x: n, y: square}]}\n",
		"a: &a [*a]\n", "name: x\n---\nname: y\n", "? [a]\n: b\n", "x: 010\n", "\x00", "{", "- a\n", "%YAML 9.9\n---\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := loader{tree: tree{file: "f", places: map[string]place{}}, kinds: toys}
		s, _, err := l.load(data, nil)
		if err != nil {
			return
		}
		text, err := s.YAML()
		require.NoError(t, err)
		again, err := Decode("f", text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, s.Hash(), again.Hash(), "%s", text)
	})
}

// A value of an axis may be an expression of another axis, and so may a condition.
func TestExpressionsAsValues(t *testing.T) {
	s := load(t, "name: x\ntask: toy\naxes: {n: [3, 6, 9], small: [n/3, 0], seed: 1}\nexclude: [{n: 6, small: n/3}]\n")
	runs, err := s.Grid(toys)
	require.NoError(t, err)
	var params []string
	for _, r := range runs {
		params = append(params, string(r.Params))
	}
	assert.ElementsMatch(t, []string{
		`{"n":3,"small":1,"how":"well","seed":1}`, `{"n":9,"small":3,"how":"well","seed":1}`,
		`{"n":3,"small":0,"how":"well","seed":0}`, `{"n":6,"small":0,"how":"well","seed":0}`,
		`{"n":9,"small":0,"how":"well","seed":0}`,
	}, params)
	assert.Equal(t, []string{`FILE:3:21: axes.small: "n/0": division by zero`},
		mistakes(t, "name: x\ntask: toy\naxes: {n: 3, small: n/0}\n"))
}
