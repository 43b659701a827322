package encode

import (
	"queens/board"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// Residual is what unit propagation leaves of N-queens under assumptions. Its
// solutions are those of the problem under the assumptions; a dead one has none.
type Residual struct{ *board.Position }

// Residual reduces N-queens under the assumptions, which are literals of cells. It
// takes O(n) operations per fixed queen plus O(n^2/64).
func (p Problem) Residual(assume []cnf.Lit) *Residual {
	r := &Residual{board.NewPosition(p.N, nil, nil)}
	for _, positive := range []bool{false, true} { // block all cells before the first queen is put
		for _, lits := range [][]cnf.Lit{p.Fixed, assume} {
			for _, l := range lits {
				switch c := VarCell(p.N, l.Var()); {
				case r.Dead || l.Positive() != positive:
				case positive:
					r.Put(c)
				default:
					r.Block(c)
				}
			}
		}
	}
	r.Propagate()
	return r
}

// CNF lowers the residual board to clauses over its free cells only. choose picks
// the encoding, given the number of attacking pairs. Variable i of the formula,
// for i <= len(cells), stands for cells[i-1]; those above are auxiliary. A dead
// board yields the empty clause.
func (r *Residual) CNF(choose func(pairs int) amo.Encoding) (f *cnf.Formula, cells []board.Cell) {
	cells = r.Cells()
	residual := Problem{Names: make(List, len(cells))}
	if r.Dead {
		residual.Constraints = []Constraint{{Bound: AtLeastOne}}
		return residual.CNF(choose(0)), cells
	}
	lines := board.Lines(r.N)
	first := [4]int{0, r.N, 2 * r.N, 4*r.N - 1} // index of each kind's first line
	byLine := make([][]cnf.Lit, len(lines))
	for i, c := range cells {
		for k, line := range c.Lines(r.N) {
			at := first[k] + line.Index
			byLine[at] = append(byLine[at], cnf.Lit(i+1))
		}
	}
	for i, lits := range byLine {
		if len(lits) > 0 {
			bound := queensBounds[lines[i].Kind]
			residual.Constraints = append(residual.Constraints, Constraint{Bound: bound, Lits: lits})
		}
	}
	return residual.CNF(choose(residual.Pairs())), cells
}
