package configure

import (
	"slices"
	"strings"
)

// Mark is what a drawing of a board says about a cell. Each mark has one sign, which means the same in
// every drawing: of a board, of an explanation, and of a solution.
type Mark uint8

// Marks of a cell in a state.
const (
	Invalid  Mark = iota // in no completion, though no queen attacks it
	Attacked             // attacked by a queen on the board
	Blocked              // blocked by the person
	Valid                // in some completion
	Forced               // in every completion, but without a queen so far
	Queen                // placed by the person
	Auto                 // forced, and placed automatically
)

// Marks of a cell in an explanation or a solution that is drawn over the board.
const (
	Asked  Mark = iota + Auto + 1 // the cell that is explained
	Blamed                        // has a placed queen that is to blame
	OnLine                        // is on the line that the step is about
	Shown                         // has a queen of the solution shown, which is not placed
	Untold                        // the drawing says nothing about it
)

// marks holds the sign and the meaning of each mark.
var marks = [...]struct{ sign, means string }{
	{".", "impossible"}, {"x", "attacked"}, {"#", "blocked"}, {"o", "valid"}, {"!", "forced"}, {"Q", "queen"},
	{"q", "placed automatically"}, {"?", "explained"}, {"*", "queen to blame"}, {"=", "line of the step"},
	{"+", "queen of the solution"}, {"_", "not looked at"},
}

// String returns the meaning of the mark.
func (m Mark) String() string { return marks[m].means }

// Sign returns the mark as one character, readable without colour.
func (m Mark) Sign() string { return marks[m].sign }

// Open reports whether a cell with the mark can still get a queen.
func (m Mark) Open() bool { return m == Valid || m == Forced }

// LegendOf is [Legend] of those marks whose signs a drawing of a board has, as [queens/board.Draw] makes it.
func LegendOf(drawing string, of ...Mark) string {
	rows := strings.Split(strings.TrimRight(drawing, "\n"), "\n")
	drawn := map[string]bool{}
	for _, row := range rows[:len(rows)-1] { // the last one names the columns
		signs := strings.Fields(row)
		for _, sign := range signs[min(1, len(signs)):] { // the first one names the row
			drawn[sign] = true
		}
	}
	of = slices.DeleteFunc(slices.Clone(of), func(m Mark) bool { return !drawn[m.Sign()] })
	if len(of) == 0 {
		return ""
	}
	return Legend(of...)
}

// Legend returns the meanings of signs in one line; by default, those of a board.
func Legend(of ...Mark) string {
	if len(of) == 0 {
		of = []Mark{Queen, Auto, Valid, Forced, Attacked, Invalid, Blocked}
	}
	var words []string
	for _, m := range of {
		words = append(words, m.Sign()+" "+m.String())
	}
	return strings.Join(words, "  ")
}
