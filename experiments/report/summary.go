package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/config"
	"queens/experiments/record"
)

// A summary has the first of the configuration's tables, and the first lines of these.
const (
	summaryTables = 4
	summaryRows   = 20
)

// seedColumn is the parameter that only repeats an experiment with different random choices.
const seedColumn = "seed"

// WriteSummary writes a summary of a record set for a terminal of width columns, 0 for any
// width: the tables that the configuration asks for, each with its first measure that has a number; what was
// the same in all runs; how they ended; how to see the rest; and the answer.
func WriteSummary(w io.Writer, set record.Set, width int) error {
	d := newData(set)
	var asked []config.Table
	if len(set.Rows) > 0 {
		asked = d.presentation().Tables
	}
	all, err := d.tablesOf(asked)
	if err == nil && set.Spec.Answer != "" { // it may quote what comes with a plot
		all, _, err = d.shown()
	}
	if err != nil {
		return err
	}
	standing := standingOf(set)
	answer := d.answer(all, standing.doubt)
	var tables []table
	for _, a := range asked {
		part, err := d.where(a.Where)
		if err != nil { // no record meets it
			continue
		}
		isAuto := len(d.set.Spec.Report.Tables) == 0
		a.Values = part.summaryValues(a, isAuto)
		for i, t := range part.tables(a) {
			t.Title = strings.TrimPrefix(a.Title+": "+config.Label(a.Values[i]), ": ")
			tables = append(tables, t.inOneUnit())
		}
	}
	for _, t := range tables[:min(len(tables), summaryTables)] {
		fmt.Fprintln(w, wrapped(t.Title, width))
		t.write(w, width, summaryRows)
	}
	if more := len(tables) - summaryTables; more > 0 {
		fmt.Fprintf(w, "... and %d more tables\n", more)
	}
	for _, left := range d.left {
		fmt.Fprintln(w, wrapped("left out: "+left, width))
	}
	fmt.Fprintln(w, wrapped("everywhere: "+d.fixedText(), width))
	if text, busy := d.quiet(); busy {
		fmt.Fprintln(w, wrapped(text, width))
	}
	fmt.Fprintf(w, "%s in %s: %s\n", standing.count, set.Dir, outcomeText(record.Tally(set.Rows)))
	_, err = fmt.Fprintf(w, "next: harness report %s\n", set.Dir)
	if err == nil && answer != "" {
		_, err = fmt.Fprintln(w, wrapped(answer, width))
	}
	return err
}

// summaryValues chooses the measures of a table to show on the terminal: the first that most of its columns
// have numbers of, or the wall time if there is none, and the cost as well in a table that nobody asked for.
func (d *data) summaryValues(asked config.Table, isAuto bool) []string {
	chosen, most := "wall_seconds", 0
	for _, v := range append(slices.Clone(asked.Values), chosen) {
		if n := d.reporting(asked.Columns, v); n > most {
			chosen, most = v, n
		}
	}
	if isAuto {
		return slices.Compact([]string{chosen, d.cost()})
	}
	return []string{chosen}
}

// write writes the table's first lines on a terminal.
func (t table) write(w io.Writer, width, most int) {
	shown := make([][]string, min(len(t.Rows), most))
	few := false
	for i := range shown {
		for _, c := range t.Rows[i] {
			shown[i] = append(shown[i], strings.Replace(c.Narrow(), fewRuns, "", 1))
			few = few || c.times != nil && c.times.few
		}
	}
	writeGrid(w, width, t.names, t.Header, shown)
	if t.legend != "" {
		fmt.Fprintln(w, wrapped(t.legend, width))
	}
	if few {
		fmt.Fprintln(w, wrapped("(too few runs to test the differences)", width))
	}
	if more := len(t.Rows) - most; more > 0 {
		fmt.Fprintf(w, "... and %d more lines\n", more)
	}
}

// cost returns the time that the configuration's tables and plots show first, or the wall time.
func (d *data) cost() string {
	var asked []string
	p := d.presentation()
	for _, t := range p.Tables {
		asked = append(asked, t.Values...)
	}
	for _, plot := range p.Plots {
		asked = append(asked, plot.Y)
	}
	measured := d.numeric(d.measurements)
	isTime := func(c string) bool { return unit(c) == "s" && slices.Contains(measured, c) }
	if i := slices.IndexFunc(asked, isTime); i >= 0 {
		return asked[i]
	}
	return "wall_seconds"
}

func outcomeText(tally map[record.Outcome]int) string {
	var words []string
	for _, o := range record.Outcomes() {
		if n := tally[o]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(words, ", ")
}

// point holds all records with the same parameters.
type point struct{ records []record.Row }

// value returns one of the parameters.
func (p point) value(parameter string) string { return p.records[0].Cell(parameter) }

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

// scales lists the units that a measure is shown in, the largest first: none for a plain number.
func scales(measure string) []scale {
	switch unit(measure) {
	case "s":
		return []scale{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	case "B":
		return []scale{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}
	}
	return nil
}

// scaled formats a number in the largest of the units that it has one of, or the last.
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

// grouped puts a comma before each three digits of the integer that a number begins with.
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
