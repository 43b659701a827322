package board

import "slices"

// Images divides a search for all solutions so that it visits one of each set of images
// under the symmetries that keep what is fixed: the one whose queen in the first row stands
// furthest to the left. A search spends nothing on this below the first row: the cells on
// the border that such a symmetry maps further to the left are empty.
type Images struct {
	n    int
	kept []Symmetry // the identity first
}

// NewImages returns the division for a board of size n. value is indexed row-major: not 0
// for a cell that is fixed.
func NewImages(n int, value []int8) Images {
	return Images{n, append([]Symmetry{0}, Keeping(n, value)...)}
}

// Most returns the largest number of images that a solution has, 1 to 8.
func (d Images) Most() int { return len(d.kept) }

// Part is the part of a search in which the queen of the first row stands in a given
// column.
type Part struct {
	Images
	Empty []Cell // besides what is fixed
	same  []Cell // that other kept symmetries map to that queen's cell, and that are not empty
}

// Part returns the part for a column of the first row. It has no solutions if that cell is
// itself among those that are empty.
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

// Of returns the symmetries that map a solution of the part to its different images, the
// identity first, or none if one of its images in the part represents it. cols has the
// column of each row's queen. The caller must not change the result.
func (p *Part) Of(cols []int) []Symmetry {
	if !slices.ContainsFunc(p.same, func(c Cell) bool { return cols[c.Row] == c.Col }) {
		return p.kept
	}
	var images [][]int
	var different []Symmetry
	for _, s := range p.kept {
		image := s.Columns(cols)
		if slices.Compare(image, cols) < 0 {
			return nil
		}
		if !slices.ContainsFunc(images, func(x []int) bool { return slices.Equal(x, image) }) {
			images, different = append(images, image), append(different, s)
		}
	}
	return different
}

// Columns returns the image of a queen in each row, both as the column by row.
func (s Symmetry) Columns(cols []int) []int {
	image := make([]int, len(cols))
	for row, col := range cols {
		r, c := s.Of(len(cols), row, col)
		image[r] = c
	}
	return image
}
