package experiments

import (
	"fmt"
	"regexp"
	"strconv"
)

// An expression is an integer, or another axis' name, with at most one integer
// added, subtracted, multiplied or divided: n, n/2, n-1.
const exprPattern = `(?:[a-z_]+(?:[-+*/][0-9]{1,9})?|-?[0-9]{1,18})`

var (
	exprRegexp     = regexp.MustCompile(`^([a-z_]+)(?:([-+*/])([0-9]+))?$`)
	rangePattern   = `^(` + exprPattern + `)\.\.(` + exprPattern + `)(?: (step|times) ([1-9][0-9]{0,8}))?$`
	rangeRegexp    = regexp.MustCompile(rangePattern)
	comparePattern = `^(<|<=|>|>=|!=) ?(` + exprPattern + `)$`
	compareRegexp  = regexp.MustCompile(comparePattern)
)

// eval computes an expression from the integer parameters known so far.
func eval(expr string, known map[string]int64) (int64, error) {
	if v, err := strconv.ParseInt(expr, 10, 64); err == nil {
		return v, nil
	}
	m := exprRegexp.FindStringSubmatch(expr)
	if m == nil {
		return 0, fmt.Errorf("%q: expected an integer, or an axis such as n, n/2 or n-1", expr)
	}
	v, ok := known[m[1]]
	if !ok {
		return 0, fmt.Errorf("%q: no integer axis %q comes before this one", expr, m[1])
	}
	if m[2] == "" {
		return v, nil
	}
	by, err := strconv.ParseInt(m[3], 10, 64)
	if err != nil {
		return 0, err
	}
	switch m[2] {
	case "+":
		return v + by, nil
	case "-":
		return v - by, nil
	case "*":
		return v * by, nil
	}
	if by == 0 {
		return 0, fmt.Errorf("%q: division by zero", expr)
	}
	return v / by, nil
}

// maxRange bounds how many values one range may stand for.
const maxRange = 1_000_000

// expandRange lists the values of a range; isRange is false when the text is not
// one.
func expandRange(text string, known map[string]int64) (values []int64, isRange bool, err error) {
	m := rangeRegexp.FindStringSubmatch(text)
	if m == nil {
		return nil, false, nil
	}
	from, err := eval(m[1], known)
	if err != nil {
		return nil, true, err
	}
	to, err := eval(m[2], known)
	if err != nil {
		return nil, true, err
	}
	by := int64(1)
	if m[4] != "" {
		by, _ = strconv.ParseInt(m[4], 10, 64) // nine digits at most
	}
	if m[3] == "times" && (by < 2 || from < 1) {
		return nil, true, fmt.Errorf("%q: a range with times starts at 1 or more and multiplies by 2 or more", text)
	}
	for v := from; v <= to; {
		if len(values) == maxRange {
			return nil, true, fmt.Errorf("%q: more than %d values", text, maxRange)
		}
		values = append(values, v)
		if m[3] == "times" {
			v *= by
		} else {
			v += by
		}
	}
	return values, true, nil
}

// meets reports whether a parameter's value meets a comparison such as "> n/2";
// isComparison is false when the text is not one.
func meets(value int64, comparison string, known map[string]int64) (ok, isComparison bool, err error) {
	m := compareRegexp.FindStringSubmatch(comparison)
	if m == nil {
		return false, false, nil
	}
	other, err := eval(m[2], known)
	if err != nil {
		return false, true, err
	}
	switch m[1] {
	case "<":
		ok = value < other
	case "<=":
		ok = value <= other
	case ">":
		ok = value > other
	case ">=":
		ok = value >= other
	case "!=":
		ok = value != other
	}
	return ok, true, nil
}
