package board

// Symmetry is one of the eight symmetries of the square, 0 to 7; 0 is the identity.
// It preserves which queens attack each other.
type Symmetry uint8

// The bits of a Symmetry. Transpose swaps rows and columns, and is applied first;
// the others reverse the rows or the columns.
const (
	FlipRows Symmetry = 1 << iota
	FlipColumns
	Transpose
)

// Symmetries returns the eight, the identity first.
func Symmetries() []Symmetry { return []Symmetry{0, 1, 2, 3, 4, 5, 6, 7} }

// Of returns the row and column to which the symmetry maps a cell of a board of
// size n.
func (s Symmetry) Of(n, row, col int) (int, int) {
	if s&Transpose != 0 {
		row, col = col, row
	}
	if s&FlipRows != 0 {
		row = n - 1 - row
	}
	if s&FlipColumns != 0 {
		col = n - 1 - col
	}
	return row, col
}

// Keeping returns the symmetries other than the identity that map each cell of a board of
// size n to one with the same value. value is indexed row-major.
func Keeping(n int, value []int8) []Symmetry {
	var marked []int // enough to check: a symmetry is a bijection, so the others follow
	for i, v := range value {
		if v != 0 {
			marked = append(marked, i)
		}
	}
	var kept []Symmetry
next:
	for _, s := range Symmetries()[1:] {
		for _, i := range marked {
			row, col := s.Of(n, i/n, i%n)
			if value[row*n+col] != value[i] {
				continue next
			}
		}
		kept = append(kept, s)
	}
	return kept
}
