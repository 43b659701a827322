package ddnnf

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A memo has the keys since it last forgot, and no others, over several blocks; what it holds does not grow again.
func TestMemoForgets(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	m := newMemo()
	for round := range 3 {
		node := map[string]int32{}
		for m.bytes() < 3*blockSize+blockSize/2 {
			key := []byte(fmt.Sprintf("%d %0*d", round, 1+rng.IntN(2000), rng.IntN(100)))
			got, has := m.of(key)
			want, kept := node[string(key)]
			require.Equal(t, kept, has, "seed %d", seed)
			if kept {
				require.Equal(t, want, got, "seed %d", seed)
				continue
			}
			node[string(key)] = int32(len(node))
			m.keep(key, node[string(key)])
		}
		for key, want := range node {
			got, has := m.of([]byte(key))
			require.True(t, has && got == want, "seed %d", seed)
		}
		require.Greater(t, m.last, 2)
		require.LessOrEqual(t, m.held(), int64(8*blockSize))
		if m.forget(); round > 0 {
			continue
		}
		for key := range node {
			_, has := m.of([]byte(key))
			require.False(t, has, "seed %d", seed)
		}
	}
}
