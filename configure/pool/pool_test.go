package pool

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends"
	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// key is a request.
type key struct {
	backend ask.BackendName
	n       int
	order   ask.OrderName
}

func lend(ctx context.Context, p *Pool, k key) (*Lease, error) {
	return p.Lend(ctx, k.n, ask.Choice{Backend: k.backend, Order: k.order})
}

func TestBorrowedBackendsAgree(t *testing.T) {
	ctx := context.Background()
	p := New(Limits{})
	for _, n := range []int{1, 2, 5, 8} {
		var want []int32
		for i, key := range []key{{"search", n, ""}, {"sat", n, ""}, {"bdd", n, ""}, {"bdd", n, "random:3"}} {
			lease, err := lend(ctx, p, key)
			require.NoError(t, err)
			possible, err := lease.Valid(ctx, nil, "")
			require.NoError(t, err)
			var got []int32
			for _, v := range possible.Possible {
				got = append(got, int32(v))
			}
			if i == 0 {
				want = got
			}
			assert.Equal(t, want, got, "%+v", key)
			p.Return(lease)
		}
	}
}

func TestUnservableRequestsAreTheCallersMistake(t *testing.T) {
	p := New(Limits{})
	for want, key := range map[string]key{
		`backend "cplex": expected one of bdd, sat, search`:  {"cplex", 8, ""},
		"board size n = 0: expected 1 to 200":                {"sat", 0, ""},
		"board size n = 201: expected 1 to 200":              {"search", 201, ""},
		"board size n = 14: back-end bdd takes 1 to 13 here": {"bdd", 14, ""},
		`order "best": expected one of row-major`:            {"bdd", 8, "best"},
		`order "random:x": expected one of row-major`:        {"bdd", 8, "random:x"},
		"order: back-end sat has no variable order":          {"sat", 8, "snake"},
		"larger boards are for sat, search, portfolio":       {"table", 14, ""},
	} {
		_, err := lend(context.Background(), p, key)
		var unsupported *UnsupportedError
		require.ErrorAs(t, err, &unsupported, "%+v", key)
		assert.ErrorContains(t, err, want)
	}
}

// Many concurrent borrowers compile a board once, and no back-end is lent to
// two of them.
func TestOneCompilationForAll(t *testing.T) {
	p := New(Limits{Idle: 4})
	var wait sync.WaitGroup
	var mu sync.Mutex
	out := map[any]bool{}
	diagrams := map[*Diagram]bool{}
	for range 16 {
		wait.Go(func() {
			for range 20 {
				lease, err := lend(context.Background(), p, key{"bdd", 8, ""})
				if !assert.NoError(t, err) {
					return
				}
				mu.Lock()
				assert.False(t, out[lease], "lent to two borrowers")
				out[lease] = true
				diagrams[lease.Diagram] = true
				mu.Unlock()
				_, err = lease.Valid(context.Background(), nil, "")
				assert.NoError(t, err)
				mu.Lock()
				delete(out, lease)
				mu.Unlock()
				p.Return(lease)
			}
		})
	}
	wait.Wait()
	assert.Len(t, diagrams, 1)
	assert.LessOrEqual(t, p.stats().Idle, 4)
}

func TestDiagramsBeyondTheLimitAreDropped(t *testing.T) {
	ctx := context.Background()
	p := New(Limits{Bytes: 4_000})
	diagrams := map[*Diagram]bool{}
	for _, o := range []ask.OrderName{"row-major", "snake", "hilbert", "row-major"} {
		lease, err := lend(ctx, p, key{"bdd", 8, o})
		require.NoError(t, err)
		p.Return(lease)
		diagrams[lease.Diagram] = true
		assert.LessOrEqual(t, p.stats().DiagramBytes+p.stats().IdleBytes, int64(4_000))
	}
	assert.Len(t, diagrams, 4, "row-major was dropped and compiled again")
}

// A cancelled compilation does not fail other callers.
func TestCancelledCompilation(t *testing.T) {
	p := New(Limits{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := p.Compile(ctx, 12, "row-major")
	require.ErrorIs(t, err, context.Canceled)
	d, err := p.Compile(context.Background(), 6, "row-major")
	require.NoError(t, err)
	assert.Equal(t, 129, d.Compiled.Nodes(robdd.BDD))
	assert.Equal(t, 1, p.stats().Diagrams)
}

// An order without a name is called after its file, whose name may hold what a terminal obeys.
func TestNamesOfFilesAreShownSafely(t *testing.T) {
	assert.Equal(t, []Key{{2, ask.Choice{Backend: ask.Diagram, Order: "\uFFFD[31mred\uFFFD.bdd"}}},
		keysOf(2, order.Order{2, 1, 3, 4}, "", "\x1b[31mred\xff.bdd"))
}

func TestLoadedDiagram(t *testing.T) {
	ctx := context.Background()
	p := New(Limits{MaxBDD: 4})
	big := New(Limits{})
	d, err := big.Compile(ctx, 7, "snake")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "seven.robdd")
	whole := d.Compiled.Meta("")
	drawn, err := d.Compiled.As(ctx, robdd.BDD)
	require.NoError(t, err)
	saveDiagram(t, drawn, file, whole)
	keys, err := p.Load(ctx, file)
	require.NoError(t, err)
	require.Equal(t, []Key{{7, ask.Choice{Backend: "bdd", Order: "snake"}}}, keys)
	lease, err := p.Lend(ctx, 7, keys[0].Choice)
	require.NoError(t, err)
	assert.Equal(t, drawn.Len(), lease.Diagram.Compiled.Nodes(robdd.BDD))
	assert.Equal(t, "solutions", lease.Diagram.Compiled.Construction)

	// It is never dropped, and its ZDD is made once for everyone who asks.
	held := drawn.Bytes() + zdd(t, d.Compiled).Bytes()
	assert.Equal(t, held, p.stats().DiagramBytes)
	possible, err := lease.Valid(ctx, nil, "")
	require.NoError(t, err)
	assert.Len(t, possible.Possible, 49)
	again, err := p.Load(ctx, file)
	require.NoError(t, err)
	assert.Equal(t, keys, again)
	assert.Equal(t, held, p.stats().DiagramBytes, "it replaces the first")
	p.Return(lease)
	assert.Zero(t, p.stats().Idle)

	// The file's metadata must match, even if the count does.
	for said, change := range map[string][2]string{
		"another problem, not of queens":                            {"problem", "rooks"},
		"a board of size 8, not 7":                                  {"n", "8"},
		"compiled with a1 placed, which this problem does not have": {"fixed", "1"},
		"compiled with b2 blocked":                                  {"fixed", "-9"},
	} {
		meta := maps.Clone(whole)
		meta[change[0]] = change[1]
		saveDiagram(t, drawn, file, meta)
		_, err = p.Load(ctx, file)
		assert.ErrorContains(t, err, said)
	}

	require.NoError(t, os.WriteFile(file, []byte("junk"), 0o600))
	_, err = p.Load(ctx, file)
	assert.Error(t, err)
}

// A file serves under every name of its order, as the ZDD that it holds. It then becomes
// the default for its board size, whatever order is asked for.
func TestLoadedUnderEveryName(t *testing.T) {
	ctx := context.Background()
	problem, err := encode.Queens(7, nil, nil)
	require.NoError(t, err)
	twice := map[string][]string{} // names of the same order
	for _, named := range order.All() {
		id := fmt.Sprint(named.Of(7))
		twice[id] = append(twice[id], named.Name)
	}
	folder := t.TempDir()
	several := false
	for _, names := range twice {
		if len(names) < 2 {
			continue
		}
		several = true
		named, err := order.ByName(names[1])
		require.NoError(t, err)
		c, err := bdd.Compile(ctx, problem, named.Of(7), bdd.Options{})
		require.NoError(t, err)
		file := filepath.Join(folder, names[1]+".zdd")
		saveDiagram(t, zdd(t, c), file, c.Meta(names[1]))
		p := New(Limits{MaxBDD: 4})
		assert.Equal(t, ask.Portfolio, p.suits(7))
		for range 2 { // the second replaces the first
			keys, err := p.Load(ctx, file)
			require.NoError(t, err)
			assert.Len(t, keys, len(names))
			assert.EqualValues(t, names[1], keys[0].Order, "the name it was saved under comes first")
			assert.Equal(t, 1, p.stats().Diagrams)
			assert.Equal(t, c.Bytes(), p.stats().DiagramBytes)
		}
		assert.Equal(t, ask.Diagram, p.suits(7))
		for _, asked := range append(p.Loaded(), Key{7, ask.Choice{Order: "spiral-out"}}, Key{N: 7}) {
			lease, err := p.Lend(ctx, 7, asked.Choice)
			require.NoError(t, err)
			valid, err := lease.Valid(ctx, nil, "")
			require.NoError(t, err)
			assert.Len(t, valid.Possible, 49)
			drawn, err := lease.Diagram.As(context.Background(), robdd.BDD)
			require.NoError(t, err)
			assert.Equal(t, drawn.Len(), lease.Diagram.Compiled.Nodes(robdd.BDD))
			p.Return(lease)
		}
		_, err = lend(ctx, p, key{"bdd", 7, "spiral-out"})
		assert.ErrorContains(t, err, "its saved diagrams have the orders")
	}
	assert.True(t, several, "no order has two names")
}

// While many compile at once and drop each other's diagrams, the byte count
// stays that of the diagrams held.
func TestBytesAreThoseOfTheDiagramsHeld(t *testing.T) {
	p := New(Limits{Bytes: 3_000})
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 12 {
				_, err := p.Compile(context.Background(), 5+(worker+i)%3, fmt.Sprintf("random:%d", (i*5+worker)%7))
				assert.NoError(t, err)
			}
		})
	}
	wait.Wait()
	var held int64
	for _, d := range p.diagrams {
		held += zdd(t, d.Compiled).Bytes()
	}
	assert.Equal(t, held, p.stats().DiagramBytes)
	assert.Less(t, len(p.diagrams), 3*7, "some were dropped")
}

// heap returns the bytes of live objects.
func heap() int64 {
	runtime.GC()
	runtime.GC() // collects what the first has finalised
	runtime.GC() // and what pools kept for one more
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The pool's byte counts agree with the growth of the heap: for a diagram with its
// ZDD, and for back-ends that have been asked everything a session asks. The diagram is large beside the
// board's constraints, which are not counted.
func TestBytesAreThoseOfTheHeap(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		key     key
		within  float64
		compile bool
	}{
		{key{"bdd", 12, "row-major"}, 1.3, true}, {key{"sat", 30, ""}, 2.5, false}, {key{"sat", 80, ""}, 2.5, false},
	} {
		p := New(Limits{})
		before := heap()
		lease, err := lend(ctx, p, c.key)
		require.NoError(t, err)
		if c.compile {
			assert.InEpsilon(t, heap()-before, p.stats().DiagramBytes+lease.Stats().Bytes, 0.2, "%+v", c.key)
			_, err := lease.Diagram.As(ctx, robdd.BDD)
			require.NoError(t, err)
			before = heap() // the back-end's share
		}
		assume := []cnf.Lit{2}
		_, err = lease.Ask(ctx, ask.Question{Assume: assume, Want: ask.Valid})
		require.NoError(t, err)
		if counter, can := lease.Backend.(backends.Counter); can {
			_, err = lease.Valid(ctx, assume, bdd.Sweep)
			require.NoError(t, err)
			for _, lits := range [][]cnf.Lit{nil, assume} {
				_, _, err = counter.CountEach(ctx, lits)
				require.NoError(t, err)
			}
		}
		_, err = lease.Solve(ctx, assume)
		require.NoError(t, err)
		p.Return(lease)
		ratio := float64(p.stats().IdleBytes) / float64(heap()-before)
		assert.Less(t, ratio, c.within, "%+v", c.key)
		assert.Greater(t, ratio, 1/c.within, "%+v", c.key)
		runtime.KeepAlive(p)
	}
}

// The limit covers idle back-ends too, so large ones do not pile up.
func TestIdleBackendsBeyondTheLimitAreDropped(t *testing.T) {
	ctx := context.Background()
	p := New(Limits{Bytes: 100 << 20})
	for n := 100; n < 110; n++ {
		lease, err := lend(ctx, p, key{"sat", n, ""})
		require.NoError(t, err)
		_, err = lease.Solve(ctx, []cnf.Lit{1, 2}) // two queens in a row: the solver for all clauses is made
		require.NoError(t, err)
		p.Return(lease)
		assert.LessOrEqual(t, p.stats().IdleBytes, int64(100<<20))
	}
	assert.Equal(t, 2, p.stats().Idle, "of 31 to 35 MiB")
	lease, err := lend(ctx, p, key{"sat", 109, ""})
	require.NoError(t, err)
	assert.Equal(t, 1, p.stats().Idle, "the last one was kept")
	p.Return(lease)
}

// A back-end whose diagram was dropped while it was lent is not shelved again.
func TestReturnedWithoutItsDiagram(t *testing.T) {
	ctx := context.Background()
	p := New(Limits{Bytes: 1})
	first, err := lend(ctx, p, key{"bdd", 7, "row-major"})
	require.NoError(t, err)
	second, err := lend(ctx, p, key{"bdd", 7, "snake"})
	require.NoError(t, err)
	p.Return(first)
	p.Return(second)
	stats := p.stats()
	assert.Equal(t, 1, stats.Diagrams, "the one asked for last")
	assert.Zero(t, stats.Idle)
	assert.Zero(t, stats.IdleBytes)
	assert.Equal(t, second.Diagram.Compiled.Bytes(), stats.DiagramBytes)
}

// panicking is a context that panics when asked for its error.
type panicking struct{ context.Context }

func (panicking) Err() error { panic("asked") }

// A panic in one compilation leaves nobody waiting for it forever.
func TestPanicInACompilation(t *testing.T) {
	p := New(Limits{})
	require.PanicsWithValue(t, "asked", func() { p.Compile(panicking{context.Background()}, 6, "row-major") })
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := p.Compile(ctx, 6, "row-major")
	require.NoError(t, err)
}

// No compilation takes more memory than allowed.
func TestCompilationsAreBounded(t *testing.T) {
	_, err := New(Limits{CompileBytes: 1000}).Compile(context.Background(), 8, "row-major")
	var unsupported *UnsupportedError
	require.ErrorAs(t, err, &unsupported)
	assert.ErrorContains(t, err, "limit of 0.000954 MiB")
}

// asked is a context that says when it is first asked whether it is done, and waits for a word
// before it answers.
type asked struct {
	context.Context
	first         *sync.Once
	begun, answer chan struct{}
}

func (c asked) Err() error {
	c.first.Do(func() {
		close(c.begun)
		<-c.answer
	})
	return c.Context.Err()
}

// If who compiles a diagram gives up, one of those who wait does it, and it is kept.
func TestWaitersCompile(t *testing.T) {
	p := New(Limits{})
	parent, cancel := context.WithCancel(context.Background())
	ctx := asked{parent, new(sync.Once), make(chan struct{}), make(chan struct{})}
	first := make(chan error)
	go func() {
		_, err := p.Compile(ctx, 8, "random:1")
		first <- err
	}()
	<-ctx.begun
	second := make(chan *Diagram)
	go func() {
		d, err := p.Compile(context.Background(), 8, "random:1")
		assert.NoError(t, err)
		second <- d
	}()
	cancel()
	close(ctx.answer)
	require.ErrorIs(t, <-first, context.Canceled)
	d := <-second
	require.NotNil(t, d.Compiled)
	planned, err := p.Key(8, ask.Choice{Backend: ask.Diagram, Order: "random:1"})
	require.NoError(t, err)
	assert.Same(t, d, p.diagrams[planned.diagram()])
}

func zdd(t testing.TB, c *bdd.Compiled) *robdd.Diagram {
	t.Helper()
	d, err := c.As(t.Context(), robdd.ZDD)
	require.NoError(t, err)
	return d
}

// saveDiagram writes a diagram to a file.
func saveDiagram(t testing.TB, d *robdd.Diagram, file string, meta robdd.Meta) {
	t.Helper()
	var saved bytes.Buffer
	require.NoError(t, d.Write(&saved, meta))
	require.NoError(t, os.WriteFile(file, saved.Bytes(), 0o644))
}
