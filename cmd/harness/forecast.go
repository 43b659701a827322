package main

import (
	"fmt"

	"queens/board"
	"queens/encode"
)

const (
	// visited is roughly the number of solutions of a board that search visits in a second, on one processor.
	visited = 5e6
	// patience is the longest visit, in seconds, that a command begins without --force.
	patience = 3600
)

// tooMany returns an error if visiting all solutions of an empty board takes more than [patience].
func tooMany(p encode.Problem) error {
	if !p.IsQueens() || len(p.Fixed) > 0 {
		return nil
	}
	solutions, known := solutionsOf(p.N)
	seconds := solutions / visited
	if seconds <= patience {
		return nil
	}
	has := fmt.Sprintf("%.0f solutions (OEIS A000170)", solutions)
	if !known {
		has = fmt.Sprintf("about %.1g solutions, to judge by smaller boards", solutions)
	}
	return invalid("%s has %s; visiting them takes about %s, which --force does", p, has, lasting(seconds))
}

// solutionsOf returns the number of solutions of a board; known is false if it is a forecast. The forecast
// assumes that the factor from one board size to the next keeps growing by the last known increment.
func solutionsOf(n int) (solutions float64, known bool) {
	if count, known := board.KnownSolutions(n); known {
		return float64(count), true
	}
	last := n
	for ; last > 2; last-- {
		if _, known := board.KnownSolutions(last); known {
			break
		}
	}
	of := func(n int) float64 {
		count, _ := board.KnownSolutions(n)
		return float64(count)
	}
	solutions = of(last)
	factor := of(last) / of(last-1)
	growth := factor - of(last-1)/of(last-2)
	for ; last < n; last++ {
		factor += growth
		solutions *= factor
	}
	return solutions, false
}

// lasting formats a long time in a suitable unit.
func lasting(seconds float64) string {
	const hour, day, year = 3600, 24 * 3600, 365.25 * 24 * 3600
	switch {
	case seconds < 2*day:
		return fmt.Sprintf("%.0f hours", seconds/hour)
	case seconds < 2*year:
		return fmt.Sprintf("%.0f days", seconds/day)
	case seconds < 1e6*year:
		return fmt.Sprintf("%.0f years", seconds/year)
	}
	return fmt.Sprintf("%.0g years", seconds/year)
}
