package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/text"

	"queens/experiments/config"
	"queens/experiments/stats"
)

// Quoted is a table that a document quotes by its methods. Their comments are the help of harness docs: make generate
// takes them over.
type Quoted struct {
	table table
	doubt string // why no sentence may be made from the set; see standing
	lost  int    // runs of the set that did not end well

	mention func(cell) // notes a chosen cell
}

// Value quotes the number of a cell, or the range of several.
func (q Quoted) Value(asked ...string) (string, error) {
	return q.quoteCells(asked, "value", numberOf)
}

// Cell quotes a cell as it stands in the table.
func (q Quoted) Cell(asked ...string) (string, error) {
	return q.quoteCells(asked, "text", func(c cell) quoted { return quoted{c.Text(), c.size()} })
}

// Estimate quotes the number of a cell with its interval.
func (q Quoted) Estimate(asked ...string) (string, error) {
	return q.quoteCells(asked, "value", func(c cell) quoted { return quoted{c.estimate(), c.size()} })
}

// Ratio quotes the ratio of a cell to the first column, or the range of several ratios. A ~ precedes a ratio
// whose samples show no significant difference.
func (q Quoted) Ratio(asked ...string) (string, error) {
	return q.quoteCells(asked, "ratio", func(c cell) quoted {
		if !c.times.Known() {
			return quoted{}
		}
		text := times(c.times.Center)
		switch {
		case c.times.Above:
			text = "more than " + text
		case c.times.Below:
			text = "less than " + text
		case !c.times.Differs && !c.times.Exact:
			text = "~" + text
		}
		return quoted{text, c.times.Center}
	})
}

// Compare says in words how the chosen columns compare with the first one, in one line of the table: "search
// takes 0.53 (0.49 to 0.58) and gini 4.4 (3.9 to 5.8) times as long as ZDD".
func (q Quoted) Compare(asked ...string) (string, error) {
	rows, columns, err := q.linesMeeting(asked)
	if err == nil && len(rows) > 1 {
		err = fmt.Errorf("%q: %d lines meet the conditions %s: choose one", q.table.Title, len(rows), strings.Join(asked, ", "))
	}
	if err != nil {
		return "", err
	}
	c := comparison{base: q.table.Header[q.table.names]}
	for at := q.table.names + 1; at < len(q.table.Header); at++ {
		if name := q.table.Header[at]; slices.Contains(columns, name) || slices.Contains(columns, "*") {
			c.sortIn(name, rows[0][at])
		}
	}
	if text := c.sentence(); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("%q: expected a column to be compared with %s", q.table.Title, c.base)
}

// comparison sorts columns by how they compare with a base.
type comparison struct {
	base, measure                   string
	differ                          []struct{ name, by string }
	alike, same, work, few, unknown []string
}

func (s *comparison) sortIn(name string, c cell) {
	m := c.times
	if s.measure = c.measure; c.same {
		s.work = append(s.work, name)
		return
	}
	if !m.Known() {
		s.unknown = append(s.unknown, name)
		return
	}
	within := ""
	if spreads(m) {
		within = fmt.Sprintf(" (%s)", interval(m.Estimate, times))
	}
	switch {
	case m.Exact && !m.Differs:
		s.same = append(s.same, name)
	case m.Few && !m.Exact:
		s.few = append(s.few, name)
	case !m.Differs:
		s.alike = append(s.alike, name+within)
	case m.Above:
		s.differ = append(s.differ, struct{ name, by string }{name, "more than " + times(m.Center)})
	case m.Below:
		s.differ = append(s.differ, struct{ name, by string }{name, "less than " + times(m.Center)})
	default:
		s.differ = append(s.differ, struct{ name, by string }{name, times(m.Center) + within})
	}
}

func (s *comparison) sentence() string {
	verb, of := "has", "the "+config.Label(s.measure)+" of "+s.base
	switch unit(s.measure) {
	case "s":
		verb, of = "takes", "as long as "+s.base
	case "B":
		verb, of = "needs", "the memory of "+s.base
	}
	var parts []string
	say := func(names []string, form string) {
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf(form, joinedWords(names)))
		}
	}
	var differ []string
	for i, d := range s.differ {
		if i == 0 {
			d.name += " " + verb
		}
		differ = append(differ, d.name+" "+d.by)
	}
	say(differ, "%s times "+of)
	say(s.same, "%s: as many "+config.Label(s.measure)+" as "+s.base)
	say(s.work, "%s: the same work as "+s.base)
	say(s.alike, "no difference from "+s.base+" was found for %s")
	say(s.few, "too few runs to compare %s with "+s.base)
	say(s.unknown, "it is not known how %s compares with "+s.base)
	return strings.Join(parts, "; ")
}

// Show returns the chosen lines of the table in Markdown, with the columns that identify them and the chosen
// columns, or all.
func (q Quoted) Show(asked ...string) (string, error) {
	return q.show(asked, cell.Text)
}

// Numbers returns the same as Show, without intervals and comparisons.
func (q Quoted) Numbers(asked ...string) (string, error) {
	return q.show(asked, cell.brief)
}

// show returns the chosen part of the table, with a text for each cell.
func (q Quoted) show(asked []string, text func(cell) string) (string, error) {
	rows, wanted, err := q.linesMeeting(asked)
	if err != nil {
		return "", err
	}
	chosen := q.table
	chosen.Rows = rows
	chosen = chosen.only(wanted).inOneUnit()
	return markdownTable(chosen.Header, chosen.texts(text), pretty.AlignRight), nil
}

// Estimates returns the same as Show, without comparisons.
func (q Quoted) Estimates(asked ...string) (string, error) {
	return q.show(asked, cell.estimate)
}

// Best counts the lines in which a column has the smallest number, as in "3 of 12".
func (q Quoted) Best(asked ...string) (string, error) {
	return q.count(asked, func(n, least float64) bool { return n == least })
}

// Finished counts the lines in which a column has a number.
func (q Quoted) Finished(asked ...string) (string, error) {
	return q.count(asked, func(n, _ float64) bool { return !math.IsNaN(n) })
}

// AtMost counts the lines in which a column has a number that is not above most, as in AtMost "1" "search".
func (q Quoted) AtMost(most string, asked ...string) (string, error) {
	limit, err := strconv.ParseFloat(most, 64)
	if err != nil {
		return "", fmt.Errorf("%q: expected a number, not %q", q.table.Title, most)
	}
	return q.count(asked, func(n, _ float64) bool { return n <= limit })
}

func (q Quoted) count(asked []string, which func(n, least float64) bool) (string, error) {
	numbers, least, err := q.numbers(asked)
	count := 0
	for i, n := range numbers {
		if which(n, least[i]) {
			count++
		}
	}
	return fmt.Sprintf("%d of %d", count, len(numbers)), err
}

// Worst quotes the largest ratio of a column's number to the smallest number of its line.
func (q Quoted) Worst(asked ...string) (string, error) {
	numbers, least, err := q.numbers(asked)
	worst := 1.0
	for i, n := range numbers {
		if ratio := n / least[i]; ratio > worst {
			worst = ratio
		}
	}
	return times(worst), err
}

// Overall quotes the geometric mean of a column's ratios to the first column over the chosen lines, with its 95% interval
// and the number of lines, as in "1.26 (1.1 to 1.4; 8 points)". A ~ precedes it if the signed-rank test over the lines finds
// no significant difference. If some lines have no ratio, both numbers are given, since these may be the hard ones: "7 of 8 points".
func (q Quoted) Overall(asked ...string) (string, error) {
	rows, columns, err := q.linesMeeting(asked)
	if err == nil && len(columns) != 1 {
		err = fmt.Errorf("%q: expected one column, not %d", q.table.Title, len(columns))
	}
	if err != nil {
		return "", err
	}
	at := slices.Index(q.table.Header, columns[0])
	var ratios []float64
	for _, r := range rows {
		if m := r[at].times; m.Known() && !m.Above && !m.Below && m.Center > 0 {
			ratios = append(ratios, m.Center)
		}
	}
	if ratios == nil {
		return "", fmt.Errorf("%q has no ratio in column %s at %s", q.table.Title, columns[0], strings.Join(asked, ", "))
	}
	mean, p := stats.Overall(ratios)
	text, points := times(mean.Center), fmt.Sprintf("%d points", len(rows))
	switch {
	case len(ratios) < len(rows):
		points = fmt.Sprintf("%d of %s", len(ratios), points)
	case len(rows) == 1:
		points = "1 point"
	}
	if p >= stats.Significant {
		text = "~" + text
	}
	if within := interval(mean, times); within != "" {
		points = within + "; " + points
	}
	return fmt.Sprintf("%s (%s)", text, points), nil
}

// numbers returns a column's number in each line, NaN where it has none, and the smallest number of that line.
func (q Quoted) numbers(asked []string) (numbers, least []float64, err error) {
	rows, columns, err := q.linesMeeting(asked)
	if err == nil && len(columns) != 1 {
		err = fmt.Errorf("%q: expected one column, not %d", q.table.Title, len(columns))
	}
	if err != nil {
		return nil, nil, err
	}
	for _, r := range rows {
		own, smallest := math.NaN(), math.Inf(1)
		for at, c := range r {
			if c.number == nil || strings.HasPrefix(c.value, ">") {
				continue
			}
			smallest = min(smallest, c.number.Center)
			if q.table.Header[at] == columns[0] {
				own = c.number.Center
			}
		}
		numbers, least = append(numbers, own), append(least, smallest)
	}
	return numbers, least, nil
}

// linesMeeting returns the lines that meet the conditions, and the column names among the arguments. Each value that
// a condition lists must occur in one of these lines.
func (q Quoted) linesMeeting(asked []string) (rows [][]cell, columns []string, err error) {
	if q.doubt != "" {
		return nil, nil, unknown(q.doubt)
	}
	rows = q.table.Rows
	largest := -1
	listed := map[int][]string{} // values by column
	for _, a := range asked {
		if a == "*" || slices.Contains(q.table.Header, a) {
			columns = append(columns, a)
			continue
		}
		name, values, condition := strings.Cut(a, " = ")
		at := slices.Index(q.table.Header, name)
		if at < 0 {
			return nil, nil, noColumn{fmt.Errorf("%q has no column %q: expected one of %s", q.table.Title, name,
				strings.Join(q.table.Header, "; "))}
		}
		if !condition {
			return nil, nil, fmt.Errorf("%q: expected a column, or NAME = VALUE", a)
		}
		if values == "largest" {
			largest = at
			continue
		}
		listed[at] = strings.Split(values, ", ")
		rows = slices.DeleteFunc(slices.Clone(rows), func(r []cell) bool { return !slices.Contains(listed[at], r[at].value) })
	}
	if largest >= 0 {
		rows = q.table.largestLines(rows, largest, columns)
	}
	for at, values := range listed {
		for _, v := range values {
			if !slices.ContainsFunc(rows, func(r []cell) bool { return r[at].value == v }) {
				return nil, nil, noLine{fmt.Errorf("no line of %q meets the conditions %s with %s = %s", q.table.Title,
					strings.Join(asked, ", "), q.table.Header[at], v)}
			}
		}
	}
	if len(rows) == 0 {
		return nil, nil, noLine{fmt.Errorf("%q has no lines", q.table.Title)}
	}
	for _, r := range rows {
		for at, c := range r {
			if q.mention != nil && (columns == nil || slices.Contains(columns, "*") || slices.Contains(columns, q.table.Header[at])) {
				q.mention(c)
			}
		}
	}
	return rows, columns, nil
}

// noLine is the error for conditions that no line meets, and noColumn that for a column that the table lacks.
type (
	noLine   struct{ error }
	noColumn struct{ error }
)

// Throughout lists the values of a column for which all lines meet a condition: Throughout "completes = yes" "n". The
// result is not known if there is no such value, or if some line has no value to compare.
func (q Quoted) Throughout(condition, by string) (string, error) {
	column, wanted, _ := strings.Cut(condition, " = ")
	rows, _, err := q.linesMeeting([]string{column, by})
	if err != nil {
		return "", err
	}
	at, of := slices.Index(q.table.Header, column), slices.Index(q.table.Header, by)
	var values, broken []string
	for _, r := range rows {
		switch {
		case r[at].value == "":
			return "", unknown(fmt.Sprintf("at %s = %s a run came to no result", by, r[of].value))
		case r[at].value != wanted:
			broken = append(broken, r[of].value)
		case !slices.Contains(values, r[of].value):
			values = append(values, r[of].value)
		}
	}
	values = slices.DeleteFunc(values, func(v string) bool { return slices.Contains(broken, v) })
	if len(values) == 0 {
		return "", unknown(fmt.Sprintf("at %s = %s, %d of %d lines do not have %s", by, broken[0], len(broken), len(rows), condition))
	}
	return joinedWords(values), nil
}

// joinedWords joins words as in "1, 2 and 3".
func joinedWords(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Total quotes the sum of the chosen cells, which must be the given one, as in Total "12". That shows that no part of a whole is
// missing.
func (q Quoted) Total(wanted string, asked ...string) (string, error) {
	list, err := q.chosen(asked)
	if err != nil {
		return "", err
	}
	sum := 0.0
	for _, c := range list {
		if !c.hasNumber() {
			return "", unknown(fmt.Sprintf("%q lacks a number at %s", q.table.Title, strings.Join(asked, ", ")))
		}
		sum += c.number.Center
	}
	if total := number("", sum); total != wanted {
		return "", unknown(fmt.Sprintf("%q comes to %s at %s, not to %s", q.table.Title, total, strings.Join(asked, ", "), wanted))
	}
	return wanted, nil
}

// chosen returns the cells of the named measured columns, in the lines that meet the conditions.
func (q Quoted) chosen(asked []string) (list []cell, err error) {
	rows, columns, err := q.linesMeeting(asked)
	for _, r := range rows {
		for at := q.table.names; at < len(r); at++ {
			if slices.Contains(columns, q.table.Header[at]) {
				list = append(list, r[at])
			}
		}
	}
	return list, err
}

// quoted is the quoted text of a cell, and the cell's size; NaN if that is unknown.
type quoted struct {
	text string
	size float64
}

// says reports whether there is something to quote.
func (q quoted) says() bool { return q.text != "" && q.text != "-" && q.text != notKnown }

func numberOf(c cell) quoted { return quoted{c.value, c.size()} }

// quoteCells quotes one cell, or the smallest and the largest of several.
func (q Quoted) quoteCells(asked []string, what string, quote func(cell) quoted) (string, error) {
	rows, columns, err := q.linesMeeting(asked)
	if err != nil {
		return "", err
	}
	var list []quoted
	empty := map[string]bool{} // whether a named column has nothing to quote
	for _, r := range rows {
		for at, c := range r {
			name := q.table.Header[at]
			named := slices.Contains(columns, name)
			if !named && (c.number == nil || !slices.Contains(columns, "*")) {
				continue
			}
			cited := quote(c)
			list = append(list, cited)
			if before, seen := empty[name]; named && (before || !seen) {
				empty[name] = !cited.says()
			}
		}
	}
	for name, none := range empty {
		if none {
			return "", fmt.Errorf("%q has no %s in column %s at %s", q.table.Title, what, name, strings.Join(asked, ", "))
		}
	}
	text, err := rangeOf(list)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q: %w", q.table.Title, err)
	case text == "":
		return "", fmt.Errorf("%q has no %s at %s", q.table.Title, what, strings.Join(asked, ", "))
	}
	return text, nil
}

// rangeOf returns the smallest and the largest of several quoted cells. It leaves out cells with nothing to
// quote, since a series may lack some points; it is empty if no cell is left.
func rangeOf(list []quoted) (string, error) {
	list = slices.DeleteFunc(list, func(q quoted) bool { return !q.says() })
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
