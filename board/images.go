package board

import "slices"

// Images divides a search for all solutions into parts, so that it visits one solution of each set of images
// under the symmetries that keep the fixed cells: the one whose queen in the first row stands furthest to
// the left. This costs a search nothing below the first row. It only keeps those border cells empty that
// such a symmetry maps to a cell of the first row further to the left.
type Images struct {
	n    int
	kept []Symmetry // the identity first
}

// NewImages returns the division for a board of size n. value is indexed row-major, and is not 0
// for fixed cells.
func NewImages(n int, value []int8) Images {
	return Images{n, append([]Symmetry{0}, Keeping(n, value)...)}
}

// Most returns the largest number of images that a solution has, 1 to 8.
func (d Images) Most() int { return len(d.kept) }

// Part is the part of a search in which the queen of the first row stands in a given
// column.
type Part struct {
	Images
	Empty []Cell // cells that must stay empty, in addition to the fixed ones
	same  []Cell // other cells that a kept symmetry maps to that queen's cell
}

// Part returns the part for a column of the first row. It has no solutions if that cell itself must be empty.
func (d Images) Part(col int) Part {
	p := Part{Images: d}
	for i := range d.n * d.n {
		c := Cell{i / d.n, i % d.n}
		further, same := false, false
		for _, s := range d.kept[1:] {
			row, to := s.Of(d.n, c.Row, c.Col)
			further = further || row == 0 && to < col
			same = same || row == 0 && to == col
		}
		if further {
			p.Empty = append(p.Empty, c)
		} else if same {
			p.same = append(p.same, c)
		}
	}
	return p
}

// Of returns the symmetries that map a solution of the part to its different images, the identity first. It
// returns nil if another image in the part represents the solution. cols holds the column of each row's
// queen, on a board of up to 64. The caller must not change the result.
func (p *Part) Of(cols []int8) []Symmetry {
	if !slices.ContainsFunc(p.same, func(c Cell) bool { return int(cols[c.Row]) == c.Col }) {
		return p.kept
	}
	var memory [64]int8
	rows := memory[:len(cols)] // of each column's queen
	for row, col := range cols {
		rows[col] = int8(row)
	}
	compare := func(s, t Symmetry) int {
		for row := range cols {
			if a, b := s.column(row, cols, rows), t.column(row, cols, rows); a != b {
				return int(a - b)
			}
		}
		return 0
	}
	alike := false
	for _, s := range p.kept[1:] {
		order := compare(s, 0)
		if order < 0 {
			return nil
		}
		alike = alike || order == 0
	}
	if !alike {
		return p.kept
	}
	var different []Symmetry
	for _, s := range p.kept {
		if !slices.ContainsFunc(different, func(t Symmetry) bool { return compare(s, t) == 0 }) {
			different = append(different, s)
		}
	}
	return different
}

// column returns the column of a row's queen in the image of a solution. cols has the
// solution's columns by row, rows its rows by column.
func (s Symmetry) column(row int, cols, rows []int8) int8 {
	if s&FlipRows != 0 {
		row = len(cols) - 1 - row
	}
	col := cols[row]
	if s&Transpose != 0 {
		col = rows[row]
	}
	if s&FlipColumns != 0 {
		col = int8(len(cols)) - 1 - col
	}
	return col
}
