package spec

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"queens/experiments"
)

// An expression is an integer, or the name of another axis followed by at most two operations
// with integers (+, -, *, /), applied from the left: n, n/2, n-1, n*3/4.
const (
	exprPattern    = `(?:[a-z_]+(?:[-+*/][0-9]{1,9}){0,2}|-?(?:0|[1-9][0-9]{0,17}))`
	rangePattern   = `^(` + exprPattern + `)\.\.(` + exprPattern + `)(?: (step|times) ([1-9][0-9]{0,8}))?$`
	comparePattern = `^(<|<=|>|>=|!=) ?(` + exprPattern + `)$`
)

var (
	exprRegexp    = lazily(`^([a-z_]+)((?:[-+*/][0-9]{1,9}){0,2})$`)
	wordRegexp    = lazily(`[a-z_]+`)
	stepRegexp    = lazily(`([-+*/])([0-9]+)`)
	rangeRegexp   = lazily(rangePattern)
	compareRegexp = lazily(comparePattern)
)

// lazily returns a function that compiles the expression when it is first called: every start of
// the program, each measured run among them, would pay for a variable.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var errOverflow = errors.New("the number does not fit in 64 bits")

// eval computes an expression from the integer parameters known so far.
func eval(expr string, known map[string]int64) (int64, error) {
	if v, err := strconv.ParseInt(expr, 10, 64); err == nil {
		return v, nil
	}
	m := exprRegexp().FindStringSubmatch(expr)
	if m == nil {
		return 0, fmt.Errorf("%q: expected an integer, or an axis such as n, n/2 or n-1", expr)
	}
	v, ok := known[m[1]]
	if !ok {
		return 0, fmt.Errorf("%q: no integer axis %q comes before this one", expr, m[1])
	}
	for _, step := range stepRegexp().FindAllStringSubmatch(m[2], -1) {
		by, _ := strconv.ParseInt(step[2], 10, 64) // nine digits at most
		switch step[1] {
		case "+":
			v, ok = add(v, by)
		case "-":
			v, ok = add(v, -by)
		case "*":
			v, ok = multiply(v, by)
		case "/":
			if by == 0 {
				return 0, fmt.Errorf("%q: division by zero", expr)
			}
			v /= by
		}
		if !ok {
			return 0, fmt.Errorf("%q with %s = %d: %w", expr, m[1], known[m[1]], errOverflow)
		}
	}
	return v, nil
}

// add returns a + b; ok is false if the sum overflows.
func add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0)
}

// multiply returns a * b for b >= 0; ok is false if the product overflows.
func multiply(a, b int64) (product int64, ok bool) {
	product = a * b
	return product, a == 0 || product/a == b
}

// maxRange bounds the number of values in a range.
const maxRange = 1_000_000

// expandRange lists the values of a range; isRange is false if the text is not one.
func expandRange(text string, known map[string]int64) (values []int64, isRange bool, err error) {
	m := rangeRegexp().FindStringSubmatch(text)
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
	by, next := int64(1), add
	if m[4] != "" {
		by, _ = strconv.ParseInt(m[4], 10, 64) // nine digits at most
	}
	if m[3] == "times" {
		next = multiply
		if by < 2 || from < 1 {
			return nil, true, fmt.Errorf("%q: a range with times starts at 1 or more and multiplies by 2 or more", text)
		}
	}
	for v, ok := from, true; ok && v <= to; v, ok = next(v, by) {
		if len(values) == maxRange {
			return nil, true, fmt.Errorf("%q: more than %d values", text, maxRange)
		}
		values = append(values, v)
	}
	return values, true, nil
}

// meets reports whether a parameter's value meets a comparison such as "> n/2"; isComparison is
// false if the text is not one.
func meets(value int64, comparison string, known map[string]int64) (ok, isComparison bool, err error) {
	m := compareRegexp().FindStringSubmatch(comparison)
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

// checkRange says what is wrong with a range that refers to no other axis, or with its values;
// it returns nothing for a good one.
func checkRange(text string, allowed bounds) (wrong string) {
	m := rangeRegexp().FindStringSubmatch(text)
	if m == nil || exprRegexp().MatchString(m[1]) || exprRegexp().MatchString(m[2]) {
		return ""
	}
	values, _, err := expandRange(text, nil)
	switch {
	case err != nil:
		return err.Error()
	case len(values) == 0:
		return fmt.Sprintf("%q: the range is empty", text)
	}
	for _, v := range []int64{values[0], values[len(values)-1]} {
		if wrong := allowed.check(v); wrong != "" {
			return fmt.Sprintf("%q: %s", text, wrong)
		}
	}
	return ""
}

// integer reads a decoded number.
func integer(v any) (int64, bool) {
	if _, isText := v.(string); isText {
		return 0, false
	}
	n, err := strconv.ParseInt(experiments.Text(v), 10, 64)
	return n, err == nil
}
