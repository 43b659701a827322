package bdd

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/encode"
	"queens/order"
)

// Every construction, and counting, reports its progress: forward within each kind of
// step, and up to the last step where their number is known.
func TestProgress(t *testing.T) {
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	rowMajor, err := order.ByName("row-major")
	require.NoError(t, err)
	o, err := rowMajor.For(context.Background(), p)
	require.NoError(t, err)
	watch := func(t *testing.T, do func(Options)) {
		var mutex sync.Mutex
		last, heard := map[string]backends.Progress{}, 0
		do(Options{Workers: 2, Progress: func(at backends.Progress) {
			mutex.Lock()
			defer mutex.Unlock()
			heard++
			before := last[at.Step]
			if at.Done > before.Done {
				last[at.Step] = at
			}
			assert.NotEmpty(t, at.Unit)
		}})
		assert.Positive(t, heard)
		for step, at := range last {
			if at.Total > 0 {
				assert.Equal(t, at.Total, at.Done, step)
			}
		}
	}
	for _, c := range Constructions() {
		t.Run(c.Name, func(t *testing.T) {
			watch(t, func(options Options) {
				options.Construction = c.Name
				_, err := Compile(context.Background(), p, o, options)
				require.NoError(t, err)
			})
		})
	}
}
