package optimize

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Sifting never makes an order worse, and ends where no single variable has a
// better place.
func TestSift(t *testing.T) {
	for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
		for _, start := range order.All() {
			const n = 6
			s := queens(t, n)
			o, nodes, err := Sift(context.Background(), s, d, start.Of(n), 1)
			require.NoError(t, err)
			require.NoError(t, o.Check(n*n))
			assert.Equal(t, nodes, s.Sizes(o).Of(d), start.Name)
			assert.LessOrEqual(t, nodes, s.Sizes(start.Of(n)).Of(d), start.Name)
			again, _, err := Sift(context.Background(), s, d, start.Of(n), 1)
			require.NoError(t, err)
			assert.Equal(t, o, again)
			for x := cnf.Var(1); x <= n*n; x++ {
				others := make(order.Order, 0, n*n)
				for _, v := range o {
					if v != x {
						others = append(others, v)
					}
				}
				for place := range n * n {
					moved := append(append(append(order.Order{}, others[:place]...), x), others[place:]...)
					assert.GreaterOrEqual(t, s.Sizes(moved).Of(d), nodes)
				}
			}
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, _, err := Sift(stopped, queens(t, 4), robdd.BDD, order.All()[0].Of(4), 1)
	assert.ErrorIs(t, err, context.Canceled)
}
