package robdd

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trace is a sequence of operations, read from bytes, on functions of six variables
// whose truth tables are computed alongside: whatever the Manager does, every
// function that is kept must keep its table. The bytes come from a generator or from
// the fuzzer.
//
// go test -tags exhaustive runs many more and longer traces.

const traceVars = 6

type tracer struct {
	t     testing.TB
	m     *Manager
	bytes []byte
	nodes []Func
	truth []truth
	log   []truth // tables of results, for comparing runs
}

func (x *tracer) next() int {
	if len(x.bytes) == 0 {
		return 0
	}
	b := x.bytes[0]
	x.bytes = x.bytes[1:]
	return int(b)
}

func (x *tracer) pick() int     { return x.next() % len(x.nodes) }
func (x *tracer) variable() Var { return Var(x.next()%traceVars + 1) }

// keep adds a result, which must have the given table. If the operation reached a limit, nothing may
// have changed.
func (x *tracer) keep(f Func, err error, want truth) {
	var limit *LimitError
	if errors.As(err, &limit) {
		x.log = append(x.log, 0)
		return
	}
	require.NoError(x.t, err)
	require.Equal(x.t, want, tableOf(x.m, f))
	x.log = append(x.log, want)
	if len(x.nodes) < 12 {
		x.nodes, x.truth = append(x.nodes, f), append(x.truth, want)
		return
	}
	i := x.pick()
	x.nodes[i], x.truth[i] = f, want
}

func (x *tracer) step() {
	ctx, m := context.Background(), x.m
	switch x.next() % 16 {
	case 0, 1, 2, 3, 4, 5, 6:
		op, a, b := operations[x.next()%len(operations)], x.pick(), x.pick()
		f, err := op.apply(m, ctx, x.nodes[a], x.nodes[b])
		x.keep(f, err, op.truth(x.truth[a], x.truth[b]))
	case 7, 8:
		a, v, w := x.pick(), x.variable(), x.variable()
		f, err := m.Restrict(ctx, x.nodes[a], Lit(v), Lit(w))
		x.keep(f, err, x.truth[a].cofactor(v, true).cofactor(w, true))
	case 9, 10:
		v := x.variable()
		if x.next()%2 == 0 {
			f, err := m.Mk(v, False, True)
			x.keep(f, err, truthVar(v))
		} else {
			f, err := m.Mk(v, True, False)
			x.keep(f, err, ^truthVar(v))
		}
	case 11:
		drop := x.pick()
		if len(x.nodes) > 2 {
			x.nodes = append(x.nodes[:drop], x.nodes[drop+1:]...)
			x.truth = append(x.truth[:drop], x.truth[drop+1:]...)
		}
		m.Collect(x.nodes...)
		require.Equal(x.t, m.NodeCount(x.nodes...), m.live)
	case 12, 13:
		x.tolerate(swapLevels(m, x.next()%(traceVars-1), x.nodes))
	case 14:
		if x.next()%4 == 0 {
			order := permutations(4)[x.next()%24]
			x.tolerate(setOrder(m, append([]Var{6, 5}, order...), x.nodes))
		} else {
			before := m.NodeCount(x.nodes...)
			nodes, err := m.Sift(ctx, x.nodes...)
			x.tolerate(err)
			x.nodes = nodes
			if err == nil {
				require.LessOrEqual(x.t, m.NodeCount(x.nodes...), before)
				require.Equal(x.t, m.NodeCount(x.nodes...), m.live)
			}
		}
	case 15:
		a := x.pick()
		d := m.Freeze(x.nodes[a])
		require.NoError(x.t, d.Check())
		z := d.Convert(ZDD)
		require.NoError(x.t, z.Check())
		f, err := m.Thaw(ctx, z)
		if err == nil {
			require.Equal(x.t, x.nodes[a], f)
		}
		x.tolerate(err)
	}
}

func (x *tracer) tolerate(err error) {
	var limit *LimitError
	if !errors.As(err, &limit) {
		require.NoError(x.t, err)
	}
}

// runTrace runs a trace. After each step it compares every function with its table,
// and at the given interval it checks all invariants.
func runTrace(t testing.TB, bytes []byte, every int, drawn bool, config Config) []truth {
	m, err := NewManager(natural(traceVars), config)
	require.NoError(t, err)
	m.expanded = drawn
	x := &tracer{t: t, m: m, bytes: bytes, nodes: []Func{False, True}, truth: []truth{0, ^truth(0)}}
	for step := 1; len(x.bytes) > 0; step++ {
		x.step()
		if step%every == 0 || len(x.bytes) == 0 {
			require.NoError(t, m.Check())
		}
		for i, f := range x.nodes {
			require.Equal(t, x.truth[i], tableOf(m, f))
		}
		if config.MaxBytes > 0 {
			require.LessOrEqual(t, m.Stats().PeakBytes, uint64(config.MaxBytes))
		}
		if config.MaxNodes > 0 {
			require.LessOrEqual(t, m.Stats().PeakLive, uint64(config.MaxNodes))
		}
	}
	return x.log
}

func randomTrace(r *rand.Rand, n int) []byte {
	bytes := make([]byte, n)
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	return bytes
}

// traceLength and traceCount are small here and large under the build tag.
func TestTraces(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for range traceCount {
		bytes := randomTrace(r, traceLength)
		want := runTrace(t, bytes, 1, false, Config{})
		// Without runs: the same results.
		require.Equal(t, want, runTrace(t, bytes, 1, true, Config{}))
		// Under limits some steps fail, but nothing breaks.
		runTrace(t, bytes, 1, false, Config{MaxNodes: 20 + r.IntN(60)})
		runTrace(t, bytes, 1, true, Config{MaxNodes: 20 + r.IntN(60), MaxBytes: chunkBytes + entryBytes<<firstCacheBits + 11_000 + r.Int64N(20_000)})
	}
}

func FuzzTrace(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		f.Add(randomTrace(r, 100), false, uint16(0))
		f.Add(randomTrace(r, 100), true, uint16(40))
	}
	f.Fuzz(func(t *testing.T, bytes []byte, drawn bool, maxNodes uint16) {
		runTrace(t, bytes[:min(len(bytes), 200)], 20, drawn, Config{MaxNodes: int(maxNodes)})
	})
}
