package report

import (
	"fmt"
	"io"
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
// width: the tables that the configuration asks for, each with its first measure; what was the same
// in all runs; how they ended; what the first table says where the parameters are largest; and how to see the rest.
func WriteSummary(w io.Writer, set record.Set, width int) error {
	d := newData(set)
	var tables []table
	for _, asked := range d.presentation().Tables {
		asked.Values = asked.Values[:min(1, len(asked.Values))]
		if len(d.set.Spec.Report.Tables) == 0 {
			asked.Values = slices.Compact(append(asked.Values, d.cost()))
		}
		part, err := d.where(asked.Where)
		if d.leftOut("table", asked.Title, err) {
			continue
		}
		if err != nil {
			return err
		}
		for i, t := range part.tables(asked) {
			t.Title = strings.TrimPrefix(asked.Title+": "+config.Label(asked.Values[i]), ": ")
			tables = append(tables, t)
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
	fmt.Fprintf(w, "%d records in %s: %s\n", len(set.Rows), set.Dir, outcomeText(record.Tally(set.Rows)))
	if len(tables) > 0 {
		if answer := tables[0].answer(); answer != "" {
			fmt.Fprintln(w, wrapped(answer, width))
		}
	}
	_, err := fmt.Fprintf(w, "next: harness report %s\n", set.Dir)
	return err
}

// answer says in a line what the last of the table's lines says, which has the largest parameters:
// "nodes at n = 8: row-major 2451, column-major the same, diagonal-interleaved 2787 (×1.14)". It is
// empty if that line has no numbers.
func (t table) answer() string {
	if len(t.Rows) == 0 {
		return ""
	}
	var at, words []string
	measure := ""
	for i, c := range t.Rows[len(t.Rows)-1] {
		switch {
		case i < t.names:
			at = append(at, t.Header[i]+" = "+c.value)
		case c.number == nil:
		case c.times != nil && c.times.exact && !c.times.differs:
			words = append(words, t.Header[i]+" the same")
		case t.Header[i] == config.Label(c.measure): // not compared with others
			words = append(words, c.Narrow())
		default:
			words = append(words, t.Header[i]+" "+strings.Replace(c.Narrow(), fewRuns, "", 1))
		}
		if c.number != nil {
			measure = config.Label(c.measure)
		}
	}
	if words == nil {
		return ""
	}
	between := ", "
	if strings.Contains(strings.Join(t.Header, ""), ",") {
		between = "; "
	}
	return fmt.Sprintf("%s at %s: %s", measure, strings.Join(at, ", "), strings.Join(words, between))
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
	switch unit(measure) {
	case "s":
		return scaled(v, []scale{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}})
	case "B":
		return scaled(v, []scale{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}})
	}
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

type scale struct {
	size float64
	name string
}

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
	switch {
	case v >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
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
