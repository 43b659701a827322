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
		family("queens", "n queens on a board of n x n, none attacking another", "OEIS A000170", MaxN,
			func(n int) Problem { p, _ := Queens(n, nil, nil); return p },
			func(n int) (*big.Int, bool) {
				count, known := board.KnownSolutions(n)
				return new(big.Int).SetUint64(count), known
			}),
		family("toroidal", "n queens on a board whose opposite edges meet", "OEIS A007705", MaxN, toroidal,
			listed(1, 0, 0, 0, 10, 0, 28, 0, 0, 0, 88, 0, 4524, 0, 0, 0, 140692)),
		family("amazons", "n queens that also attack as knights do", "OEIS A051223", 500, amazons,
			listed(1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 44, 156, 1876, 5180, 32516, 202900, 1330622)),
		family("rooks", "n rooks, none attacking another", "n!, OEIS A000142", MaxN, rooks,
			func(n int) (*big.Int, bool) { return new(big.Int).MulRange(1, int64(n)), true }),
		family("latin", "Latin squares: each number once in each row and column", "OEIS A002860", 100, latin,
			listed(1, 2, 12, 576, 161280, 812851200, 61479419904000)),
		family("no-three-in-line", "2 n points, no three on any line", "OEIS A000755", 50, noThreeInLine,
			listed(0, 1, 2, 11, 32, 50, 132, 380, 368, 1135, 1120, 4348, 3622, 10568, 30634, 46304, 55576, 152210)),
		family("dominating", "the fewest queens that occupy or attack every cell", "OEIS A002564", len(leastDominating), dominating,
			listed(1, 4, 1, 12, 186, 4, 86, 4860, 114, 8, 2, 8, 288, 4632, 205832, 2968, 124, 16, 84)),
		family("partition", "the numbers 1 to n in two halves of equal sum", "OEIS A063865", 500, partition,
			listed(0, 0, 2, 2, 0, 0, 8, 14, 0, 0, 70, 124, 0, 0, 722, 1314, 0, 0, 8220, 15272, 0, 0, 99820, 187692)),
		family("dominoes", "tilings of a board of n x n by dominoes", "OEIS A004003", 500, dominoes, dominoTilings),
	}
}

// family makes a family from a builder that works for every size up to maxN.
func family(name, doc, source string, maxN int, build func(n int) Problem, known func(int) (*big.Int, bool)) Family {
	return Family{
		Name: name, Doc: doc, Source: source, MaxN: maxN, Known: known,
		Build: func(n int) (Problem, error) {
			if n < 1 || n > maxN {
				return Problem{}, fmt.Errorf("%s of size n = %d: expected 1 to %d", name, n, maxN)
			}
			return build(n), nil
		},
	}
}

// listed returns a lookup of published solution counts, from n = 1 on; without any, of none.
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
