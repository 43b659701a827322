//go:build unix

package packages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/encodetest"
	"queens/order"
	"queens/robdd"
)

func problem(t *testing.T, family string, n int, orderName string) (encode.Problem, order.Order) {
	t.Helper()
	p := encodetest.Family(t, family, n)
	named, err := order.ByName(orderName)
	require.NoError(t, err)
	o, err := named.For(context.Background(), p)
	require.NoError(t, err)
	return p, o
}

// build lets an engine build a problem's diagram.
func build(ctx context.Context, t *testing.T, e Engine, p encode.Problem, o order.Order) (Answer, error) {
	t.Helper()
	in, err := e.Prepare(p, o, "row-wise", "bdd")
	require.NoError(t, err)
	defer func() {
		require.NoError(t, in.Close())
		assert.NoFileExists(t, filepath.Join(in.dir, "problem"))
	}()
	return in.Build(ctx)
}

// The example in docs/do/package.md builds the same diagrams as our engine, in
// any order.
func TestToyAgainstOurs(t *testing.T) {
	toy := Engine{Name: "toy", Command: "awk -f testdata/toy.awk {cnf}"}
	for _, c := range []struct {
		family string
		n      int
		order  string
	}{
		{"queens", 1, "row-major"}, {"queens", 3, "row-major"}, {"queens", 4, "row-major"}, {"queens", 4, "random:7"},
		{"rooks", 3, "row-major"}, {"dominoes", 2, "force:1"},
	} {
		p, o := problem(t, c.family, c.n, c.order)
		a, err := build(context.Background(), t, toy, p, o)
		require.NoError(t, err)
		compiled, err := bdd.Compile(context.Background(), p, o, bdd.Options{})
		require.NoError(t, err)
		count, err := bdd.New(compiled).Count(context.Background(), nil)
		require.NoError(t, err)
		assert.Equal(t, compiled.Nodes(robdd.BDD), *a.Nodes, "%v", c)
		assert.Equal(t, count.String(), a.Solutions, "%v", c)
		assert.Equal(t, "toy 1.0", a.Engine)
		assert.Nil(t, a.Bytes)
	}
}

// script is an engine that is a shell script.
func script(t *testing.T, body string) Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755))
	return Engine{Name: "script", Command: path + " {ops} {diagram}"}
}

// An engine would count the auxiliary variables of clauses, and a number that a projected file leaves out.
func TestOnlyTheProblemsVariables(t *testing.T) {
	p, o := problem(t, "partition", 4, "natural")
	for command, can := range map[string]bool{"awk {cnf}": false, "awk {ops}": true} {
		in, err := Engine{Name: "toy", Command: command}.Prepare(p, o, "constraint-wise", "bdd")
		if !can {
			assert.ErrorContains(t, err, "the clauses of partition n = 4 have auxiliary variables, which it would count")
			continue
		}
		require.NoError(t, err)
		require.NoError(t, in.Close())
	}
	gap, _, err := encode.ReadCNF(strings.NewReader("c p show 1 3 0\np cnf 3 1\n1 3 0\n"), "f.cnf")
	require.NoError(t, err)
	require.Zero(t, gap.Auxiliary)
	a, err := build(context.Background(), t, Engine{Name: "toy", Command: "awk -f testdata/toy.awk {cnf}"}, gap, order.Order{1, 2})
	require.NoError(t, err)
	assert.Equal(t, "3", a.Solutions)
}

// Anything that an engine does instead of answering is an error with its name and last
// words.
func TestNoAnswerIsTakenOnTrust(t *testing.T) {
	p, o := problem(t, "queens", 4, "row-major")
	answer := func(text string) string { return "echo '" + text + "'" }
	for body, want := range map[string]string{
		"echo cannot open >&2; echo no licence >&2; exit 3": "it ended with code 3: no licence",
		"echo out of memory; exit 1":                        "it ended with code 1: out of memory",
		"echo bad pointer >&2; kill -11 $$":                 "signal: segmentation fault",
		"echo no table >&2":                                 `it answered "": expected a line of JSON: no table`,
		"echo 2451 nodes":                                   `it answered "2451 nodes"`,
		answer(`{"engine": "x 1", "nodes": 29, "solutions": 2, "build_seconds": 0}`):                     "expected a line of JSON",
		answer(`{"engine": "x", "nodes": 29, "solutions": "2", "build_seconds": 0}`):                     "it does not report its version",
		answer(`{"nodes": 29, "solutions": "2", "build_seconds": 0}`):                                    "it does not report its version",
		answer(`{"engine": "x 1", "nodes": 29, "solutions": "2e0", "build_seconds": 0}`):                 `"2e0" as solutions`,
		answer(`{"engine": "x 1", "nodes": 29, "build_seconds": 0}`):                                     `"" as solutions`,
		answer(`{"engine": "x 1", "solutions": "2", "build_seconds": 0}`):                                "no number of nodes",
		answer(`{"engine": "x 1", "nodes": 29, "solutions": "2"}`):                                       "no build_seconds",
		answer(`{"engine": "x 1", "nodes": -1, "solutions": "2", "build_seconds": 0}`):                   "no number of nodes",
		answer(`{"engine": "x 1", "nodes": 29, "solutions": "2", "build_seconds": 0}`) + "; echo thanks": `it answered "thanks"`,
	} {
		_, err := build(context.Background(), t, script(t, body), p, o)
		assert.ErrorContains(t, err, "asking script: ", body)
		assert.ErrorContains(t, err, want, body)
	}
	a, err := build(context.Background(), t, script(t, `grep -c . $1 >&2; echo noise; echo "{\"engine\": \"x $2 1\", \"nodes\": 29, \"solutions\": \"2\", \"build_seconds\": 0.5, \"bytes\": 7}"`), p, o)
	require.NoError(t, err)
	assert.Equal(t, "x bdd 1", a.Engine)
	assert.Equal(t, uint64(7), *a.Bytes)
}

func TestCheck(t *testing.T) {
	for command, want := range map[string]string{
		"sh":             "expected {cnf} or {ops}",
		"sh {cnf} {ops}": "expected {cnf} or {ops}",
		"./gone {cnf}":   "./gone",
	} {
		assert.ErrorContains(t, Engine{"mine", command}.Check(), want)
		assert.ErrorContains(t, Engine{"mine", command}.Check(), "engine mine: ")
	}
	e := Engine{"mine", "sh {cnf}"}
	assert.NoError(t, e.Check())
	assert.True(t, e.Makes("bdd"))
	assert.False(t, e.Makes("zdd"))
}

// An engine that hangs is killed with what it started.
func TestCutShortWithItsChildren(t *testing.T) {
	p, o := problem(t, "queens", 4, "row-major")
	pidFile := filepath.Join(t.TempDir(), "pid")
	e := script(t, fmt.Sprintf("sleep 600 & echo $! > %s.new; mv %s.new %s; wait", pidFile, pidFile, pidFile))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for _, err := os.Stat(pidFile); err != nil; _, err = os.Stat(pidFile) {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	_, err := build(ctx, t, e, p, o)
	require.ErrorIs(t, err, context.Canceled)
	text, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !running(pid) }, time.Minute, 10*time.Millisecond, "the engine's child %d lives on", pid)
}

// running reports whether a process exists and is not a zombie.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !os.IsNotExist(err)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
