package conformance

import (
	"fmt"
	"slices"
	"strconv"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// rule describes a family by other code than the encoder's.
type rule struct {
	most      int                    // the largest size whose solutions brute force lists in a tenth of a second
	solutions func(n int) [][]string // each as the names of the true variables
}

// rules returns each family's rule. None of them reads the encoder's constraints, since it would then repeat
// the encoder's mistakes.
func rules() map[string]rule {
	return map[string]rule{
		"queens": {8, func(n int) [][]string { return pieces(n, board.Cell.Attacks) }},
		"rooks": {6, func(n int) [][]string {
			return pieces(n, func(a, b board.Cell) bool { return a.Row == b.Row || a.Col == b.Col })
		}},
		"amazons": {7, func(n int) [][]string {
			return pieces(n, func(a, b board.Cell) bool {
				rows, cols := a.Row-b.Row, a.Col-b.Col
				return a.Attacks(b) || rows*rows+cols*cols == 5
			})
		}},
		"toroidal": {7, func(n int) [][]string {
			return pieces(n, func(a, b board.Cell) bool {
				return slices.ContainsFunc([]board.Cell{{Row: b.Row, Col: b.Col - n}, b, {Row: b.Row, Col: b.Col + n}}, a.Attacks)
			})
		}},
		"no-three-in-line": {5, noThree},
		"dominating":       {6, dominating},
		"latin":            {4, latinSquares},
		"dominoes":         {5, tilings},
		"partition":        {12, halves},
	}
}

// ruleOf returns the rule of a family by name.
func ruleOf(family string) (rule, error) {
	r, known := rules()[family]
	if !known {
		return rule{}, fmt.Errorf("family %s: write its rules, by other code than its constraints, in backends/conformance/rules.go", family)
	}
	return r, nil
}

// Sizes returns the sizes of a family that brute force lists: 1 and larger ones.
func Sizes(f encode.Family) (sizes []int, err error) {
	r, err := ruleOf(f.Name)
	if err != nil {
		return nil, err
	}
	for n := range r.most {
		sizes = append(sizes, n+1)
	}
	return sizes, nil
}

// ByRules returns the solutions of a family's problem as models, false before true, from the family's
// rules alone. It panics with what to do if the family has no rules.
func ByRules(p encode.Problem) (solutions [][]cnf.Lit) {
	r, err := ruleOf(p.Family)
	if err != nil {
		panic(err)
	}
	for _, names := range r.solutions(p.N) {
		model := cnf.Model(p.NumVars())
		for _, name := range names {
			v, err := p.Names.Var(name)
			if err != nil {
				panic(fmt.Sprintf("%s: %v", p, err))
			}
			model[v-1] = v.Pos()
		}
		if !slices.ContainsFunc(p.Fixed, func(l cnf.Lit) bool { return model[l.Var()-1] != l }) {
			solutions = append(solutions, model)
		}
	}
	slices.SortFunc(solutions, slices.Compare)
	return solutions
}

// placements lists the sets of cells of a size. They grow in the order of the board, by cells that fit those placed.
func placements(n, size int, fits func(placed []board.Cell, c board.Cell) bool) (all [][]board.Cell) {
	var from func(placed []board.Cell, at int)
	from = func(placed []board.Cell, at int) {
		if len(placed) == size {
			all = append(all, slices.Clone(placed))
			return
		}
		for ; at < n*n; at++ {
			if c := board.At(n, at); fits(placed, c) {
				from(append(placed, c), at+1)
			}
		}
	}
	from(nil, 0)
	return all
}

// names returns the variables of placements.
func names(all [][]board.Cell) [][]string {
	solutions := make([][]string, len(all))
	for i, placed := range all {
		for _, c := range placed {
			solutions[i] = append(solutions[i], c.String())
		}
	}
	return solutions
}

// noThree lists the sets of 2 n points without three in line. Three points are in line if their triangle has no area.
func noThree(n int) [][]string {
	return names(placements(n, 2*n, func(placed []board.Cell, c board.Cell) bool {
		for i, a := range placed {
			for _, b := range placed[:i] {
				if (a.Row-c.Row)*(b.Col-c.Col) == (b.Row-c.Row)*(a.Col-c.Col) {
					return false
				}
			}
		}
		return true
	}))
}

// dominating lists the smallest sets of cells from which queens reach every other cell, by trying all sets of one
// cell, of two, and so on.
func dominating(n int) [][]string {
	var solutions [][]board.Cell
	for size := 1; len(solutions) == 0; size++ {
		all := placements(n, size, func([]board.Cell, board.Cell) bool { return true })
		solutions = slices.DeleteFunc(all, func(queens []board.Cell) bool {
			for i := range n * n {
				c := board.At(n, i)
				if !slices.ContainsFunc(queens, func(q board.Cell) bool { return q == c || q.Attacks(c) }) {
					return true
				}
			}
			return false
		})
	}
	return names(solutions)
}

// pieces puts n pieces on a board, one in each row, none attacking another.
func pieces(n int, attack func(a, b board.Cell) bool) [][]string {
	return names(placements(n, n, func(placed []board.Cell, c board.Cell) bool {
		return c.Row == len(placed) && !slices.ContainsFunc(placed, func(other board.Cell) bool { return attack(c, other) })
	}))
}

// halves lists the sets of numbers up to n that have the same sum as the others.
func halves(n int) (solutions [][]string) {
	for set := range 1 << n {
		difference := 0
		half := []string{}
		for i := range n {
			if set>>i&1 == 1 {
				difference += i + 1
				half = append(half, strconv.Itoa(i+1))
			} else {
				difference -= i + 1
			}
		}
		if difference == 0 {
			solutions = append(solutions, half)
		}
	}
	return solutions
}

// latinSquares fills a square cell by cell with numbers that are not yet in the row or column.
func latinSquares(n int) (solutions [][]string) {
	values := make([]int, n*n)
	var fill func(i int)
	fill = func(i int) {
		if i == n*n {
			var names []string
			for i, value := range values {
				names = append(names, fmt.Sprintf("%s=%d", board.At(n, i), value))
			}
			solutions = append(solutions, names)
			return
		}
		for value := 1; value <= n; value++ {
			taken := false
			for j := range i {
				taken = taken || values[j] == value && (j/n == i/n || j%n == i%n)
			}
			if values[i] = value; !taken {
				fill(i + 1)
			}
		}
	}
	fill(0)
	return solutions
}

// tilings lists the domino tilings: it covers the first uncovered cell in both directions.
func tilings(n int) (solutions [][]string) {
	covered := make(map[board.Cell]bool)
	var names []string
	var cover func(i int)
	cover = func(i int) {
		if i == n*n {
			solutions = append(solutions, slices.Clone(names))
			return
		}
		from := board.At(n, i)
		if covered[from] {
			cover(i + 1)
			return
		}
		for _, to := range []board.Cell{{Row: from.Row, Col: from.Col + 1}, {Row: from.Row + 1, Col: from.Col}} {
			if to.On(n) && !covered[to] {
				covered[to] = true
				names = append(names, from.String()+"-"+to.String())
				cover(i + 1)
				names = names[:len(names)-1]
				covered[to] = false
			}
		}
	}
	cover(0)
	return solutions
}
