package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"queens/experiments/record"
	"queens/experiments/spec"
)

// summaryRows bounds the table on the terminal; the report has every line.
const summaryRows = 60

// seedColumn is the parameter that only repeats an experiment with different random choices.
const seedColumn = "seed"

// WriteSummary writes a summary of a record set for a terminal of width columns, 0 for any
// width: one line per point, with how its runs ended and the medians of their measures. What is
// the same on all lines is shown once, below the table; columns that do not fit next to the
// parameters follow in further blocks.
func WriteSummary(w io.Writer, set record.Set, width int) error {
	d := newData(set)
	columns := d.varied
	points := d.group(set.Rows, columns)
	pooled := ""
	if i := slices.Index(columns, seedColumn); i >= 0 && len(points) > summaryRows {
		columns = slices.Delete(slices.Clone(columns), i, i+1)
		points = d.group(set.Rows, columns)
		pooled = fmt.Sprintf("; over %d values of %s", len(d.values[seedColumn]), seedColumn)
	}
	shown := points[:min(len(points), summaryRows)]
	g := grid{keys: len(columns), header: append(slices.Clone(columns), "runs", "outcome")}
	measures := d.summaryMeasures()
	for _, m := range measures {
		g.header = append(g.header, spec.Label(m))
	}
	for _, p := range shown {
		var row []string
		for _, name := range columns {
			row = append(row, p.value(name))
		}
		row = append(row, strconv.Itoa(len(p.records)), p.outcomes())
		for _, m := range measures {
			row = append(row, p.median(m))
		}
		g.add(row...)
	}
	constant := g.constant()
	g.write(w, width)
	if len(points) > len(shown) {
		fmt.Fprintf(w, "... and %d more points: harness report %s shows them all\n", len(points)-len(shown), set.Dir)
	}
	everywhere := slices.DeleteFunc([]string{d.fixedText(), strings.Join(constant, ", ")},
		func(s string) bool { return s == "" })
	about := fmt.Sprintf("medians%s; everywhere: %s", pooled, strings.Join(everywhere, ", "))
	fmt.Fprintln(w, wrapped(about, width))
	_, err := fmt.Fprintf(w, "%d records in %s: %s\n", len(set.Rows), set.Dir, outcomeText(record.Tally(set.Rows)))
	return err
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
func (p point) value(parameter string) string { return p.records[0][parameter] }

// outcomes says how the point's runs ended: ok if all were, otherwise the number of runs per
// outcome.
func (p point) outcomes() string {
	tally := record.Tally(p.records)
	if tally[record.OK] == len(p.records) {
		return "ok"
	}
	return outcomeText(tally)
}

// values returns a measure's numbers over the runs that ended well, in the records' order.
func (p point) values(measure string) []float64 {
	var vs []float64
	for _, r := range p.records {
		if v, ok := r.Number(measure); ok && r.Outcome() == record.OK {
			vs = append(vs, v)
		}
	}
	return vs
}

// median returns a measure's median as text; exact integers stay exact.
func (p point) median(measure string) string {
	var texts []string
	for _, r := range p.records {
		if r.Outcome() == record.OK && !slices.Contains(texts, r[measure]) {
			texts = append(texts, r[measure])
		}
	}
	if len(texts) == 1 && unit(measure) == "" {
		return texts[0]
	}
	vs := p.values(measure)
	if len(vs) == 0 {
		return ""
	}
	return number(measure, median(vs))
}

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
	if v == 0 {
		return "0 " + scales[len(scales)-1].name
	}
	for _, s := range scales {
		if v >= s.size {
			return digits3(v/s.size) + " " + s.name
		}
	}
	last := scales[len(scales)-1]
	return digits3(v/last.size) + " " + last.name
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
