package report

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
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

// Shown is what a table shows about a claim: whether the chosen cells are within bounds, and what they are.
type Shown struct {
	verdict Verdict
	text    string
}

// judged compares numbers with bounds. A claim holds if each number's whole interval is within, and does not hold
// if the whole interval of one is outside. It is not decided where the records leave a number open; an exact
// number is an interval of its own, and NaN stands for what is not known.
func judged(wanted string, list []estimate, err error) (Shown, error) {
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
	all := estimate{math.Inf(1), math.Inf(1), math.Inf(-1)}
	most := math.Inf(-1)
	for _, e := range list {
		switch {
		case math.IsNaN(e.lo):
			lost++
			verdict = max(verdict, Undecided)
		case e.lo > high || e.hi < low:
			verdict = Fails
		case e.lo < low || e.hi > high:
			verdict = max(verdict, Undecided)
		}
		if !math.IsNaN(e.center) {
			all.center, most = min(all.center, e.center), max(most, e.center)
		}
		if !math.IsNaN(e.lo) {
			all.lo, all.hi = min(all.lo, e.lo), max(all.hi, e.hi)
		}
	}
	seen := ""
	if most >= all.center {
		seen = times(all.center)
		if most > all.center {
			seen += " to " + times(most)
		}
	}
	if all.lo < all.center || all.hi > most {
		seen = spaced(seen, fmt.Sprintf("(%s)", all.interval(times)))
	}
	if lost > 0 {
		seen = spaced(seen, fmt.Sprintf("[%d of %d without an interval]", lost, len(list)))
	}
	return Shown{verdict, fmt.Sprintf("seen %s, wanted %s", seen, wanted)}, nil
}

// bounds reads a range of numbers with its ends: "< 1", "> 2", "= 4" or "0.5 to 2".
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
