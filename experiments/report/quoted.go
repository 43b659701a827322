package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Quoted is a table that a document quotes. Its methods are described at [Documents].
type Quoted struct {
	table table
	again []table // the same of further measurements
}

// All returns the lines of all measurements as one table.
func (q Quoted) All() Quoted {
	all := q.table
	all.Rows = slices.Clone(all.Rows)
	for _, t := range q.again {
		for _, r := range t.Rows {
			row := make([]cell, len(all.Header))
			for to, name := range all.Header {
				if from := slices.Index(t.Header, name); from >= 0 {
					row[to] = r[from]
				}
			}
			all.Rows = append(all.Rows, row)
		}
	}
	return Quoted{table: all}
}

// Value quotes the number of a cell, or the range of several.
func (q Quoted) Value(asked ...string) (string, error) {
	return q.cells(asked, "value", value)
}

// Cell quotes a cell as it stands in the table.
func (q Quoted) Cell(asked ...string) (string, error) {
	return q.cells(asked, "text", func(c cell) quoted { return quoted{c.Text(), c.size()} })
}

// Ratio quotes the ratio of a cell to the first column, or the range of several. A ~ stands before
// one where the samples show no significant difference.
func (q Quoted) Ratio(asked ...string) (string, error) {
	return q.cells(asked, "ratio", func(c cell) quoted {
		if c.times == nil || math.IsNaN(c.times.center) || math.IsInf(c.times.center, 0) {
			return quoted{}
		}
		text := times(c.times.center)
		switch {
		case c.times.above:
			text = "more than " + text
		case !c.times.differs && !c.times.exact:
			text = "~" + text
		}
		return quoted{text, c.times.center}
	})
}

// RatioInterval quotes the interval of a cell's ratio to the first column.
func (q Quoted) RatioInterval(asked ...string) (string, error) {
	return q.cells(asked, "interval of a ratio", func(c cell) quoted {
		if c.times == nil {
			return quoted{}
		}
		return quoted{c.times.interval(times), math.NaN()}
	})
}

// Show returns the table in Markdown: the chosen lines, with the columns that identify them and
// those that are chosen, or all.
func (q Quoted) Show(asked ...string) (string, error) {
	return q.show(asked, cell.Text)
}

// Numbers returns what Show does, without intervals and comparisons.
func (q Quoted) Numbers(asked ...string) (string, error) {
	return q.show(asked, func(c cell) string { return cmp.Or(c.value, c.lost) })
}

// show returns the chosen part of the table, with a text for each cell.
func (q Quoted) show(asked []string, text func(cell) string) (string, error) {
	rows, wanted, err := q.lines(asked)
	if err != nil {
		return "", err
	}
	chosen := q.table
	chosen.Rows = rows
	chosen = chosen.only(wanted).inOneUnit()
	for i, r := range chosen.Rows {
		chosen.Rows[i] = slices.Clone(r)
		for at := chosen.names; at < len(r); at++ {
			chosen.Rows[i][at] = word(text(r[at]))
		}
	}
	return chosen.Markdown(), nil
}

// Best counts the lines in which a column has the smallest number, as in "3 of 12".
func (q Quoted) Best(asked ...string) (string, error) {
	return q.count(asked, func(times float64) bool { return times == 1 })
}

// Finished counts the lines in which a column has a number.
func (q Quoted) Finished(asked ...string) (string, error) {
	return q.count(asked, func(times float64) bool { return !math.IsNaN(times) })
}

func (q Quoted) count(asked []string, which func(times float64) bool) (string, error) {
	list, err := q.timesBest(asked)
	n := len(slices.DeleteFunc(slices.Clone(list), func(times float64) bool { return !which(times) }))
	return fmt.Sprintf("%d of %d", n, len(list)), err
}

// Worst quotes the largest multiple of the smallest number of a line that a column has.
func (q Quoted) Worst(asked ...string) (string, error) {
	list, err := q.timesBest(asked)
	worst := 1.0
	for _, v := range list {
		if v > worst {
			worst = v
		}
	}
	return times(worst), err
}

// timesBest divides a column's number in each line by the smallest of the line; it is NaN where the
// column has none.
func (q Quoted) timesBest(asked []string) (list []float64, err error) {
	rows, columns, err := q.lines(asked)
	if err == nil && len(columns) != 1 {
		err = fmt.Errorf("%q: expected one column, not %d", q.table.Title, len(columns))
	}
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		own, least := math.NaN(), math.Inf(1)
		for at, c := range r {
			if c.number == nil || strings.HasPrefix(c.value, ">") {
				continue
			}
			least = min(least, c.number.center)
			if q.table.Header[at] == columns[0] {
				own = c.number.center
			}
		}
		list = append(list, own/least)
	}
	return list, nil
}

// lines returns the lines that meet the conditions, and the names of columns among the arguments.
func (q Quoted) lines(asked []string) (rows [][]cell, columns []string, err error) {
	rows = q.table.Rows
	largest := -1
	for _, a := range asked {
		if a == "*" || slices.Contains(q.table.Header, a) {
			columns = append(columns, a)
			continue
		}
		name, values, condition := strings.Cut(a, " = ")
		at := slices.Index(q.table.Header, name)
		if at < 0 {
			return nil, nil, fmt.Errorf("%q has no column %q: expected one of %s", q.table.Title, name,
				strings.Join(q.table.Header, "; "))
		}
		if !condition {
			return nil, nil, fmt.Errorf("%q: expected a column, or NAME = VALUE", a)
		}
		if values == "largest" {
			largest = at
			continue
		}
		rows = slices.DeleteFunc(slices.Clone(rows),
			func(r []cell) bool { return !slices.Contains(strings.Split(values, ", "), r[at].value) })
	}
	if largest >= 0 {
		rows = q.table.largest(rows, largest, columns)
	}
	if len(rows) == 0 {
		return nil, nil, noLine{fmt.Errorf("no line of %q meets the conditions %s", q.table.Title, strings.Join(asked, ", "))}
	}
	return rows, columns, nil
}

// noLine is the error of conditions that no line meets.
type noLine struct{ error }

// quoted is what is quoted of a cell, with its size, NaN where that is unknown.
type quoted struct {
	text string
	size float64
}

func value(c cell) quoted { return quoted{c.value, c.size()} }

// cells quotes one cell, or the smallest and the largest of several.
func (q Quoted) cells(asked []string, what string, quote func(cell) quoted) (string, error) {
	rows, columns, err := q.lines(asked)
	if err != nil {
		return "", err
	}
	var list []quoted
	for _, r := range rows {
		for at, c := range r {
			if slices.Contains(columns, q.table.Header[at]) || c.number != nil && slices.Contains(columns, "*") {
				list = append(list, quote(c))
			}
		}
	}
	text, err := extent(list)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q: %w", q.table.Title, err)
	case text == "":
		return "", fmt.Errorf("%q has no %s at %s", q.table.Title, what, strings.Join(asked, ", "))
	}
	return text, nil
}

// extent returns the smallest and the largest of what is quoted of several cells. Cells that have
// nothing to quote are left out, since a series may lack some points; it is empty if all do.
func extent(list []quoted) (string, error) {
	list = slices.DeleteFunc(list, func(q quoted) bool { return q.text == "" || q.text == "-" || q.text == notKnown })
	if len(list) == 0 {
		return "", nil
	}
	if len(list) > 1 && slices.ContainsFunc(list, func(q quoted) bool { return math.IsNaN(q.size) }) {
		return "", fmt.Errorf("%d cells are chosen, and their sizes cannot be compared: choose one", len(list))
	}
	size := func(a, b quoted) int { return cmp.Compare(a.size, b.size) }
	least, most := slices.MinFunc(list, size), slices.MaxFunc(list, size)
	if least.text == most.text {
		return least.text, nil
	}
	return least.text + " to " + most.text, nil
}
