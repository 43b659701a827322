package config

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
		head + "report: &r {tables: *r}\n":  "value contains itself",
		head + "exclude: &e [{n: 1}, *e]\n": "value contains itself",
		head + laughs:                       "excessive aliasing",
		head + strings.Repeat("[", 5000):    "",
		head + "report: " + strings.Repeat("{a: ", 4000) + "1" + strings.Repeat("}", 4000) + "\n": "FILE:4:82: nested more than 20 deep",
		"name: x\ntask: toy\naxes: {n: 010}\n":                                                    `FILE:3:11: "010": expected an integer in decimal digits, without a leading zero`,
		"name: x\ntask: toy\naxes: {n: [0x10, 0b1, 1_0]}\n":                                       `FILE:3:23: "1_0": expected an integer in decimal digits`,
		"name: x\ntask: toy\naxes: {n: 010..012}\n":                                               `FILE:3:11: axes.n: "010..012": expected an integer from 1 to 100, or a range`,
		"name: x\ntask: toy\naxes: {n: 3}\n? [a]\n: b\n":                                          "cannot unmarshal !!seq into string",
		"name: x\ntask: toy\naxes: {n: 3, seed: 1..9 times 1}\n":                                  "a range with times starts at 1 or more and multiplies by 2 or more",
		head + "---\nname: y\n":                                                                   "FILE:4:1: a second YAML document begins here: expected only one",
		head + "---\n":                                                                            "a second YAML document begins here",
		head + "---\n{":                                                                           "not YAML: ",
		strings.Repeat("\x01", 99):                                                                "FILE:1:1: yaml: control characters are not allowed",
		strings.Repeat("\x00", 99):                                                                "FILE:1: NUL byte: expected text",
		// The product of 10 and itself passes 64 bits before it passes the end.
		"name: x\ntask: toy\naxes: {n: 3, seed: 1..999999999999999999 times 999999999}\nrepeats: 0\n": `repeats: "0"`,
		"name: x\ntask: toy\naxes: {n: 3, small: n*999999999..n*999999999 times 999999999}\n":         "axes.n: 3: not valid",
	} {
		start := time.Now()
		got := strings.Join(mistakes(t, text), "\n")
		assert.Contains(t, got, want, text)
		assert.Less(t, time.Since(start), 20*time.Second, text)
	}
	for never, want := range map[string]string{os.DevNull: "not a regular file", t.TempDir(): "is a directory"} {
		_, err := Load(never, nil, toys)
		assert.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{
		"---\nname: y\n":          "config.yaml:4:1: a second YAML document begins here: expected only one",
		`question: "\e]0;evil\a"`: `config.yaml:4:11: "\x1b]0;evil\a" has a control character`,
		`report: {plots: [{title: "\u009bevil", kind: lines}]}`: `config.yaml:4:26: "\u009bevil" has a control character`,
		`report: {labels: {a: "b\ac"}}`:                         `config.yaml:4:22: "b\ac" has a control character`,
	} {
		_, err := Decode("config.yaml", []byte(head+text))
		assert.EqualError(t, err, want)
	}
	loaded(t, "---\n"+head+"...\n")
	// An alias is not a mistake in itself.
	s := loaded(t, "name: x\ntask: toy\naxes: {n: &n [3, 4], seed: *n}\n")
	assert.Equal(t, s.Axes["n"], s.Axes["seed"])
}

func TestRangesEndBeforeTheyOverflow(t *testing.T) {
	for text, want := range map[string]int{
		"1..999999999999999999 times 999999999":         3,
		"999999999999999990..999999999999999999":        10,
		"1..9 step 999999999":                           1,
		"n*999999999..999999999999999999 times 1000000": 2,
	} {
		values, err := integers(text, func(string) string { return "9" })
		require.NoError(t, err, text)
		assert.Len(t, values, want, text)
		for i := 1; i < len(values); i++ {
			assert.Greater(t, values[i], values[i-1], text)
		}
	}
	_, err := integers("n*999999999..n", func(string) string { return "1099511627776" })
	assert.ErrorContains(t, err, "does not fit in 64 bits")
	_, err = eval("n-9", func(string) string { return "-9223372036854775808" })
	assert.ErrorContains(t, err, "does not fit in 64 bits")
}

// FuzzLoad checks that loading never crashes, and that an accepted configuration can be written
// and read back.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"name: x\ntask: toy\naxes: {n: 3}\n", "name: x\ntask: toy\naxes: {}\n",
		"name: x\ntask: toy\naxes: {n: [2..4, 10..30 step 10, 1..9 times 3], small: 0..n/2, how: [well, wrong]}\nrepeats: 3\n",
		"name: x\ntask: toy\naxes: {n: 3}\nexclude: [{n: '>1', how: [well]}]\nlimits: {wall_clock: 90s, memory: 64MiB}\n",
		"name: x\ntask: toy\naxes: {n: 3}\nreport: {tables: [{title: t, rows: [n], values: [square]}], plots: [{title: p, kind: lines, x: n, y: square}]}\n",
		"a: &a [*a]\n", "name: x\n---\nname: y\n", "? [a]\n: b\n", "x: 010\n", "\x00", "{", "- a\n", "%YAML 9.9\n---\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := load("f", data, nil, toys)
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
	s := loaded(t, "name: x\ntask: toy\naxes: {n: [3, 6, 9], small: [n/3, 0], seed: 1}\nexclude: [{n: 6, small: n/3}]\n")
	var params []string
	for _, r := range s.Runs {
		params = append(params, parameters(t, r))
	}
	assert.ElementsMatch(t, []string{
		`{"n":3,"small":1,"how":"well","seed":1}`, `{"n":9,"small":3,"how":"well","seed":1}`,
		`{"n":3,"small":0,"how":"well","seed":0}`, `{"n":6,"small":0,"how":"well","seed":0}`,
		`{"n":9,"small":0,"how":"well","seed":0}`,
	}, params)
	assert.Equal(t, []string{`FILE:3:21: axes.small: "n/0": division by zero`},
		mistakes(t, "name: x\ntask: toy\naxes: {n: 3, small: n/0}\n"))
}
