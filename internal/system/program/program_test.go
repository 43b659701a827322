//go:build unix

package program

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRun(t *testing.T) {
	words, err := Find("  sh   -c x ")
	require.NoError(t, err)
	assert.Equal(t, []string{"-c", "x"}, words[1:])
	run := func(script string) (Output, error) {
		return Run(context.Background(), []string{words[0], "-c", script})
	}
	out, err := run("echo one; echo two; echo why >&2; exit 3")
	require.NoError(t, err)
	assert.Equal(t, Output{3, []byte("one\ntwo\n"), []byte("why\n")}, out)
	_, err = run("echo first >&2; echo ' last words ' >&2; echo >&2; kill -9 $$")
	assert.EqualError(t, err, "it ended: signal: killed: last words")

	// Processes that it leaves behind are killed, and do not delay the answer.
	start := time.Now()
	out, err = run("sleep 600 & echo done")
	require.NoError(t, err)
	assert.Equal(t, "done\n", string(out.Stdout))
	assert.Less(t, time.Since(start), time.Minute)

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = Run(ctx, []string{words[0], "-c", "sleep 600 | sleep 600"})
	assert.ErrorIs(t, err, context.DeadlineExceeded)

	// An output without end is cut off, and so is the program.
	_, err = run("while :; do head -c 1000000 /dev/zero; done")
	assert.ErrorIs(t, err, ErrMuch)
	_, err = Find(" ")
	assert.EqualError(t, err, "an empty command")
	_, err = Find("no-such-program -x")
	assert.ErrorContains(t, err, "no-such-program")
}

// Commands quote as shells do, and no more; a list of words is the command that splits into them.
func TestCommandsQuote(t *testing.T) {
	for command, want := range map[string][]string{
		`"my solvers/kissat" -q {cnf}`:  {"my solvers/kissat", "-q", "{cnf}"},
		`sh -c 'minisat "$1" {result}'`: {"sh", "-c", `minisat "$1" {result}`},
		`my\ solver *.cnf $HOME ~ a;b`:  {"my solver", "*.cnf", "$HOME", "~", "a;b"},
		`solver --name='a b' "" -x=\"`:  {"solver", "--name=a b", "", `-x="`},
	} {
		words, err := Split(command)
		require.NoError(t, err)
		assert.Equal(t, want, words)
	}
	_, err := Find(`sh -c 'minisat {cnf}`)
	assert.EqualError(t, err, `command "sh -c 'minisat {cnf}": a quote is not closed`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab '\"\\#\t\n{}$-é")))).Draw(t, "words")
		again, err := Split(Join(words))
		require.NoError(t, err)
		require.Equal(t, words, append([]string{}, again...), "%q", Join(words))
	})
}

func TestDescriptionsTakeLists(t *testing.T) {
	for text, want := range map[string]string{
		`{"command": "kissat -q {cnf}", "version": "4"}`: "kissat -q {cnf}",
		`{"command": ["my solvers/kissat", "{cnf}"]}`:    "'my solvers/kissat' {cnf}",
	} {
		var d Description
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		assert.Equal(t, want, d.Command)
	}
	assert.Error(t, json.Unmarshal([]byte(`{"command": [1]}`), &Description{}))
}

func TestTailKeepsTheEnd(t *testing.T) {
	var tail Tail
	for range 10_000 {
		_, err := tail.Write([]byte("noise\n"))
		require.NoError(t, err)
	}
	_, err := tail.Write([]byte("the end\n\n"))
	require.NoError(t, err)
	assert.Equal(t, "the end", tail.Last())
	assert.Len(t, tail.Bytes(), tailBytes)
	assert.Equal(t, strings.Repeat("x", 200)+"...", LastLine([]byte(strings.Repeat("x", 300))))
	assert.Empty(t, LastLine(nil))
}
