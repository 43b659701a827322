package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// answer returns the line that answers the configuration's question: its own answer, filled in with numbers
// of the report's tables, or else a line about the first table that shows a difference, or about the first
// one of times if none does. If the records do not support an answer, the line says so; it is empty if no table has
// a number. It ends with what did not finish.
func (d *data) answer(tables []table, doubt string) string {
	text := d.found(tables, doubt)
	if lost := d.unfinished(); len(lost) > 0 && text != "" {
		text = strings.TrimSuffix(text, ".") + ". " + listed(lost) + "."
	}
	return text
}

// mostUnfinished bounds the ways that an answer names.
const mostUnfinished = 3

func listed(lost []string) string {
	if more := len(lost) - mostUnfinished; more > 0 {
		lost = append(slices.Clone(lost[:mostUnfinished]), fmt.Sprintf("%d more ways did not finish all", more))
	}
	return strings.Join(lost, "; ")
}

// unfinished says of each way that did not finish some of its runs which questions these asked: medians are over the
// others.
func (d *data) unfinished() (list []string) {
	numbers, asked, names := d.competitors()
	questions := slices.Concat(asked, numbers)
	ended := []record.Outcome{record.Timeout, record.MemoryLimit, record.Failed, record.Killed}
	for _, way := range d.group(d.set.Rows, names) {
		lost := slices.DeleteFunc(slices.Clone(way.records), func(r record.Row) bool { return !slices.Contains(ended, r.Outcome()) })
		if len(lost) == 0 {
			continue
		}
		var which []string
		for _, p := range d.group(lost, questions) {
			var words []string
			for _, c := range questions {
				word := d.labelled(p.value(c))
				if slices.Contains(numbers, c) {
					word = c + " = " + word
				}
				words = append(words, word)
			}
			which = append(which, strings.Join(words, " with "))
		}
		name := d.legend(way.records[0], names)
		if len(names) == 0 {
			name = "runs"
		}
		list = append(list, spaced(name+" did not finish", abridged(which))+fmt.Sprintf(": %d of %d runs", len(lost), len(way.records)))
	}
	return list
}

// found is answer without what did not finish.
func (d *data) found(tables []table, doubt string) string {
	if text := d.set.Spec.Answer; text != "" && len(tables) > 0 {
		filled, err := fillAnswer(text, tables, doubt)
		var open unknown
		var none noLine
		switch {
		case err == nil:
			return filled
		case errors.As(err, &open):
			return open.Error()
		case errors.As(err, &none): // perhaps a part of the configuration ran: the place in its text does not matter
			err = none
		}
		d.left = append(d.left, "the configuration's answer, which quotes what these records lack: "+err.Error())
	}
	best, timed := "", false
	for _, t := range d.headlines(tables) {
		text, differs := t.contrast()
		if best == "" || differs || !timed && t.timed() {
			best, timed = text, t.timed()
		}
		if differs {
			break
		}
	}
	if doubt != "" && best != "" {
		return unknown(doubt).Error()
	}
	return best
}

// headlines returns the tables that an answer may be about: those in which every column has numbers. If there
// are none, it makes the tables of the presentation, each with the measure that most of its columns have,
// such as the time of a run.
func (d *data) headlines(tables []table) (list []table) {
	single := slices.DeleteFunc(slices.Clone(tables), func(t table) bool { return !t.single })
	for _, t := range single {
		if len(t.blank()) == 0 {
			list = append(list, t)
		}
	}
	if len(list) > 0 || len(single) == 0 {
		return list
	}
	for _, asked := range d.presentation().Tables {
		part, err := d.where(asked.Where)
		if err != nil { // no record meets the conditions
			continue
		}
		asked.Values = []string{part.summaryValue(asked)}
		list = append(list, part.tables(asked)...)
	}
	return list
}

// fillAnswer fills in an answer that quotes tables by their titles, as documents do.
func fillAnswer(text string, tables []table, doubt string) (string, error) {
	filled, err := sentence("answer", text, template.FuncMap{"table": func(title string) (Quoted, error) {
		i := slices.IndexFunc(tables, func(t table) bool { return t.Title == title })
		if i < 0 {
			return Quoted{}, fmt.Errorf("no table %q", title)
		}
		return Quoted{table: tables[i], doubt: doubt}, nil
	}}, maxAnswer)
	return strings.Join(strings.Fields(filled), " "), err
}

// contrast returns a line on how the table's columns differ at the largest size for which they have numbers,
// as in "Build, wall-clock time, at n = 8: row-major 2.30 ms; column-major ×1.06 (1.02 to 1.10)". differs
// reports whether any of them differs from the first.
func (t table) contrast() (text string, differs bool) {
	at := slices.Index(t.Header[:t.names], "n")
	for i := 0; i < t.names && at < 0; i++ {
		if !slices.ContainsFunc(t.Rows, func(r []cell) bool { return math.IsNaN(r[i].size()) }) {
			at = i
		}
	}
	rows := t.largestLines(t.Rows, at, nil)
	if len(rows) == 0 {
		return "", false
	}
	var words, same []string
	var others []contrasted
	measure := ""
	for i := t.names; i < len(t.Header); i++ {
		c := contrasted{name: t.sizes + t.Header[i], low: math.Inf(1), high: math.Inf(-1)}
		var values []quoted
		var records []record.Row
		for _, r := range rows {
			if r[i].number == nil {
				continue
			}
			records = append(records, r[i].of...)
			measure = r[i].measure
			values = append(values, numberOf(r[i]))
			c.add(r[i].times)
		}
		if uncalled(records) {
			c.name += " (no call of its solver)"
		}
		switch {
		case len(values) == 0:
		case c.compared == 0:
			text, _ := rangeOf(values)
			if t.Header[i] != config.Label(measure) {
				text = c.name + " " + text
			}
			words = append(words, text)
		case !c.differs && !c.few:
			same = append(same, c.name)
		default:
			others, differs = append(others, c), differs || c.differs
		}
	}
	if words == nil || measure == "" {
		return "", false
	}
	if len(others) > 4 { // only the extremes
		least, most := slices.MinFunc(others, byCenter), slices.MaxFunc(others, byCenter)
		words = append(words, fmt.Sprintf("%d others from %s to %s", len(others), least.text(), most.text()))
	} else {
		for _, c := range others {
			words = append(words, c.text())
		}
	}
	if same != nil {
		between := ", "
		if strings.Contains(strings.Join(same, ""), ",") {
			between = "; "
		}
		words = append(words, "no difference: "+strings.Join(same, between))
	}
	if blank := t.blank(); len(blank) > 0 {
		words = append(words, "no value: "+strings.Join(blank, ", "))
	}
	label := axisLabel(measure)
	return strings.ToUpper(label[:1]) + label[1:] + t.place(rows) + ": " + strings.Join(words, "; "), differs
}

// place describes which lines of the table these are.
func (t table) place(rows [][]cell) string {
	var at, over []string
	for i, name := range t.Header[:t.names] {
		values := map[string]bool{}
		for _, r := range rows {
			values[r[i].value] = true
		}
		if len(values) == 1 {
			at = append(at, name+" = "+rows[0][i].value)
		} else {
			over = append(over, strconv.Itoa(len(values))+" values of "+name)
		}
	}
	text := ""
	if at != nil {
		text = ", at " + strings.Join(at, ", ")
	}
	if over != nil {
		text += ", over " + strings.Join(over, " and ")
	}
	return text
}

// contrasted holds a column's multiples of the first column in some lines.
type contrasted struct {
	name         string
	compared     int
	low, high    float64
	last         *stats.Ratio
	differs, few bool
	above, below bool
}

func (c *contrasted) add(m *stats.Ratio) {
	if !m.Known() {
		return
	}
	c.compared++
	c.low, c.high, c.last = min(c.low, m.Center), max(c.high, m.Center), m
	c.differs, c.few = c.differs || m.Differs, c.few || m.Few
	c.above, c.below = c.above || m.Above, c.below || m.Below
}

func byCenter(a, b contrasted) int {
	return int(math.Copysign(1, a.low*a.high-b.low*b.high))
}

func (c contrasted) text() string {
	switch {
	case times(c.low) != times(c.high):
		return fmt.Sprintf("%s ×%s to ×%s", c.name, times(c.low), times(c.high))
	case c.above:
		return fmt.Sprintf("%s ×>%s", c.name, times(c.low))
	case c.below:
		return fmt.Sprintf("%s ×<%s", c.name, times(c.high))
	case c.few && !c.last.Exact:
		return fmt.Sprintf("%s ×%s (too few runs to test)", c.name, times(c.low))
	case c.compared == 1 && spreads(c.last):
		return fmt.Sprintf("%s ×%s (%s)", c.name, times(c.low), interval(c.last.Estimate, times))
	}
	return fmt.Sprintf("%s ×%s", c.name, times(c.low))
}
