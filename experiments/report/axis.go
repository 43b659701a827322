package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"queens/experiments/config"
)

// axisLabel names a column in words; the ticks have the units of times and sizes.
func axisLabel(column string) string {
	if column == "n" {
		return "size n"
	}
	stem, isCPU := strings.CutSuffix(column, "_cpu_seconds")
	switch {
	case isCPU:
		return config.Label(stem) + ", processor time"
	case column == "wall_seconds":
		return "wall-clock time of a run"
	case column == "peak_rss_bytes":
		return "peak memory of a run"
	case unit(column) == "s":
		return config.Label(column) + ", wall-clock time"
	case unit(column) == "B":
		return config.Label(strings.TrimSuffix(column, "_bytes")) + ", memory"
	}
	return config.Label(column)
}

// tickLabel formats a value in the measure's units, without trailing zeros: 1 ms, not 1.00 ms.
// Large plain numbers have a letter: 30 M.
func tickLabel(measure string, v float64) string {
	shown := number(measure, v)
	if unit(measure) == "" && v >= 1e4 {
		shown = scaled(v, []scale{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
	}
	digits, unit, _ := strings.Cut(shown, " ")
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	return strings.TrimSpace(digits + " " + unit)
}

// scaleAxis sets the scale and the ticks, labelled in the measure's units. Beyond the given
// number of decades, only powers of ten have ticks.
func scaleAxis(axis *plot.Axis, log bool, measure string, at []float64, decades int) {
	if axis.Min > axis.Max { // nothing was drawn
		axis.Min, axis.Max = 0, 1
		log = false
	}
	if axis.Min == axis.Max {
		if log {
			axis.Min, axis.Max = axis.Min/2, axis.Max*2
		} else {
			axis.Min, axis.Max = axis.Min-1, axis.Max+1
		}
	}
	if log {
		axis.Scale = plot.LogScale{}
	} else if axis.Min > 0 && at == nil {
		axis.Min = 0
	}
	axis.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick {
		values := at
		if values == nil && log && unit(measure) == "B" {
			values = powersOfTwo(low, high)
		} else if values == nil && log {
			if values = logTicks(low, high, decades); len(within(values, low, high)) < 2 { // less than a step of these
				values = linearTicks(low, high)
			}
		} else if values == nil {
			values = linearTicks(low, high)
		}
		var ticks []plot.Tick
		for _, v := range within(values, low, high) {
			ticks = append(ticks, plot.Tick{Value: v, Label: tickLabel(measure, v)})
		}
		return ticks
	})
}

// within returns the values from low to high.
func within(values []float64, low, high float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v < low*(1-1e-9) || v > high*(1+1e-9) })
}

// integerTicks keeps the ticks at integers: a plot of few runs has no half ones.
func integerTicks(of plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		return slices.DeleteFunc(of.Ticks(low, high), func(t plot.Tick) bool { return t.Value != math.Round(t.Value) })
	})
}

// logTicks returns powers of ten, with 2 and 5 between them up to the given number of decades.
func logTicks(low, high float64, decades int) []float64 {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	factors := []int{1, 2, 5}
	if last-first > decades {
		factors = []int{1}
	}
	step := 1 + (last-first)/12
	var ticks []float64
	for e := first; e <= last; e += step {
		for _, f := range factors {
			// Parsed, not computed, so that a power of ten is the nearest floating-point
			// number.
			v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", f, e), 64)
			if err == nil {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// powersOfTwo returns about eight ticks for amounts of memory.
func powersOfTwo(low, high float64) []float64 {
	first, last := math.Floor(math.Log2(low)), math.Ceil(math.Log2(high))
	step := math.Ceil((last - first) / 8)
	var ticks []float64
	for e := first; e <= last; e += max(1, step) {
		ticks = append(ticks, math.Exp2(e))
	}
	return ticks
}

// linearTicks returns about six multiples of 1, 2 or 5 times a power of ten.
func linearTicks(low, high float64) []float64 {
	span := high - low
	if span <= 0 {
		return []float64{low}
	}
	step := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, f := range []float64{1, 2, 5, 10} {
		if span/(step*f) <= 7 {
			step *= f
			break
		}
	}
	var ticks []float64
	for i := math.Ceil(low / step); i*step <= high; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}
