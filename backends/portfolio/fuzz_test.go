package portfolio

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
)

// FuzzHistories plays placements, blocks and take-backs on one Oracle, and compares
// each answer with exact search; for a size from 128 on the Oracle has none itself, as
// on large boards. A byte is a move: its low bits are the cell, its high bit makes it
// a block, and 0 takes the last move back.
func FuzzHistories(f *testing.F) {
	f.Add(uint8(4), []byte{2, 0x81, 0, 7})
	f.Add(uint8(6), []byte{1, 9, 17, 0, 0, 0x8c, 30})
	f.Add(uint8(8), []byte{5, 0x8a, 20, 33, 0, 41, 60, 0, 0, 12})
	f.Add(uint8(129), []byte{2, 0x81, 0, 7, 12, 33})
	f.Add(uint8(9), []byte{80, 1, 0, 3, 0x83, 0x84, 0x85})
	f.Fuzz(func(t *testing.T, size uint8, moves []byte) {
		n := 1 + int(size)%9
		if len(moves) > 12 {
			moves = moves[:12]
		}
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		o, exact := New(p), search.New(p)
		if size >= 128 {
			o.exact = nil
		}
		ctx := context.Background()
		var assume []cnf.Lit
		for _, move := range moves {
			switch l := cnf.Lit(1 + int(move&0x7f)%(n*n)); {
			case move == 0:
				assume = assume[:max(0, len(assume)-1)]
			case move&0x80 != 0:
				assume = append(assume, l.Not())
			default:
				assume = append(assume, l)
			}
			want, err := exact.Valid(ctx, assume, "reuse")
			require.NoError(t, err)
			got, err := o.Valid(ctx, assume, "")
			require.NoError(t, err)
			require.True(t, slices.Equal(want.Possible, got.Possible), "n=%d %v: %v, search %v", n, assume, got.Possible,
				want.Possible)
			answer, err := o.Solve(ctx, assume)
			require.NoError(t, err)
			require.Equal(t, len(want.Possible) > 0, answer.Status == backends.Sat, "n=%d %v", n, assume)
		}
	})
}
