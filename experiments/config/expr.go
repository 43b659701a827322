package config

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"queens/internal/param"
)

// An expression is an integer, or the name of another axis followed by at most two operations
// with integers (+, -, *, /), applied from the left: n, n/2, n-1, n*3/4.
const (
	operations     = `(?:[-+*/][0-9]{1,9}){0,2}`
	exprPattern    = `(?:[a-z_]+` + operations + `|-?(?:0|[1-9][0-9]{0,17}))`
	rangePattern   = `^(` + exprPattern + `)\.\.(` + exprPattern + `)(?: (step|times) ([1-9][0-9]{0,8}))?$`
	comparePattern = `^(<|<=|>|>=|!=) ?(` + exprPattern + `)$`
)

var (
	exprRegexp    = lazily(`^([a-z_]+)(` + operations + `)$`)
	wordRegexp    = lazily(`[a-z_]+`)
	stepRegexp    = lazily(`([-+*/])([0-9]+)`)
	rangeRegexp   = lazily(rangePattern)
	compareRegexp = lazily(comparePattern)
)

// lazily returns a function that compiles the expression on the first call. A package variable would cost
// time at every start of the program, and so in every measured run.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// eval computes an expression from the parameters known so far.
func eval(expr string, known func(axis string) string) (int64, error) {
	m := exprRegexp().FindStringSubmatch(expr)
	if m == nil {
		v, err := strconv.ParseInt(expr, 10, 64)
		if err != nil {
			err = fmt.Errorf("%q: expected an integer, or an axis such as n, n/2 or n-1", expr)
		}
		return v, err
	}
	v, ok := new(big.Int).SetString(known(m[1]), 10)
	if !ok {
		return 0, fmt.Errorf("%q: no integer axis %q comes before this one", expr, m[1])
	}
	for _, step := range stepRegexp().FindAllStringSubmatch(m[2], -1) {
		by, _ := new(big.Int).SetString(step[2], 10)
		if step[1] == "/" && by.Sign() == 0 {
			return 0, fmt.Errorf("%q: division by zero", expr)
		}
		operate := map[string]func(x, y *big.Int) *big.Int{"+": v.Add, "-": v.Sub, "*": v.Mul, "/": v.Quo}[step[1]]
		operate(v, by)
	}
	if !v.IsInt64() {
		return 0, fmt.Errorf("%q with %s = %s: the number does not fit in 64 bits", expr, m[1], known(m[1]))
	}
	return v.Int64(), nil
}

// maxRange bounds the number of values in a range.
const maxRange = 1_000_000

// integers lists the values of an integer axis that is written as a range or an expression.
func integers(text string, known func(axis string) string) (values []int64, err error) {
	m := rangeRegexp().FindStringSubmatch(text)
	if m == nil {
		v, err := eval(text, known)
		return []int64{v}, err
	}
	from, err := eval(m[1], known)
	if err != nil {
		return nil, err
	}
	to, err := eval(m[2], known)
	if err != nil {
		return nil, err
	}
	by, times := int64(1), m[3] == "times"
	if m[4] != "" {
		by, _ = strconv.ParseInt(m[4], 10, 64) // nine digits at most
	}
	if times && (by < 2 || from < 1) {
		return nil, fmt.Errorf("%q: a range with times starts at 1 or more and multiplies by 2 or more", text)
	}
	if from > to && !wordRegexp().MatchString(m[1]+m[2]) {
		return nil, fmt.Errorf("%q: the range is empty", text)
	}
	for v := from; v <= to; {
		if len(values) == maxRange {
			return nil, fmt.Errorf("%q: more than %d values", text, maxRange)
		}
		values = append(values, v)
		switch {
		case times && v <= to/by:
			v *= by
		case !times && v <= to-by:
			v += by
		default:
			return values, nil
		}
	}
	return values, nil
}

// meets reports whether a value meets a condition: a comparison such as "> n/2", an expression, or a value.
func meets(value, condition string, known func(axis string) string) (bool, error) {
	if condition == value || condition == param.Unpinned(value) {
		return true, nil
	}
	v, err := strconv.ParseInt(value, 10, 64)
	operator, expr := "", condition
	if m := compareRegexp().FindStringSubmatch(condition); m != nil {
		if err != nil {
			return false, fmt.Errorf("%q is a comparison, which needs an axis of integers", condition)
		}
		operator, expr = m[1], m[2]
	} else if err != nil || !exprRegexp().MatchString(condition) {
		return false, nil
	}
	other, err := eval(expr, known)
	if err != nil {
		return false, err
	}
	c := cmp.Compare(v, other)
	return map[string]bool{"": c == 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0, "!=": c != 0}[operator], nil
}

// Conditions are what a point or a record must meet, by parameter: a value, a list of values, or a comparison
// such as "> 8" or ">= n/2".
type Conditions map[string]any

// UnmarshalJSON keeps numbers as they are written: 1000000, not 1e+06.
func (e *Conditions) UnmarshalJSON(data []byte) error {
	return param.DecodeJSON(data, (*map[string]any)(e))
}

// names lists those of some parameters, or columns, that the conditions name, and may so depend on.
func (e Conditions) names(all []string) []string {
	words := append(wordRegexp().FindAllString(fmt.Sprint(e), -1), slices.Collect(maps.Keys(e))...)
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(words, name) })
}

// mostJudged bounds the answers that Judge keeps: a grid may have millions of points.
const mostJudged = 100_000

// Judge returns a function like [Conditions.Meets] for points, or records, with some parameters, or columns. It
// evaluates the conditions once for all that agree in what the conditions name.
func (e Conditions) Judge(all []string) func(parameter func(name string) string) (bool, error) {
	names, judged, key := e.names(all), map[string]bool{}, []byte{}
	return func(parameter func(name string) string) (met bool, err error) {
		key = key[:0]
		for _, name := range names {
			key = append(append(key, parameter(name)...), 0)
		}
		met, known := judged[string(key)]
		if !known {
			if met, err = e.Meets(parameter); err == nil && len(judged) < mostJudged {
				judged[string(key)] = met
			}
		}
		return met, err
	}
}

// Meets reports whether a point, or a record, with these parameters meets every condition.
func (e Conditions) Meets(parameter func(name string) string) (bool, error) {
	for name, condition := range e {
		conditions, ok := condition.([]any)
		if !ok {
			conditions = []any{condition}
		}
		met := false
		for _, c := range conditions {
			holds, err := meets(parameter(name), param.Text(c), parameter)
			if err != nil {
				return false, fmt.Errorf("%s: %w", name, err)
			}
			met = met || holds
		}
		if !met {
			return false, nil
		}
	}
	return true, nil
}
