package threshold

import (
	"fmt"
	"math"
	"slices"

	"queens/board"
)

// Weights refute a placement. They map each line to a weight. Missing lines weigh 0, among them all lines
// with a queen; diagonals weigh at least 0. At each free cell the row and the column weigh no more than the
// two diagonals, but all rows and columns together weigh more than all diagonals. This refutes the
// placement, because a completion has a queen on each open row and column, and at most one on each diagonal:
// summed over the queens' cells, the first property contradicts the second. By Farkas' lemma such weights
// exist if and only if not even fractional queens complete the placement.
type Weights map[board.Line]int64

const (
	// rounds is the number of rounds of proportional fitting after which [Weigh] gives up.
	rounds = 4000
	// finest is the largest weight to which a diagonal is rounded.
	finest = 1e9
)

// Weigh looks for weights that refute a position, by proportional fitting: it scales fractions on
// the free cells until each open row and column has one queen and each diagonal at most one. If that is
// impossible, the logarithms of the factors converge to such weights. It returns nil if it finds none.
func Weigh(p *board.Position) Weights {
	f := newFitting(p)
	before := math.Inf(-1)
	for round := range rounds {
		surplus := f.round()
		if surplus > 1e-3 {
			return f.whole()
		}
		// While the fractions converge, each round gains less: stop if rounds more such rounds cannot suffice.
		if gain := surplus - before; round > 10 && -surplus > gain*rounds {
			break
		}
		before = surplus
	}
	return nil
}

// fitting has a fraction x for each free cell: e to the power of the weights of its row and column minus
// those of its diagonals.
type fitting struct {
	p      *board.Position
	lines  [][4]int // by free cell: the index of its line of each kind
	x      []float64
	weight [4][]float64
	sum    []float64 // by line of one kind: the sum of its fractions, then its factor
}

func newFitting(p *board.Position) *fitting {
	f := &fitting{p: p, sum: make([]float64, 2*p.N-1)}
	for kind := range f.weight {
		f.weight[kind] = make([]float64, len(f.sum))
	}
	for _, c := range p.Cells() {
		lines := [4]int{}
		for kind, line := range c.Lines(p.N) {
			lines[kind] = line.Index
		}
		f.lines, f.x = append(f.lines, lines), append(f.x, 1)
	}
	return f
}

// round fits each kind of line once, rows last. No fraction is then above 1, so no cell's row and column
// weigh more than its diagonals. It returns the weight of all rows and columns minus that of all diagonals.
func (f *fitting) round() (surplus float64) {
	for _, kind := range [...]board.LineKind{board.Diagonal, board.AntiDiagonal, board.Column, board.Row} {
		clear(f.sum)
		for i, lines := range f.lines {
			f.sum[lines[kind]] += f.x[i]
		}
		for l, sum := range f.sum {
			switch before := f.weight[kind][l]; {
			case kind >= board.Diagonal:
				after := max(0, before+math.Log(sum))
				f.weight[kind][l], f.sum[l] = after, math.Exp(before-after)
				surplus -= after
			case l < f.p.N && f.p.Left(board.Line{Kind: kind, Index: l}) >= 0:
				f.weight[kind][l], f.sum[l] = before-math.Log(sum), 1/sum // infinite where no cell is free
				surplus += f.weight[kind][l]
			}
		}
		for i, lines := range f.lines {
			f.x[i] *= f.sum[lines[kind]]
		}
	}
	return surplus
}

// whole rounds the weights to whole numbers, the smallest it finds that still refute the position; nil if
// it finds none.
func (f *fitting) whole() Weights {
	most := 0.0
	for kind := board.Diagonal; kind <= board.AntiDiagonal; kind++ {
		most = max(most, slices.Max(f.weight[kind]))
	}
	for unit := max(most, 1e-3); most/unit < finest; unit /= 1.1 {
		var w [4][]int64
		for kind := range w {
			w[kind] = make([]int64, len(f.sum))
			for l, weight := range f.weight[kind] {
				w[kind][l] = int64(math.Round(max(min(weight/unit, finest), -finest)))
			}
		}
		// A row or column may weigh as much as its free cells allow.
		for _, kind := range [...]board.LineKind{board.Row, board.Column} {
			for l := range w[kind] {
				w[kind][l] = finest
			}
			for _, l := range f.lines {
				w[kind][l[kind]] = min(w[kind][l[kind]],
					w[board.Diagonal][l[board.Diagonal]]+w[board.AntiDiagonal][l[board.AntiDiagonal]]-w[1-kind][l[1-kind]])
			}
		}
		weights := Weights{}
		for _, line := range board.Lines(f.p.N) {
			if weight := w[line.Kind][line.Index]; weight != 0 && f.p.Left(line) >= 0 {
				weights[line] = weight
			}
		}
		if weights.Check(f.p.N, f.p.Queens) == nil {
			return weights
		}
	}
	return nil
}

// Sums returns the total weight of all rows and columns, and that of all diagonals.
func (w Weights) Sums() (straight, diagonal int64) {
	for line, weight := range w {
		if line.Kind < board.Diagonal {
			straight += weight
		} else {
			diagonal += weight
		}
	}
	return straight, diagonal
}

// Check returns an error unless the weights refute the placement on a board of size n. It uses the rule of
// attack alone.
func (w Weights) Check(n int, queens []board.Cell) error {
	for line, weight := range w {
		if line.Kind >= board.Diagonal && weight < 0 {
			return fmt.Errorf("%s weighs %d, less than 0", line.Name(n), weight)
		}
	}
	for _, q := range queens {
		for _, line := range q.Lines(n) {
			if w[line] != 0 {
				return fmt.Errorf("%s has a queen and weighs %d, not 0", line.Name(n), w[line])
			}
		}
	}
	for i := range n * n {
		c := board.At(n, i)
		if slices.ContainsFunc(queens, func(q board.Cell) bool { return q == c || q.Attacks(c) }) {
			continue
		}
		lines := c.Lines(n)
		straight, diagonal := w[lines[board.Row]]+w[lines[board.Column]], w[lines[board.Diagonal]]+w[lines[board.AntiDiagonal]]
		if straight > diagonal {
			return fmt.Errorf("the row and column of %s weigh %d, its diagonals %d", c, straight, diagonal)
		}
	}
	if straight, diagonal := w.Sums(); straight <= diagonal {
		return fmt.Errorf("all rows and columns weigh %d, no more than all diagonals, %d", straight, diagonal)
	}
	return nil
}
