package encode

import (
	"fmt"
	"slices"

	"queens/board"
	"queens/encode/cnf"
)

// latin: Latin squares of order n. Variable "b3=2" says that cell b3 holds 2; each
// cell holds one number, each row and each column has each number once. OEIS A002860.
func latin(n int) Problem {
	number := func(c board.Cell, value int) cnf.Lit { return cnf.Lit(c.Index(n)*n + value + 1) }
	names := make(List, n*n*n)
	for i := range names {
		names[i] = fmt.Sprintf("%s=%d", board.At(n, i/n), i%n+1)
	}
	p := Problem{
		Family: "latin", N: n, Names: names,
		Place: func(v cnf.Var) board.Cell { return board.At(n, int(v-1)/n) },
	}
	one := func(name string, lit func(i int) cnf.Lit) {
		lits := make([]cnf.Lit, n)
		for i := range lits {
			lits[i] = lit(i)
		}
		slices.Sort(lits)
		p.Constraints = append(p.Constraints, ExactlyOne(name, lits...))
	}
	for i := range n * n {
		c := board.At(n, i)
		one(fmt.Sprintf("cell %s", c), func(value int) cnf.Lit { return number(c, value) })
	}
	for i := range n {
		for value := range n {
			one(fmt.Sprintf("%d in row %d", value+1, i+1),
				func(col int) cnf.Lit { return number(board.Cell{Row: i, Col: col}, value) })
		}
	}
	for i := range n {
		for value := range n {
			one(fmt.Sprintf("%d in column %s", value+1, board.File(i)),
				func(row int) cnf.Lit { return number(board.Cell{Row: row, Col: i}, value) })
		}
	}
	return p
}
