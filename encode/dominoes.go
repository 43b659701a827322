package encode

import (
	"fmt"
	"math/big"

	"queens/board"
	"queens/encode/cnf"
)

// dominoes: tilings of the board by dominoes. Variable "a1-b1" says that a domino
// covers these two cells; each cell is covered exactly once. OEIS A004003.
func dominoes(n int) Problem {
	type domino struct{ from, to board.Cell }
	var all []domino
	covering := make([][]cnf.Lit, n*n)
	for i := range n * n {
		from := board.At(n, i)
		for _, to := range []board.Cell{{Row: from.Row, Col: from.Col + 1}, {Row: from.Row + 1, Col: from.Col}} {
			if to.On(n) {
				all = append(all, domino{from, to})
				l := cnf.Lit(len(all))
				covering[i] = append(covering[i], l)
				covering[to.Index(n)] = append(covering[to.Index(n)], l)
			}
		}
	}
	names := make(List, len(all))
	for i, d := range all {
		names[i] = fmt.Sprintf("%s-%s", d.from, d.to)
	}
	p := Problem{
		Family: "dominoes", N: n, Names: names,
		Place: func(v cnf.Var) board.Cell { return all[v-1].from },
	}
	for i, lits := range covering {
		p.Constraints = append(p.Constraints, ExactlyOne(fmt.Sprintf("cell %s", board.At(n, i)), lits...))
	}
	return p
}

// dominoTilings returns the published numbers of tilings: 0 for odd n.
func dominoTilings(n int) (*big.Int, bool) {
	counts := []string{"2", "36", "6728", "12988816", "258584046368", "53060477521960000"} // n = 2, 4, ...
	if n%2 == 1 {
		return new(big.Int), true
	}
	if n < 2 || n/2 > len(counts) {
		return nil, false
	}
	return new(big.Int).SetString(counts[n/2-1], 10)
}
