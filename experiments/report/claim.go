package report

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"queens/experiments/stats"
)

// Verdict says what records show about a claim.
type Verdict int

// The verdicts, the worse ones after the better ones.
const (
	Holds Verdict = iota
	Undecided
	Fails
)

func (v Verdict) String() string { return [...]string{"holds", "not decided", "does not hold"}[v] }

// Shown is a table's evidence on a claim: a verdict on whether the chosen cells are within bounds, and their
// numbers as text.
type Shown struct {
	verdict Verdict
	text    string
}

// judged compares numbers with bounds. A claim holds if the whole interval of each number is within the
// bounds; it does not hold if the whole interval of some number is outside. Otherwise the records leave it
// undecided, as they do if a number is not known (NaN). An exact number is its own interval.
func judged(wanted string, list []stats.Estimate, err error) (Shown, error) {
	low, high, badBounds := bounds(wanted)
	var open unknown
	none, column := noLine{}, noColumn{}
	switch {
	case badBounds != nil:
		return Shown{}, badBounds
	case errors.As(err, &open) || errors.As(err, &none) || errors.As(err, &column):
		return Shown{Undecided, err.Error()}, nil
	case err != nil:
		return Shown{}, err
	}
	verdict, lost := Holds, 0
	all := stats.Between(math.Inf(1), math.Inf(1), math.Inf(-1))
	most := math.Inf(-1)
	for _, e := range list {
		switch {
		case math.IsNaN(e.Lo):
			lost++
			verdict = max(verdict, Undecided)
		case e.Lo > high || e.Hi < low:
			verdict = Fails
		case e.Lo < low || e.Hi > high:
			verdict = max(verdict, Undecided)
		}
		if !math.IsNaN(e.Center) {
			all.Center, most = min(all.Center, e.Center), max(most, e.Center)
		}
		if !math.IsNaN(e.Lo) {
			all.Lo, all.Hi = min(all.Lo, e.Lo), max(all.Hi, e.Hi)
		}
	}
	seen := ""
	if most >= all.Center {
		seen = times(all.Center)
		if most > all.Center {
			seen += " to " + times(most)
		}
	}
	if all.Lo < all.Center || all.Hi > most {
		seen = spaced(seen, fmt.Sprintf("(%s)", interval(all, times)))
	}
	if lost > 0 {
		seen = spaced(seen, fmt.Sprintf("[%d of %d without an interval]", lost, len(list)))
	}
	return Shown{verdict, fmt.Sprintf("seen %s, wanted %s", seen, wanted)}, nil
}

// bounds parses a range of numbers and returns its ends: "< 1", "> 2", "= 4" or "0.5 to 2".
func bounds(text string) (low, high float64, err error) {
	low, high = math.Inf(-1), math.Inf(1)
	words := strings.Fields(text)
	number := func(word string) (v float64) {
		if v, err = strconv.ParseFloat(word, 64); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			err = strconv.ErrRange
		}
		return v
	}
	switch {
	case len(words) == 2 && words[0] == "<":
		high = math.Nextafter(number(words[1]), math.Inf(-1))
	case len(words) == 2 && words[0] == ">":
		low = math.Nextafter(number(words[1]), math.Inf(1))
	case len(words) == 2 && words[0] == "=":
		low = number(words[1])
		high = low
	case len(words) == 3 && words[1] == "to":
		if low = number(words[0]); err == nil {
			high = number(words[2])
		}
	default:
		err = strconv.ErrSyntax
	}
	if err != nil || low > high {
		return 0, 0, fmt.Errorf(`bounds %q: expected "< 1", "> 2", "= 4" or "0.5 to 2"`, text)
	}
	return low, high, nil
}

// Values says whether the numbers of the chosen cells are within bounds.
func (q Quoted) Values(wanted string, asked ...string) (Shown, error) {
	return q.judgeCells(wanted, asked, func(c cell) stats.Estimate {
		if c.number == nil {
			return *stats.Exactly(math.NaN())
		}
		e := *c.number
		if math.IsNaN(e.Lo) && unit(c.measure) == "" {
			e.Lo, e.Hi = e.Center, e.Center
		}
		return e
	})
}

// Ratios says whether the ratios of the chosen cells to the first column are within bounds.
func (q Quoted) Ratios(wanted string, asked ...string) (Shown, error) {
	return q.judgeCells(wanted, asked, func(c cell) stats.Estimate {
		switch {
		case c.times == nil:
			return *stats.Exactly(math.NaN())
		case c.times.Exact:
			return stats.Between(c.times.Center, c.times.Center, c.times.Center)
		case c.times.Above:
			return stats.Between(c.times.Center, c.times.Center, math.Inf(1))
		case c.times.Below:
			return stats.Between(c.times.Center, 0, c.times.Center)
		}
		return c.times.Estimate
	})
}

// Lines says whether the number of lines that meet the conditions is within bounds. Each run without a result
// might add a line.
func (q Quoted) Lines(wanted string, asked ...string) (Shown, error) {
	rows, _, err := q.linesMeeting(asked)
	if none := (noLine{}); errors.As(err, &none) {
		err = nil
	}
	n := float64(len(rows))
	return judged(wanted, []stats.Estimate{stats.Between(n, n, n+float64(q.lost))}, err)
}

func (q Quoted) judgeCells(wanted string, asked []string, number func(cell) stats.Estimate) (Shown, error) {
	chosen, err := q.chosen(asked)
	var list []stats.Estimate
	for _, c := range chosen {
		list = append(list, number(c))
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%q: expected a measured column among %s", q.table.Title, strings.Join(asked, ", "))
	}
	return judged(wanted, list, err)
}
