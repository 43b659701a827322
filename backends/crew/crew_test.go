package crew

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every number is processed exactly once.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 2, 100} {
			done := make([]atomic.Int64, n)
			require.NoError(t, Each(workers, n, func(i int) error { done[i].Add(1); return nil }))
			for i := range done {
				assert.Equal(t, int64(1), done[i].Load(), "%d of %d, %d workers", i, n, workers)
			}
		}
	}
}

// Each worker is hired once, and gets ascending numbers; together they get all.
func TestHire(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		got := make([][]int, workers)
		require.NoError(t, Hire(workers, 1000, func(worker int) func(i int) error {
			require.Nil(t, got[worker], "hired once")
			got[worker] = []int{}
			return func(i int) error { got[worker] = append(got[worker], i); return nil }
		}))
		for _, numbers := range got {
			require.True(t, slices.IsSorted(numbers))
		}
		all := slices.Sorted(slices.Values(slices.Concat(got...)))
		require.Len(t, all, 1000, "%d workers", workers)
		require.Equal(t, all, slices.Compact(slices.Clone(all)))
	}
}

// A crew is called again and again, at once or after its workers have gone to sleep, by more
// or fewer of them.
func TestCrew(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		c := New(workers)
		for round := range 2000 {
			if round%500 == 0 {
				time.Sleep(2 * time.Millisecond)
			}
			n := round % 10
			done := make([]atomic.Int64, n)
			require.NoError(t, c.Each(1+round%9, n, func(i int) error { done[i].Add(1); return nil }))
			for i := range done {
				require.Equal(t, int64(1), done[i].Load(), "%d of %d, %d workers, round %d", i, n, workers, round)
			}
		}
		require.EqualError(t, c.Each(workers, 9, func(i int) error { return fmt.Errorf("number %d", i) }), "number 0")
		require.Panics(t, func() { _ = c.Each(workers, 9, func(int) error { panic("here") }) })
		require.NoError(t, c.Each(workers, 9, func(int) error { return nil }), "after a panic")
		c.Dismiss()
	}
}

// The error is that of the lowest number, and calls that have not started are
// skipped.
func TestEachFails(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var done atomic.Int64
		err := Each(workers, 1000, func(i int) error { done.Add(1); return fmt.Errorf("number %d", i) })
		assert.EqualError(t, err, "number 0")
		assert.LessOrEqual(t, done.Load(), int64(workers))
	}
}

// A worker's panic is raised in the caller, with its value.
func TestPanics(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		assert.PanicsWithValue(t, "here", func() {
			_ = Each(workers, 100, func(i int) error {
				if i == 40 {
					panic("here")
				}
				return nil
			})
		}, "%d workers", workers)
	}
	err := Try(func() error { panic("there") })
	assert.ErrorContains(t, err, "panic: there")
	assert.ErrorContains(t, err, "crew_test.go", "where it was")
	assert.PanicsWithValue(t, "there", func() { _ = Raise(err) })
	other := errors.New("other")
	assert.Equal(t, other, Raise(other))
	assert.NoError(t, Raise(nil))
}
