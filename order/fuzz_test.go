package order_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/order"
)

// A file that reads as an order has all variables, each once, and reads the same
// when written again; the error for any other names a line.
func FuzzRead(f *testing.F) {
	f.Add("a1 b1\na2, b2 # last\n", uint8(2))
	f.Add("a1", uint8(1))
	f.Add("a1 a1\n", uint8(2))
	f.Add("a3 b3 c3\nc1 b1 a1\nc2 b2 a2", uint8(3))
	f.Add("# nothing\n", uint8(0))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		p, err := encode.Queens(int(size%6)+1, nil, nil)
		require.NoError(t, err)
		o, err := order.Read(strings.NewReader(text), "f.order", p.Names)
		if err != nil {
			require.Contains(t, err.Error(), "f.order")
			return
		}
		var again strings.Builder
		for _, v := range o {
			fmt.Fprintln(&again, p.VarName(v))
		}
		same, err := order.Read(strings.NewReader(again.String()), "f.order", p.Names)
		require.NoError(t, err)
		require.Equal(t, o, same)
		slices.Sort(o)
		for i, v := range o {
			require.EqualValues(t, i+1, v)
		}
	})
}
