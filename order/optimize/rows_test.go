package optimize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/board"
	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// The smallest sizes by whole rows, and by rows from both ends. The engine shows that
// the orders attain them, which makes them minima (see MinimumByRows).
func TestMinimumByRows(t *testing.T) {
	for n, want := range map[int]struct{ all, ends Sizes }{
		1: {Sizes{1, 1}, Sizes{1, 1}}, 2: {}, 3: {},
		4: {Sizes{27, 8}, Sizes{27, 8}},
		5: {Sizes{167, 40}, Sizes{167, 40}},
		6: {Sizes{123, 24}, Sizes{123, 24}},
		7: {Sizes{978, 173}, Sizes{1003, 176}},
		8: {Sizes{2329, 363}, Sizes{2357, 368}},
	} {
		for _, d := range []robdd.Kind{robdd.BDD, robdd.ZDD} {
			proveRows(t, n, d, nil, want.all.Of(d))
			proveRows(t, n, d, FromEnds(n), want.ends.Of(d))
		}
	}
}

func proveRows(t *testing.T, n int, d robdd.Kind, allowed func(uint32) bool, want int) {
	proof, err := MinimumByRows(context.Background(), queens(t, n), n, d, allowed, 2)
	require.NoError(t, err)
	assert.Equal(t, want, proof.Nodes, "n=%d %s", n, d)
	require.NoError(t, proof.Order.Check(n*n))
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	c, err := bdd.Compile(context.Background(), p, proof.Order, bdd.Options{})
	require.NoError(t, err)
	assert.Equal(t, want, c.Nodes(d), "n=%d %s", n, d)
	for i, v := range proof.Order {
		if i%n != 0 {
			assert.Equal(t, encode.VarCell(n, proof.Order[i-1]).Row, encode.VarCell(n, v).Row, "whole rows")
		}
	}
}

// No random order by whole rows has fewer nodes; with four rows all orders can be
// tried.
func TestMinimumByRowsOverOrders(t *testing.T) {
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, 0))
	for n, want := range map[int]Sizes{5: {167, 40}, 6: {123, 24}, 7: {978, 173}} {
		s := queens(t, n)
		for range 2000 {
			sizes := s.Sizes(byRows(n, rng.Perm(n), func() []int { return rng.Perm(n) }))
			require.GreaterOrEqual(t, sizes.BDD, want.BDD, "seed %d n=%d", seed, n)
			require.GreaterOrEqual(t, sizes.ZDD, want.ZDD, "seed %d n=%d", seed, n)
		}
	}
	// A size is a sum over the rows, and each term depends only on the set of rows
	// above and the sequence of columns. So it suffices to try all sequences of rows
	// and, for each row separately, all sequences of columns.
	s := queens(t, 4)
	least := Sizes{1 << 30, 1 << 30}
	permutations(4, func(rows order.Order) {
		for place := range 4 {
			permutations(4, func(columns order.Order) {
				row := 0
				sizes := s.Sizes(byRows(4, places(rows), func() []int {
					if row++; row == place+1 {
						return places(columns)
					}
					return []int{0, 3, 1, 2}
				}))
				least = Sizes{min(least.BDD, sizes.BDD), min(least.ZDD, sizes.ZDD)}
			})
		}
	})
	assert.Equal(t, Sizes{27, 8}, least)
}

func places(o order.Order) (list []int) {
	for _, v := range o {
		list = append(list, int(v)-1)
	}
	return list
}

func byRows(n int, rows []int, columns func() []int) order.Order {
	var cells []board.Cell
	for _, row := range rows {
		for _, c := range columns() {
			cells = append(cells, board.Cell{Row: row, Col: c})
		}
	}
	return order.FromCells(n, cells)
}

// For one sequence of rows: the minimum over all sequences of the columns in
// each row.
func TestMinimumInSequence(t *testing.T) {
	const seed, n = 10, 7
	rng := rand.New(rand.NewPCG(seed, 0))
	s := queens(t, n)
	for range 10 {
		rows := rng.Perm(n)
		proof, err := MinimumByRows(context.Background(), s, n, robdd.BDD, InSequence(rows), 1)
		require.NoError(t, err)
		assert.Equal(t, proof.Nodes, s.Sizes(proof.Order).BDD)
		for range 300 {
			drawn := byRows(n, rows, func() []int { return rng.Perm(n) })
			require.GreaterOrEqual(t, s.Sizes(drawn).BDD, proof.Nodes, "seed %d", seed)
		}
		// Exchanging two columns of a row never saves nodes.
		for i := range n * n {
			for j := i + 1; j < i/n*n+n; j++ {
				swapped := slices.Clone(proof.Order)
				swapped[i], swapped[j] = swapped[j], swapped[i]
				require.GreaterOrEqual(t, s.Sizes(swapped).BDD, proof.Nodes, "seed %d", seed)
			}
		}
	}
}

func TestMinimumByRowsDoesNotDependOnWorkers(t *testing.T) {
	s := queens(t, 7)
	one, err := MinimumByRows(context.Background(), s, 7, robdd.BDD, nil, 1)
	require.NoError(t, err)
	three, err := MinimumByRows(context.Background(), s, 7, robdd.BDD, nil, 3)
	require.NoError(t, err)
	assert.Equal(t, one, three)
}

func TestMinimumByRowsStops(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, err := MinimumByRows(stopped, queens(t, 6), 6, robdd.BDD, nil, 1)
	assert.ErrorIs(t, err, context.Canceled)
}

// The time of the proof of whole-row minima as n grows.
func BenchmarkMinimumByRows(b *testing.B) {
	for _, n := range []int{8, 9, 10} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := queens(b, n)
			for b.Loop() {
				_, err := MinimumByRows(context.Background(), s, n, robdd.BDD, nil, 1)
				require.NoError(b, err)
			}
		})
	}
}
