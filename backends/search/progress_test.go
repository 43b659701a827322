package search

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
)

// The progress of a count rises to its total, for one worker and for several, and the
// count is the known one.
func TestProgress(t *testing.T) {
	p, err := encode.Queens(9, nil, nil)
	require.NoError(t, err)
	for _, workers := range []int{1, 3} {
		last, parts, completions := 0, 0, uint64(0)
		o := New(p).Parallel(workers, func(done, total int, so uint64) {
			assert.Equal(t, last+1, done)
			last, parts, completions = done, total, so
		})
		count, err := o.Count(context.Background(), nil)
		require.NoError(t, err)
		assert.EqualValues(t, 352, count.Int64())
		assert.Equal(t, parts, last)
		assert.Greater(t, parts, 1)
		assert.EqualValues(t, 352, completions)
	}
}

// An interrupted count does not report unfinished parts as done.
func TestProgressInterrupted(t *testing.T) {
	p, err := encode.Queens(12, nil, nil)
	require.NoError(t, err)
	ctx, interrupt := context.WithCancel(context.Background())
	o := New(p).Parallel(2, func(done, total int, _ uint64) {
		assert.Less(t, done, total)
		interrupt()
	})
	_, err = o.Count(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
}
