package robdd

import (
	"context"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// construct is a construction with collections that stops at the first error.
func construct(m *Manager, n int) (Func, error) {
	ctx := context.Background()
	board := True
	for r := range n {
		row := False
		for c := range n {
			cell := True
			for v := n*n - 1; v >= 0; v-- {
				i, j := v/n, v%n
				low, high := cell, False
				if i == r && j == c {
					low, high = False, cell
				} else if i != r && j != c && i-j != r-c && i+j != r+c {
					continue
				}
				var err error
				if cell, err = m.Mk(Var(v+1), low, high); err != nil {
					return board, err
				}
			}
			var err error
			if row, err = m.Or(ctx, row, cell); err != nil {
				return board, err
			}
		}
		next, err := m.And(ctx, board, row)
		if err != nil {
			return board, err
		}
		board = next
		m.Collect(board)
	}
	return board, nil
}

// TestNodeLimitEverywhere stops a construction at every number of nodes, with runs and
// without. Each time the Manager must be sound, the functions built so far must still
// have the right counts, and with the limit lifted the construction must succeed.
func TestNodeLimitEverywhere(t *testing.T) {
	for _, drawn := range []bool{false, true} {
		free, err := NewManager(natural(25), Config{})
		require.NoError(t, err)
		free.expanded = drawn
		want, err := construct(free, 5)
		require.NoError(t, err)
		require.Equal(t, int64(10), free.SatCount(want).Int64())
		peak := int(free.Stats().PeakLive)
		for limit := 1; limit <= peak; limit++ {
			m, err := NewManager(natural(25), Config{MaxNodes: limit})
			require.NoError(t, err)
			m.expanded = drawn
			f, err := construct(m, 5)
			if limit == peak {
				require.NoError(t, err)
			} else {
				var e *LimitError
				require.ErrorAs(t, err, &e, "limit %d of %d", limit, peak)
				require.Equal(t, LimitError{What: "nodes", Limit: int64(limit), Want: int64(limit) + 1}, *e)
			}
			require.LessOrEqual(t, m.Stats().PeakLive, uint64(limit))
			if limit%64 == 1 || limit > peak-3 {
				require.NoError(t, m.Check())
				before := m.Freeze(f)
				m.Collect(f)
				require.NoError(t, m.Check())
				require.Equal(t, before, m.Freeze(f))
				m.config = Config{}
				f, err = construct(m, 5)
				require.NoError(t, err)
				require.Equal(t, free.Freeze(want), m.Freeze(f))
				require.NoError(t, m.Check())
			}
		}
	}
}

// TestByteBudget gives a construction less and less memory.
func TestByteBudget(t *testing.T) {
	budgets := int64(60)
	if testing.Short() {
		budgets = 15
	}
	for _, drawn := range []bool{false, true} {
		free, err := NewManager(natural(49), Config{})
		require.NoError(t, err)
		free.expanded = drawn
		want, err := construct(free, 7)
		require.NoError(t, err)
		failed := 0
		peak := int64(free.Stats().PeakBytes)
		for budget := int64(chunkBytes); budget <= peak; budget += (peak - chunkBytes) / budgets {
			m, err := NewManager(natural(49), Config{MaxBytes: budget})
			var e *LimitError
			if err != nil {
				require.ErrorAs(t, err, &e)
				continue
			}
			m.expanded = drawn
			f, err := construct(m, 7)
			require.LessOrEqual(t, m.Stats().PeakBytes, uint64(budget))
			require.NoError(t, m.Check())
			if err != nil {
				failed++
				require.ErrorAs(t, err, &e)
				require.Equal(t, "bytes", e.What)
				require.Equal(t, budget, e.Limit)
				require.Greater(t, e.Want, budget)
				m.config = Config{}
				f, err = construct(m, 7)
				require.NoError(t, err)
			}
			require.Equal(t, free.Freeze(want), m.Freeze(f))
		}
		require.Positive(t, failed)
	}
}

// TestBytesANode adds up the maximum cost of a node, including its slot in a table,
// and compares the Manager's account of its memory with the heap.
func TestBytesANode(t *testing.T) {
	require.Equal(t, uintptr(chunkBytes), unsafe.Sizeof(chunk{}))
	require.Equal(t, uintptr(entryBytes), unsafe.Sizeof(entry{}))
	perNode := float64(chunkBytes)/chunkSize + slotBytes*3/2.
	require.LessOrEqual(t, perNode, 24.0)
	heap := func() int64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc)
	}
	before := heap()
	m, err := NewManager(natural(81), Config{})
	require.NoError(t, err)
	f, err := construct(m, 9)
	require.NoError(t, err)
	used := heap() - before
	require.Equal(t, 9557, m.NodeCount(f))
	require.InDelta(t, m.memory, used, float64(m.memory)*0.05)
	runtime.KeepAlive(m)
}

// TestCancellation ends long operations by their context and continues afterwards.
func TestCancellation(t *testing.T) {
	m, err := NewManager(natural(64), Config{})
	require.NoError(t, err)
	f := queensAnyOrder(t, m, 8)
	g := literal(t, m, 32)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for range 2 { // the second time without runs
		m.begin(done)
		m.stats.Steps = 1<<14 - 10 // the context is checked from time to time
		m.err = nil
		r := m.or(f, g)
		require.Equal(t, failed, r)
		_, err := m.end(r)
		require.ErrorIs(t, err, context.Canceled)
		roots, err := m.Sift(done, f, g)
		require.ErrorIs(t, err, context.Canceled)
		f, g = roots[0], roots[1]
		require.NoError(t, m.Check())
		require.Equal(t, int64(92), m.SatCount(f).Int64())
	}
}

// TestBadArguments checks that errors name what is wrong.
func TestBadArguments(t *testing.T) {
	ctx := context.Background()
	_, err := NewManager([]Var{1, 3}, Config{})
	require.ErrorContains(t, err, "variable 3 is not in 1..2")
	_, err = NewManager([]Var{1, 1}, Config{})
	require.ErrorContains(t, err, "level 0 and on level 1")
	m, err := NewManager(natural(3), Config{})
	require.NoError(t, err)
	f := literal(t, m, 2)
	for _, err := range []error{
		second(m.Mk(0, f, True)), second(m.Mk(3, f, True)), second(m.Mk(4, f, True)),
		second(m.Restrict(ctx, f, 4)), second(m.Restrict(ctx, f, 1, -1)),
	} {
		require.Error(t, err)
	}
	require.NoError(t, m.Check())
}

func second(_ Func, err error) error { return err }
