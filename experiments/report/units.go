package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// number formats a measure for readers: times and sizes with their unit and three digits.
func number(measure string, v float64) string {
	if list := scales(measure); list != nil {
		return scaled(v, list)
	}
	if v == float64(int64(v)) || math.Abs(v) >= 1000 {
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// scale is a unit that numbers are shown in, and its size.
type scale struct {
	size float64
	name string
}

// scales lists the units that a measure is shown in, the largest first; it is nil for a plain number.
func scales(measure string) []scale {
	switch unit(measure) {
	case "s":
		return []scale{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	case "B":
		return []scale{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}
	}
	return nil
}

// scaled formats a number in the largest unit that it reaches, or in the last one.
func scaled(v float64, scales []scale) string {
	s := scales[len(scales)-1]
	if i := slices.IndexFunc(scales, func(s scale) bool { return v >= s.size }); i >= 0 {
		s = scales[i]
	}
	if v == 0 {
		return "0 " + s.name
	}
	return digits3(v/s.size) + " " + s.name
}

// digits3 formats three significant digits without an exponent.
func digits3(v float64) string {
	decimals := 2 - int(math.Floor(math.Log10(v*1.0005))) // 9.996 is rounded to 10.0
	return grouped(strconv.FormatFloat(v, 'f', max(0, decimals), 64))
}

// grouped puts a comma between groups of three digits in the integer part of a number.
func grouped(digits string) string {
	whole, rest, fraction := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction {
		return whole + "." + rest
	}
	return whole
}

// unit returns the unit of a measure: s, B, or nothing for a plain number.
func unit(measure string) string {
	switch {
	case strings.HasSuffix(measure, "_seconds"):
		return "s"
	case strings.HasSuffix(measure, "_bytes"):
		return "B"
	}
	return ""
}

// times formats a ratio.
func times(r float64) string {
	if math.IsInf(r, 1) {
		return "∞"
	}
	if r >= 100 {
		return grouped(fmt.Sprintf("%.0f", r))
	}
	if r > 0 && r < 1e-4 {
		return digits3(r)
	}
	return fmt.Sprintf("%.3g", r)
}

func float(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
