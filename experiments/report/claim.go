package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
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

// claim returns a line with the verdict on a claim, the worst of what tables show, and with what they show. The
// document remembers the worst verdict of all.
func (d *Documents) claim(text string, shown ...Shown) (string, error) {
	if len(shown) == 0 {
		return "", fmt.Errorf("claim %q: expected what shows it", text)
	}
	verdict := Holds
	var seen []string
	for _, s := range shown {
		verdict = max(verdict, s.verdict)
		seen = append(seen, s.text)
	}
	d.Worst = max(d.Worst, verdict)
	return fmt.Sprintf("- **%s**: %s (%s)", verdict, text, strings.Join(seen, "; ")), nil
}

// Values says whether the numbers of the chosen cells are within bounds.
func (q Quoted) Values(wanted string, asked ...string) (Shown, error) {
	return q.shown(wanted, asked, func(c cell) estimate {
		if c.number == nil {
			return *exactly(math.NaN())
		}
		e := *c.number
		if math.IsNaN(e.lo) && unit(c.measure) == "" {
			e.lo, e.hi = e.center, e.center
		}
		return e
	})
}

// Ratios says whether the ratios of the chosen cells to the first column are within bounds.
func (q Quoted) Ratios(wanted string, asked ...string) (Shown, error) {
	return q.shown(wanted, asked, func(c cell) estimate {
		switch {
		case c.times == nil:
			return *exactly(math.NaN())
		case c.times.exact:
			return estimate{c.times.center, c.times.center, c.times.center}
		case c.times.above:
			return estimate{c.times.center, c.times.center, math.Inf(1)}
		}
		return c.times.estimate
	})
}

// Lines says whether the number of lines that meet the conditions is within bounds. Each run that came to no result
// might be a line more.
func (q Quoted) Lines(wanted string, asked ...string) (Shown, error) {
	rows, _, err := q.lines(asked)
	if none := (noLine{}); errors.As(err, &none) {
		err = nil
	}
	n := float64(len(rows))
	return judged(wanted, []estimate{{n, n, n + float64(q.lost)}}, err)
}

func (q Quoted) shown(wanted string, asked []string, number func(cell) estimate) (Shown, error) {
	rows, columns, err := q.lines(asked)
	var list []estimate
	for _, r := range rows {
		for at := q.table.names; at < len(r); at++ {
			if slices.Contains(columns, q.table.Header[at]) {
				list = append(list, number(r[at]))
			}
		}
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%q: expected a measured column among %s", q.table.Title, strings.Join(asked, ", "))
	}
	return judged(wanted, list, err)
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

// bounds reads a range of numbers, both of which are within: "< 1", "> 2", "= 4" or "0.5 to 2".
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
