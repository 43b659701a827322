package encode

import (
	"fmt"
	"math/big"
	"strings"

	"queens/board"
)

// Family is a problem for each size n.
type Family struct {
	Name   string
	Doc    string // the problem in one line
	Source string // where its solution counts are published; empty if nowhere
	Piece  string // what stands on a cell of its board, in a word
	Sign   string // for a piece on a picture, one letter: Q is drawn as a queen, R as a rook
	// Search says that backtracking search finds its valid cells, and counts its solutions if it is a board's, sooner than a
	// diagram, which needs far more memory.
	Search bool
	// Walked is the largest size at which search finds a solution sooner than a SAT solver; 0 means every size.
	Walked int
	// Build builds the problem of size n, 1 <= n <= MaxN. It fails for any other
	// size.
	Build func(n int) (Problem, error)
	MaxN  int
	// Known returns the published number of solutions of size n, and whether there
	// is one.
	Known func(n int) (*big.Int, bool)
}

// Families returns all families. Nothing else lists them.
func Families() []Family {
	return []Family{
		family(Family{Name: "queens", Doc: "n queens on a board of n x n, none attacking another",
			Source: "OEIS A000170", Piece: "queen", Sign: "Q", MaxN: MaxN,
			Known: func(n int) (*big.Int, bool) {
				count, known := board.KnownSolutions(n)
				return new(big.Int).SetUint64(count), known
			}}, func(n int) Problem { p, _ := Queens(n, nil, nil); return p }),
		family(Family{Name: "toroidal", Doc: "n queens on a board whose opposite edges meet",
			Source: "OEIS A007705", Piece: "queen", Sign: "Q", MaxN: MaxN,
			Known: listed(1, 0, 0, 0, 10, 0, 28, 0, 0, 0, 88, 0, 4524, 0, 0, 0, 140692)}, toroidal),
		family(Family{Name: "amazons", Doc: "n queens that also attack as knights do",
			Source: "OEIS A051223", Piece: "amazon", Sign: "Q", MaxN: 500,
			Known: listed(1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 44, 156, 1876, 5180, 32516, 202900, 1330622)}, amazons),
		family(Family{Name: "rooks", Doc: "n rooks, none attacking another",
			Source: "n!, OEIS A000142", Piece: "rook", Sign: "R", MaxN: MaxN,
			Known: func(n int) (*big.Int, bool) { return new(big.Int).MulRange(1, int64(n)), true }}, rooks),
		family(Family{Name: "latin", Doc: "Latin squares: each number once in each row and column",
			Source: "OEIS A002860", Piece: "number", MaxN: 100,
			Known: listed(1, 2, 12, 576, 161280, 812851200, 61479419904000)}, latin),
		family(Family{Name: "no-three-in-line", Doc: "2 n points, no three on any line",
			Source: "OEIS A000755", Piece: "point", MaxN: 50, Search: true,
			Known: listed(0, 1, 2, 11, 32, 50, 132, 380, 368, 1135, 1120, 4348, 3622, 10568, 30634, 46304, 55576, 152210)}, noThreeInLine),
		family(Family{Name: "dominating", Doc: "the fewest queens that occupy or attack every cell",
			Source: "OEIS A002564", Piece: "queen", Sign: "Q", MaxN: len(leastDominating), Search: true,
			Known: listed(1, 4, 1, 12, 186, 4, 86, 4860, 114, 8, 2, 8, 288, 4632, 205832, 2968, 124, 16, 84)}, dominating),
		family(Family{Name: "partition", Doc: "the numbers 1 to n in two halves of equal sum",
			Source: "OEIS A063865", MaxN: 500, Search: true,
			Known: listed(0, 0, 2, 2, 0, 0, 8, 14, 0, 0, 70, 124, 0, 0, 722, 1314, 0, 0, 8220, 15272, 0, 0, 99820, 187692)}, partition),
		family(Family{Name: "dominoes", Doc: "tilings of a board of n x n by dominoes",
			Source: "OEIS A004003", Piece: "domino", MaxN: 500, Known: dominoTilings,
			Walked: 28, // n = 28 in 4 ms against 31, n = 30 in 352 against 59
		}, dominoes),
	}
}

// family completes a family by its builder, which works for every size up to MaxN.
func family(f Family, build func(n int) Problem) Family {
	f.Build = func(n int) (Problem, error) {
		if n < 1 || n > f.MaxN {
			return Problem{}, fmt.Errorf("%s of size n = %d: expected 1 to %d", f.Name, n, f.MaxN)
		}
		return build(n), nil
	}
	if f.Known == nil {
		f.Known = listed()
	}
	return f
}

// listed returns a Known for published solution counts, from n = 1 on.
func listed(counts ...int64) func(n int) (*big.Int, bool) {
	return func(n int) (*big.Int, bool) {
		if n < 1 || n > len(counts) {
			return nil, false
		}
		return big.NewInt(counts[n-1]), true
	}
}

// FamilyNamed returns a family by name; the error lists the valid names.
func FamilyNamed(name string) (Family, error) {
	var names []string
	for _, f := range Families() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Family{}, fmt.Errorf("problem %q: expected one of %s", name, strings.Join(names, ", "))
}
