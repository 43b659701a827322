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
