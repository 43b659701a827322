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
		family("rooks", "n rooks on a board of n x n, none attacking another", "n!, OEIS A000142", MaxN, rooks,
			func(n int) (*big.Int, bool) { return new(big.Int).MulRange(1, int64(n)), true }),
		family("latin", "Latin squares of order n: each number once in each row and column", "OEIS A002860", 100, latin,
			listed(1, 2, 12, 576, 161280, 812851200, 61479419904000)),
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
