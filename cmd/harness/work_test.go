package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends/search/threshold"
	"queens/configure/pool"
	"queens/encode"
	"queens/ui/web"
)

// onConsole returns what a command's work needs, and what it prints.
func onConsole(t *testing.T) (context.Context, console, *bytes.Buffer) {
	t.Helper()
	out := &bytes.Buffer{}
	ctx := withWork(t.Context(), io.Discard)
	workOf(ctx).limit = 1 << 30
	return ctx, console{out: out, err: io.Discard}, out
}

// The work of a command needs no command line: here are those with the most to do.
func TestListing(t *testing.T) {
	ctx, c, out := onConsole(t)
	p, err := encode.Queens(4, nil, nil)
	require.NoError(t, err)
	o := listFlags{flags: flags{Setup: ask.Setup{Problem: ask.Queens, N: 4}}}
	require.NoError(t, o.list(ctx, c, p))
	assert.Equal(t, "b1 d2 a3 c4\nc1 a2 d3 b4\n", out.String())
}

func TestThreshold(t *testing.T) {
	ctx, c, out := onConsole(t)
	c.json = true
	o := thresholdFlags{n: 9, Options: threshold.Options{Seed: 1, Anneals: threshold.Anneals}}
	require.NoError(t, o.threshold(ctx, c))
	var found thresholdReport
	require.NoError(t, json.Unmarshal(out.Bytes(), &found))
	known, published := threshold.Known(9)
	require.True(t, published)
	assert.Equal(t, &known, found.Threshold)
	assert.Len(t, found.Witness, known+1)
	assert.ErrorContains(t, (&thresholdFlags{n: 8, queens: 9, given: true}).threshold(ctx, c), "flag --queens 9: expected 1 to 8")
}

// A search keeps the better order of its own and the file's.
func TestOrderSearch(t *testing.T) {
	ctx, c, out := onConsole(t)
	c.file = filepath.Join(t.TempDir(), "found.order")
	o := searchFlags{seed: 1, lasting: time.Minute, evaluations: math.MaxInt64}
	o.N, o.Order, o.Diagram, o.Workers = 4, "row-major", "bdd", 1
	require.NoError(t, o.search(ctx, c))
	assert.Contains(t, out.String(), "bdd of 23 nodes, the smallest there is, proved; row-major has 29")
	first, err := os.ReadFile(c.file)
	require.NoError(t, err)
	assert.Regexp(t, "^# n = 4, bdd of 23 nodes: best-bdd\n", string(first))
	require.NoError(t, o.search(ctx, c))
	again, err := os.ReadFile(c.file)
	require.NoError(t, err)
	assert.Equal(t, first, again)
}

func TestFilledDocuments(t *testing.T) {
	_, c, out := onConsole(t)
	dir := t.TempDir()
	template := filepath.Join(dir, "page.md")
	require.NoError(t, os.WriteFile(template, []byte("{{\"1\"}} and no more\n"), 0o600))
	o := docsFlags{out: "-", records: dir}
	require.NoError(t, o.fill(c, []string{template}))
	assert.Equal(t, "1 and no more\n", out.String())
	o.out, o.check = filepath.Join(dir, "made"), true
	assert.Equal(t, 1, codeOf(o.fill(c, []string{template})))
	assert.NoDirExists(t, o.out, "a check writes nothing")
	o.check = false
	require.NoError(t, o.fill(c, []string{template}))
	o.check = true
	require.NoError(t, o.fill(c, []string{template}))
	o.out = dir
	assert.ErrorContains(t, o.fill(c, []string{template}), "would replace its template")
}

// The server ends with its context, and says where it listens.
func TestServing(t *testing.T) {
	ctx, c, _ := onConsole(t)
	ctx, end := context.WithCancel(ctx)
	said, says := io.Pipe()
	c.out = says
	o := serveFlags{addr: "127.0.0.1:0", limits: pool.Limits{MaxN: 8, MaxBDD: 8}, config: web.Config{Time: time.Second, Queue: 1}}
	o.problem.Problem = ask.Queens
	ended := make(chan error)
	go func() { ended <- o.serve(ctx, c) }()
	line := make([]byte, 200)
	n, err := said.Read(line)
	require.NoError(t, err)
	assert.Regexp(t, regexp.MustCompile(`^The configurator is at http://127\.0\.0\.1:\d+/ `), string(line[:n]))
	end()
	require.NoError(t, <-ended)
	assert.ErrorContains(t, (&serveFlags{}).serve(ctx, c), "expected more than 0")
}

// A dumb terminal gets no escape sequences: nothing is drawn again.
func TestDumbTerminalIsNotRedrawn(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !isTerminal(terminal) {
		t.Skip("no pseudo-terminals here: Linux has them")
	}
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	assert.True(t, redraws(terminal))
	t.Setenv("TERM", "dumb")
	assert.False(t, redraws(terminal))
}
