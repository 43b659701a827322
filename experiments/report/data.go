package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/internal/param"
)

// data is a record set with its columns sorted by role.
type data struct {
	set          record.Set
	parameters   []string                  // in the records' order
	results      []string                  // what was found
	measurements []string                  // what it took
	varied       []string                  // parameters with more than one value
	values       map[string][]string       // of each parameter, sorted
	ranks        map[string]map[string]int // rank of each value in values
	numbers      map[string]bool           // whether a column has a number in some record; filled by numeric
	parts        map[string]*data          // the records that meet conditions, by their text
	short        map[string]shortName      // see shortened
	files        *strings.Replacer         // see fileNames
	left         []string                  // tables and plots that no record meets
	repeated     bool                      // some records differ in the repeat
}

// shortName is the name of a series without the columns that have no effect on its runs.
type shortName struct{ values, words string } // with the recorded values, and in the task's words

const repeatColumn = "repeat"

// shownData returns the data of a record set as a report shows it.
func shownData(set record.Set) *data {
	rows := set.Rows
	for _, p := range set.Columns.Of(experiments.Parameter) {
		if p.Type != experiments.TypeText {
			continue
		}
		for i, r := range rows {
			shown := param.Shown(r.Cell(p.Name))
			if shown == r.Cell(p.Name) {
				continue
			}
			if &rows[0] == &set.Rows[0] {
				rows = slices.Clone(rows)
			}
			rows[i] = r.With(p.Name, shown)
		}
	}
	set.Rows = rows
	return newData(set)
}

func newData(set record.Set) *data {
	d := &data{
		set: set, values: map[string][]string{}, ranks: map[string]map[string]int{}, numbers: map[string]bool{}, parts: map[string]*data{},
		parameters:   set.Columns.In(experiments.Parameter),
		results:      set.Columns.In(experiments.Result),
		measurements: set.Columns.In(experiments.Measurement),
	}
	for _, p := range d.parameters {
		d.values[p], d.ranks[p] = d.ranked(p, func(yield func(string)) {
			for _, r := range set.Rows {
				yield(r.Cell(p))
			}
		})
		if len(d.values[p]) > 1 {
			d.varied = append(d.varied, p)
		}
	}
	d.files = fileNames(slices.Concat(slices.Collect(maps.Values(d.values))...))
	d.repeated = len(varying(set.Rows, []string{repeatColumn})) > 0
	return d
}

// compare orders a parameter's values. Numbers are ordered by size. Other values are ordered as the
// configuration lists them, so that tables compare with its first value; unlisted values follow in
// alphabetical order.
func (d *data) compare(parameter string) func(a, b string) int {
	listed := map[string]int{}
	for i, v := range d.set.Spec.Axes[parameter] {
		listed[fmt.Sprint(v)] = i + 1
	}
	return func(a, b string) int {
		i, j := listed[a], listed[b]
		_, err := strconv.ParseFloat(a, 64)
		switch {
		case err == nil || i == 0 && j == 0:
			return param.CompareValues(a, b)
		case i == 0:
			return 1
		case j == 0:
			return -1
		}
		return i - j
	}
}

// ranked returns the distinct values of a column in order, and the rank of each.
func (d *data) ranked(column string, each func(yield func(string))) (values []string, ranks map[string]int) {
	ranks = map[string]int{}
	last, begun := "", false
	each(func(value string) {
		if !begun || value != last { // most columns have long stretches of one value
			ranks[value] = 0
		}
		last, begun = value, true
	})
	values = slices.SortedFunc(maps.Keys(ranks), d.compare(column))
	for i, value := range values {
		ranks[value] = i
	}
	return values, ranks
}

// group groups records with equal values in the columns, sorted by these columns.
func (d *data) group(records []record.Row, columns []string) []point {
	index := map[string]int{}
	var ps []point
	var key []byte
	for _, r := range records {
		key = key[:0]
		for _, c := range columns {
			key = append(append(key, r.Cell(c)...), 0)
		}
		i, ok := index[string(key)]
		if !ok {
			i = len(ps)
			index[string(key)] = i
			ps = append(ps, point{})
		}
		ps[i].records = append(ps[i].records, r)
	}
	width := len(columns)
	order := make([]int32, len(ps)*width) // rank of each point's values, point by point
	for at, c := range columns {
		ranks := d.ranks[c]
		if ranks == nil {
			_, ranks = d.ranked(c, func(yield func(string)) {
				for _, p := range ps {
					yield(p.value(c))
				}
			})
		}
		for i, p := range ps {
			order[i*width+at] = int32(ranks[p.value(c)])
		}
	}
	places := every(len(ps))
	slices.SortFunc(places, func(a, b int) int {
		return slices.Compare(order[a*width:][:width], order[b*width:][:width])
	})
	sorted := make([]point, len(ps))
	for i, at := range places {
		sorted[i] = ps[at]
	}
	for _, p := range sorted { // records are in the order of the runs, which is random
		if !d.repeated {
			break
		}
		slices.SortFunc(p.records, func(a, b record.Row) int {
			x, y := a.Cell(repeatColumn), b.Cell(repeatColumn)
			return cmp.Or(len(x)-len(y), strings.Compare(x, y)) // integers from 0
		})
	}
	return sorted
}

// varying returns the columns that do not have the same value in all records.
func varying(records []record.Row, columns []string) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(c string) bool {
		return !slices.ContainsFunc(records, func(r record.Row) bool { return r.Cell(c) != records[0].Cell(c) })
	})
}

// fixedText lists the parameters with only one value, unless that value is empty.
func (d *data) fixedText() string {
	var words []string
	for _, p := range d.parameters {
		if vs := d.values[p]; len(vs) == 1 && vs[0] != "" {
			words = append(words, p+" = "+vs[0])
		}
	}
	return strings.Join(words, ", ")
}

// numbers returns a column's numbers in the records that have one.
func numbers(records []record.Row, column string) (list []float64) {
	for _, r := range records {
		if v, ok := r.Number(column); ok {
			list = append(list, v)
		}
	}
	return list
}

// numeric returns the columns that hold a number, not a list, in some record.
func (d *data) numeric(columns []string) []string {
	var list []string
	for _, c := range columns {
		found, known := d.numbers[c]
		if !known {
			found = slices.ContainsFunc(d.set.Rows, func(r record.Row) bool { _, ok := r.Number(c); return ok })
			d.numbers[c] = found
		}
		if found {
			list = append(list, c)
		}
	}
	return list
}

// where returns the data of the records that meet the conditions.
func (d *data) where(conditions config.Conditions) (*data, error) {
	if len(conditions) == 0 {
		return d, nil
	}
	asked := conditionText(conditions)
	if known := d.parts[asked]; known != nil {
		return known, nil
	}
	set := d.set
	set.Rows = nil
	judge := conditions.Judge(d.set.Columns.Names())
	for _, r := range d.set.Rows {
		meets, err := judge(r.Cell)
		if err != nil {
			return nil, fmt.Errorf("where: %w", err)
		}
		if meets {
			set.Rows = append(set.Rows, r)
		}
	}
	if len(set.Rows) == 0 {
		return nil, unmet(asked)
	}
	d.parts[asked] = newData(set)
	d.parts[asked].files = d.files // a file has one name in the whole report
	return d.parts[asked], nil
}

// unmet is the error for conditions that no record meets. The table or plot with such conditions is left out.
type unmet string

func (u unmet) Error() string { return "no record meets " + string(u) }

// leftOut reports whether err means that a table or a plot is left out, and notes it.
func (d *data) leftOut(what, title string, err error) bool {
	none := unmet("")
	if !errors.As(err, &none) {
		return false
	}
	d.left = append(d.left, fmt.Sprintf("%s %q: %v", what, title, none))
	return true
}

// conditionText formats conditions for readers.
func conditionText(conditions config.Conditions) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		text := strings.ReplaceAll(param.Text(conditions[name]), ";", ", ")
		if text[0] != '<' && text[0] != '>' && text[0] != '!' {
			text = "= " + text
		}
		words = append(words, name+" "+text)
	}
	return strings.Join(words, "; ")
}

// pooled returns an error if a name, such as an order, differs among records that would be shown as one
// number: a median across different orders says nothing about any of them. Seeds may be pooled, sizes if the
// configuration asks for it, and equal values need no median. Runs without a value do not count.
func (d *data) pooled(columns, measures []string) error {
	_, names, _ := d.axes()
	for _, name := range names {
		if slices.Contains(columns, name) {
			continue
		}
		for _, p := range d.group(d.set.Rows, columns) {
			if slices.ContainsFunc(measures, func(m string) bool { return differs(p.records, name, m) }) {
				return fmt.Errorf("medians across different values of %s: "+
					"name it among the rows, columns or series, or choose one with where", name)
			}
		}
	}
	return nil
}

// differs reports whether a measure takes different values under different names.
func differs(records []record.Row, name, measure string) bool {
	var first *record.Row
	for _, r := range records {
		switch {
		case r.Cell(measure) == "":
		case first == nil:
			first = &r
		case r.Cell(measure) != first.Cell(measure) && config.Unseeded(r.Cell(name)) != config.Unseeded(first.Cell(name)):
			return true
		}
	}
	return false
}

// point holds all records with the same parameters.
type point struct{ records []record.Row }

// value returns one of the parameters.
func (p point) value(parameter string) string { return p.records[0].Cell(parameter) }

// ended says how a set's runs ended.
func ended(runs []record.Row) string { return cmp.Or(outcomeText(record.Tally(runs)), "none yet") }

func outcomeText(tally map[record.Outcome]int) string {
	var words []string
	for _, o := range record.Outcomes() {
		if n := tally[o]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(words, ", ")
}

// sharedName identifies a run by what competitors share: its seeds and its repeat.
func (d *data) sharedName(r record.Row) string {
	words := []string{r.Cell(repeatColumn)}
	for _, p := range d.varied {
		if experiments.IsSeed(p) {
			words = append(words, r.Cell(p))
		}
	}
	return strings.Join(words, " ")
}

// axes sorts the varied parameters into numbers, names and seeds. Seeds only repeat an
// experiment with different random choices, so they are pooled.
func (d *data) axes() (numbers, names, seeds []string) {
	for _, p := range d.varied {
		switch {
		case experiments.IsSeed(p):
			seeds = append(seeds, p)
		case config.AreSizes(d.values[p]):
			numbers = append(numbers, p)
		default:
			names = append(names, p)
		}
	}
	return numbers, names, seeds
}

// ownTicks returns a parameter's own values, if they are few.
func (d *data) ownTicks(parameter string) []float64 {
	if len(d.values[parameter]) > 14 {
		return nil
	}
	var ticks []float64
	for _, text := range d.values[parameter] {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			ticks = append(ticks, v)
		}
	}
	return ticks
}

// every lists the indices of a slice of length n.
func every(n int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	return places
}

// firstList reads a list-valued measure from the first record that has one, since it is the same in all of them. It
// returns nil if no record has one.
func firstList(records []record.Row, measure string) (values []float64, err error) {
	i := slices.IndexFunc(records, func(r record.Row) bool { return r.Outcome() == record.OK && r.Cell(measure) != "" })
	if i < 0 {
		return nil, nil
	}
	for at, text := range strings.Split(records[i].Cell(measure), ";") {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("run %s: %s at position %d: %q is not a number", records[i].ID(), measure, at, text)
		}
		values = append(values, v)
	}
	return values, nil
}

// oneName returns an error if a line would join names, such as orders: see pooled.
func (d *data) oneName(asked config.Plot) error {
	return d.pooled(append(slices.Clone(asked.Series), asked.X), []string{asked.Y})
}
