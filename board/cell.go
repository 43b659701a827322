package board

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// MaxSize is the largest board whose cells can be written and parsed: 18,278
// files, a to zzz. It limits notation, not computation.
const MaxSize = 26 + 26*26 + 26*26*26

// Cell is one square, by row and column, both from 0.
type Cell struct{ Row, Col int }

// At returns the cell with row-major index i on a board of size n.
func At(n, i int) Cell { return Cell{Row: i / n, Col: i % n} }

// Index returns the cell's row-major index on a board of size n, 0 <= i < n*n.
func (c Cell) Index(n int) int { return c.Row*n + c.Col }

// On reports whether the cell lies on a board of size n.
func (c Cell) On(n int) bool { return 0 <= c.Row && c.Row < n && 0 <= c.Col && c.Col < n }

// Attacks reports whether queens on c and d attack each other: two different
// cells that share a row, a column or a diagonal. Queens in between are
// ignored, since both would attack them anyway.
func (c Cell) Attacks(d Cell) bool {
	if c == d {
		return false
	}
	return c.Row == d.Row || c.Col == d.Col ||
		c.Row-c.Col == d.Row-d.Col || c.Row+c.Col == d.Row+d.Col
}

// String returns the cell in chess notation: a1, h8, aa27.
func (c Cell) String() string {
	if c.Row < 0 || c.Col < 0 {
		return fmt.Sprintf("(%d,%d)", c.Row, c.Col)
	}
	return File(c.Col) + strconv.Itoa(c.Row+1)
}

// File returns a column's file letters: 0 is a, 25 is z, 26 is aa.
func File(col int) string {
	var letters []byte
	for col++; col > 0; col = (col - 1) / 26 {
		letters = append([]byte{byte('a' + (col-1)%26)}, letters...)
	}
	return string(letters)
}

// ParseCell parses a cell in the form of [Cell.String]; capitals are accepted.
// The error names the text and what was expected.
func ParseCell(s string) (Cell, error) {
	bad := func() (Cell, error) {
		return Cell{}, fmt.Errorf("cell %q: expected file letter(s) then rank, as in a1 or h8", s)
	}
	letters := 0
	col := 0
	for letters < len(s) {
		ch := s[letters] | 0x20
		if ch < 'a' || ch > 'z' {
			break
		}
		if col = col*26 + int(ch-'a') + 1; col > MaxSize {
			return bad()
		}
		letters++
	}
	digits := s[letters:]
	if letters == 0 || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return bad()
	}
	rank, err := strconv.Atoi(digits)
	if err != nil || rank > MaxSize {
		return bad()
	}
	return Cell{Row: rank - 1, Col: col - 1}, nil
}

// MarshalText writes the cell as [Cell.String] does.
func (c Cell) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalJSON reads a cell as [ParseCell] does. It exists to reject null, which would otherwise leave
// the zero cell, a1.
func (c *Cell) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err != nil || text == nil {
		return fmt.Errorf("cell %s: expected text such as \"a1\"", data)
	}
	return c.UnmarshalText([]byte(*text))
}

// UnmarshalText reads a cell as [ParseCell] does.
func (c *Cell) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCell(string(text))
	return err
}

// ParseCells parses a comma-separated list of cells of a board of size n. The
// empty text is the empty list. The error names a cell that is off the board or
// given twice.
func ParseCells(n int, list string) ([]Cell, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var cells []Cell
	for _, word := range strings.Split(list, ",") {
		c, err := ParseCell(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		cells = append(cells, c)
	}
	return cells, CheckCells(n, cells)
}

// CheckCells returns an error for the first cell that is not on a board of size
// n, or is given twice.
func CheckCells(n int, cells []Cell) error {
	seen := make(map[Cell]bool, len(cells))
	for _, c := range cells {
		if !c.On(n) {
			return fmt.Errorf("cell %s is off the board: for n = %d cells go from a1 to %s", c, n, Cell{n - 1, n - 1})
		}
		if seen[c] {
			return fmt.Errorf("cell %s is given twice", c)
		}
		seen[c] = true
	}
	return nil
}

// FormatCells formats cells in the form that ParseCells reads.
func FormatCells(cells []Cell) string {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = c.String()
	}
	return strings.Join(words, ",")
}
