package optimize

import (
	"math/bits"

	"queens/board"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// minimumByTables checks [Minimum] in a way that shares nothing with it but the
// recurrence: Friedman and Supowit's original
// algorithm, from the truth table, bottom up. It uses no solutions, classes or
// symmetries, and tests directly whether a node is needed: in the ROBDD if low
// and high child differ, in the ZDD if the high child is not 0.
//
// truth[a] is the function's value for the assignment in which variable v is
// true if bit v-1 of a is set. For each set of variables at the bottom it keeps
// one table, from assignments of the other variables to nodes over the set: 3^n
// entries in total, so at most 16 variables are allowed.
func minimumByTables(truth []bool, d robdd.Kind) (order.Order, int) {
	vars := bits.TrailingZeros(uint(len(truth)))
	type entry struct {
		nodes int
		last  int // the top variable in the set's best order
		table []uint16
	}
	start := entry{table: make([]uint16, len(truth))}
	for a, value := range truth {
		if value {
			start.table[a] = 1
		}
	}
	full := uint32(1)<<vars - 1
	done := make([]entry, full+1) // by set at the bottom
	done[0] = start
	unique := make(map[[2]uint16]uint16)
	for size := range vars {
		for bottom := uint32(0); bottom <= full; bottom++ {
			if bits.OnesCount32(bottom) != size {
				continue
			}
			from := &done[bottom]
			for x := range vars {
				if bottom>>x&1 != 0 {
					continue
				}
				// The table is indexed by the assignment of the variables
				// outside bottom, packed together; x is this bit of it.
				bit := bits.OnesCount32(^bottom & (1<<x - 1))
				table := make([]uint16, len(from.table)/2)
				clear(unique)
				for a := range table {
					low := a>>bit<<(bit+1) | a&(1<<bit-1)
					pair := [2]uint16{from.table[low], from.table[low|1<<bit]}
					if d == robdd.BDD && pair[0] == pair[1] || d == robdd.ZDD && pair[1] == 0 {
						table[a] = pair[0]
						continue
					}
					node, known := unique[pair]
					if !known {
						node = uint16(2 + from.nodes + len(unique))
						unique[pair] = node
					}
					table[a] = node
				}
				nodes := from.nodes + len(unique)
				if to := &done[bottom|1<<x]; to.table == nil || nodes < to.nodes {
					*to = entry{nodes: nodes, last: x, table: table}
				}
			}
			from.table = nil
		}
	}
	var o order.Order
	for bottom := full; bottom != 0; bottom &^= 1 << done[bottom].last {
		o = append(o, cnf.Var(done[bottom].last+1))
	}
	return o, done[full].nodes
}

// truthTable returns the value of N-queens on every set of cells of a board,
// computed by [board.VerifyCells].
func truthTable(n int) []bool {
	truth := make([]bool, 1<<(n*n))
	for a := range truth {
		var queens []board.Cell
		for i := range n * n {
			if a>>i&1 != 0 {
				queens = append(queens, board.At(n, i))
			}
		}
		truth[a] = board.VerifyCells(n, queens) == nil
	}
	return truth
}
