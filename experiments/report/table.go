package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/stats"
)

// part is what tables and plots of a report have in common.
type part struct {
	Name  string // of its files, without the extension
	Title string
	Notes []string // what a reader must know
}

func newPart(title string) part { return part{Name: config.FileName(title), Title: title} }

// conditioned adds a note on the conditions that the part's records meet.
func (p *part) conditioned(conditions config.Conditions) {
	if len(conditions) > 0 {
		p.Notes = append(p.Notes, "Where "+conditionText(conditions)+".")
	}
}

// path returns the file of a table's form, within the report's folder.
func (t table) path(form string) string { return "tables/" + t.Name + "." + form }

// table is a table before it is written in any format.
type table struct {
	part
	Header []string
	names  int    // number of columns that identify a line
	single bool   // whether all its numbers are of one measure
	sizes  string // prefix of the names of columns that are numbers, as in "n = "
	legend string // what the marks of its comparisons mean
	Rows   [][]cell
}

// cell is one cell of a table: words, or a number with its interval and its ratio to the first column's
// number.
type cell struct {
	value   string          // the number, or the words
	spread  string          // its interval, or the extent of few runs
	extent  *stats.Estimate // the estimate that spread shows
	lost    string          // how many runs did not end well
	number  *stats.Estimate // nil for words
	above   float64         // lower bound if only that is known; else 0
	measure string          // what the number measures; n is the number of runs
	n       int
	of      []record.Row // what the number summarises; nil if another table was made of it
	times   *stats.Ratio // nil in the first column, and where nothing is compared
	few     bool         // whether its ratio is not shown: it has too few runs to test, and others are tested
	idle    bool         // whether its runs, of one solver among several, never called the solver
	same    bool         // whether its runs do the work of the first column's, so that their costs are not compared
	Key     string       // sort key on a page, if not the text
}

func wordCell(text string) cell { return cell{value: text} }

// estimated shows a number with its interval.
func estimated(e *stats.Estimate, word func(float64) string) cell {
	c := cell{value: word(e.Center), number: e, extent: e, Key: float(e.Center)}
	if interval := interval(*e, word); interval != "" && word(e.Lo) != word(e.Hi) {
		c.spread = "(" + interval + ")"
	}
	return c
}

// maxSpan bounds the ratio of the largest and the smallest number that a table shows in one unit.
const maxSpan = 1e4

// inOneUnit returns the table with all numbers of a measure in one unit, that of their median. If the numbers
// span too much for one unit, each column has its own.
func (t table) inOneUnit() table {
	const everywhere = -1 // in place of a column's index
	type place struct {
		measure string
		column  int
	}
	sizes := map[place][]float64{}
	for _, row := range t.Rows {
		for j, c := range row {
			if c.number != nil && scales(c.measure) != nil {
				for _, at := range []place{{c.measure, everywhere}, {c.measure, j}} {
					sizes[at] = append(sizes[at], c.number.Center)
				}
			}
		}
	}
	units := map[place][]scale{}
	for at, list := range sizes {
		slices.Sort(list)
		of := scales(at.measure)
		i := slices.IndexFunc(of, func(s scale) bool { return list[len(list)/2] >= s.size })
		if i < 0 {
			i = len(of) - 1
		}
		units[at] = of[i : i+1]
	}
	t.Rows = slices.Clone(t.Rows)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Clone(row)
		for j, c := range row {
			all := sizes[place{c.measure, everywhere}]
			if all == nil || c.number == nil {
				continue
			}
			in := place{c.measure, everywhere}
			if all[len(all)-1] > maxSpan*all[0] {
				in.column = j
			}
			word := func(v float64) string { return scaled(v, units[in]) }
			c.value = word(c.number.Center)
			if c.above > 0 {
				c.value = ">" + word(c.above)
			}
			if c.extent != nil {
				c.spread = estimated(c.extent, word).spread
			}
			t.Rows[i][j] = c
		}
	}
	return t
}

// Text returns all of the cell, and Narrow leaves out the interval of its ratio.
func (c cell) Text() string   { return spaced(c.value, c.spread, c.lost, c.compared(true)) }
func (c cell) Narrow() string { return spaced(c.value, c.spread, c.lost, c.compared(false)) }

func (c cell) compared(spread bool) string {
	switch {
	case c.idle:
		return "(" + neverAsked + ")"
	case c.same:
		return sameWork
	case c.few:
		return ""
	}
	return multipleText(c.times, spread)
}

// brief returns the number or, if there is none, how the runs ended.
func (c cell) brief() string { return cmp.Or(c.value, c.lost) }

// estimate returns what brief returns, with the interval.
func (c cell) estimate() string { return spaced(c.value, c.spread, c.lost) }

// size returns the number, or the number that the words spell; NaN if they spell none.
func (c cell) size() float64 {
	if c.number != nil {
		return c.number.Center
	}
	if v, err := strconv.ParseFloat(c.value, 64); err == nil {
		return v
	}
	return math.NaN()
}

// nameCells returns the cells that identify a line.
func (d *data) nameCells(p point, columns []string) (row []cell) {
	for _, c := range columns {
		row = append(row, wordCell(d.labelled(p.value(c))))
	}
	return row
}

// tables makes one table for each measure of the spec's table.
func (d *data) tables(asked config.Table) (list []table) {
	lines := d.group(d.set.Rows, asked.Rows)
	cells := make([]map[string][]record.Row, len(lines))
	for i, line := range lines {
		cells[i] = line.bySeries(asked.Columns)
	}
	for i, title := range asked.Titles() {
		t := table{part: newPart(title), Header: slices.Clone(asked.Rows), names: len(asked.Rows), single: true}
		for _, line := range lines {
			t.Rows = append(t.Rows, d.nameCells(line, asked.Rows))
		}
		d.measure(&t, asked, asked.Values[i], cells)
		t.conditioned(asked.Where)
		list = append(list, t)
	}
	return list
}

// measure adds the columns of a measure to a table, whose lines have these records by column, and what a reader must
// know about them.
func (d *data) measure(t *table, asked config.Table, value string, lines []map[string][]record.Row) {
	names := d.seriesNames(asked.Columns)
	for _, name := range names {
		t.Header = append(t.Header, cmp.Or(d.labelled(name), config.Label(value)))
	}
	if len(asked.Columns) == 1 && len(d.numeric(asked.Columns)) == 1 {
		t.sizes = asked.Columns[0] + " = "
	}
	compared, costs, idle, twins := false, false, false, map[int]bool{}
	if unit(value) != "" {
		twins = d.twins(names, lines)
	}
	seen := medianRuns{}
	for k, cells := range lines {
		var base sample
		baseIdle := false
		for i, name := range names {
			s := d.take(cells[name], value)
			s.Mean = asked.Mean
			c := s.cell(value)
			c.of = cells[name]
			if c.value == "" && c.lost == "" {
				if len(cells[name]) == 0 {
					c.value, seen.absent = absent, true
				} else {
					c.value, seen.silent = silent, true
				}
			}
			c.idle = c.number != nil && d.idle(slices.Concat(asked.Rows, asked.Columns), cells[name])
			idle = idle || c.idle
			if i == 0 {
				base, baseIdle = s, c.idle
			} else if twins[i] {
				c.same = c.number != nil
			} else if with := s.Against(base.Sample); with != nil && !c.idle && !baseIdle && !asked.Mean && d.competing(asked.Columns) {
				c.times = with
				compared, costs = true, costs || !with.Exact
			}
			seen.add(d, s, cells[name])
			t.Rows[k] = append(t.Rows[k], c)
		}
	}
	t.Notes = seen.caveats(d)
	if t.leaveFew() {
		t.Notes = append(t.Notes, fewNote)
	}
	if compared {
		t.legend = fmt.Sprintf("×: times %s; =: equal", d.labelled(names[0]))
		if costs {
			t.legend += "; ~: no significant difference"
			t.Notes = append(t.Notes, t.legend+" ("+significance+").")
		} else {
			t.Notes = append(t.Notes, t.legend+".")
		}
	}
	if idle {
		t.Notes = append(t.Notes, idleNote)
	}
	if len(twins) > 0 {
		t.Notes = append(t.Notes, sameNote)
	}
	t.Notes = append(t.Notes, byChance(t.tested())...)
}

// leaveFew leaves out the ratios of runs that are too few to test beside ratios that are tested, and reports whether there
// are any: they would look like findings.
func (t table) leaveFew() (left bool) {
	if tests, _ := t.tested(); tests == 0 {
		return false
	}
	for _, row := range t.Rows {
		for i, c := range row {
			row[i].few = c.times.Known() && c.times.Few && !c.times.Exact
			left = left || row[i].few
		}
	}
	return left
}

// mirrors lists parameters whose values may be mirror images, under which runs do the same work.
var mirrors = []string{"order"}

// twins returns the columns whose runs do the same work as those of the first column, line by line: they differ from
// these in a mirrored parameter only, and every number found is the same, among them a list, such as the nodes of each
// level. A test of their costs would make news of noise.
func (d *data) twins(names []string, lines []map[string][]record.Row) map[int]bool {
	lists := slices.DeleteFunc(d.set.Columns.Of(experiments.Result), func(c experiments.Column) bool { return c.Type != experiments.TypeIntegers })
	varied := slices.DeleteFunc(slices.Clone(d.varied), func(p string) bool { return slices.Contains(mirrors, p) })
	alike := func(name string) bool {
		seen := false
		for _, line := range lines {
			a, b := line[names[0]], line[name]
			if len(a) == 0 || len(a) != len(b) {
				return false
			}
			for i := range a {
				differs := func(c string) bool { return a[i].Cell(c) != b[i].Cell(c) }
				if slices.ContainsFunc(varied, differs) || slices.ContainsFunc(d.results, differs) || a[i].Outcome() != record.OK {
					return false
				}
				seen = seen || slices.ContainsFunc(lists, func(c experiments.Column) bool { return a[i].Cell(c.Name) != "" })
			}
		}
		return seen
	}
	found := map[int]bool{}
	for i, name := range names {
		if i > 0 && alike(name) {
			found[i] = true
		}
	}
	return found
}

// competing reports whether columns are different ways to do the same thing, rather than
// different sizes of it: only then is a comparison meaningful.
func (d *data) competing(columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return len(d.numeric([]string{c})) == 0 })
}

// Markdown returns the table without its title and notes.
func (t table) Markdown() string {
	return markdownTable(t.Header, t.texts(cell.Text), text.AlignRight)
}

// texts returns a text for each cell.
func (t table) texts(text func(cell) string) [][]string {
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		for _, c := range r {
			rows[i] = append(rows[i], text(c))
		}
	}
	return rows
}

func markdownTable(header []string, rows [][]string, align text.Align) string {
	w := grid(header, rows)
	var configs []pretty.ColumnConfig
	for i := range header {
		configs = append(configs, pretty.ColumnConfig{Number: i + 1, Align: align})
	}
	w.SetColumnConfigs(configs)
	return w.RenderMarkdown()
}

// csv returns the numbers behind the table: for each measured column its median, interval and
// number of samples.
func (t table) csv() []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	measured := make([]bool, len(t.Header))
	for _, r := range t.Rows {
		for i, c := range r {
			measured[i] = measured[i] || c.n > 0
		}
	}
	var header []string
	for i, h := range t.Header {
		if measured[i] {
			header = append(header, h+" median", h+" low", h+" high", h+" samples")
		} else {
			header = append(header, h)
		}
	}
	_ = w.Write(header) // a strings.Builder does not fail
	for _, r := range t.Rows {
		var row []string
		for i, c := range r {
			switch {
			case !measured[i]:
				row = append(row, c.Text())
			case c.n == 0:
				row = append(row, "", "", "", "0")
			default:
				row = append(row, float(c.number.Center), float(c.number.Lo), float(c.number.Hi), strconv.Itoa(c.n))
			}
		}
		_ = w.Write(row)
	}
	w.Flush()
	return []byte(b.String())
}

// printLines writes the table's first lines on a terminal.
func (t table) printLines(w io.Writer, width, most int) {
	more, few := len(t.Rows)-most, false
	t.Rows = t.Rows[:min(len(t.Rows), most)]
	writeGrid(w, width, t.names, t.Header, t.texts(func(c cell) string {
		few = few || c.times != nil && c.times.Few && !c.few
		return strings.Replace(c.Narrow(), fewRuns, "", 1)
	}))
	if t.legend != "" {
		fmt.Fprintln(w, wrapped(t.legend, width))
	}
	if few {
		fmt.Fprintln(w, wrapped("(too few runs to test the differences)", width))
	}
	for _, note := range []string{fewNote, idleNote, sameNote, silentNote, absentNote} {
		if slices.Contains(t.Notes, note) {
			fmt.Fprintln(w, wrapped(note, width))
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "... and %d more lines\n", more)
	}
}

// cell shows the median or the mean, with its interval or, for few runs, with the least and the largest
// value. It also shows how runs without a value ended.
func (s sample) cell(measure string) (c cell) {
	if e := s.Summary(); e != nil {
		word := func(v float64) string { return number(measure, v) }
		c = estimated(e, word)
		switch {
		case s.Limited(e):
			c.above, c.extent = s.Capped, nil
			c.value, c.spread = ">"+number(measure, s.Capped), ""
		case s.Few():
			c.extent = s.Extent(e)
			c.spread = estimated(c.extent, word).spread
		}
	}
	for _, tally := range []map[record.Outcome]int{s.reach, s.lost} {
		if t := outcomeText(tally); t != "" {
			c.lost = spaced(c.lost, "["+t+"]")
		}
	}
	c.measure, c.n = measure, len(s.Raw)
	return c
}

// fewRuns follows a multiple of samples that are too few to test.
const fewRuns = ", few runs"

// multipleText formats the ratio for a table: × and the ratio if there is a difference, ~ if there is no
// significant one, = if exact values are equal, and the ratio with a warning if there are too few runs to
// test.
func multipleText(m *stats.Ratio, spread bool) string {
	switch {
	case !m.Known():
		return ""
	case m.Exact && !m.Differs:
		return "(=)"
	case m.Few:
		return fmt.Sprintf("(×%s%s)", times(m.Center), fewRuns)
	case !m.Differs:
		return "(~)"
	case m.Above:
		return fmt.Sprintf("(×>%s)", times(m.Center))
	case m.Below:
		return fmt.Sprintf("(×<%s)", times(m.Center))
	case spread && spreads(m):
		return fmt.Sprintf("(×%s, %s)", times(m.Center), interval(m.Estimate, times))
	}
	return fmt.Sprintf("(×%s)", times(m.Center))
}

// medianRuns records, for the notes of a table or a plot, what its medians were taken over.
type medianRuns struct {
	runs   []int // per median; exact results are not counted
	pooled []string
	means  bool
	silent bool // some cell has runs without a value; absent: some cell has no run
	absent bool
}

// add counts a sample whose median is shown, and the parameters that differ among its records.
func (s *medianRuns) add(d *data, of sample, records []record.Row) {
	s.pooled = append(s.pooled, varying(records, d.varied)...)
	if n := len(of.Raw); n > 0 && !of.Exact {
		s.runs = append(s.runs, n)
		s.means = s.means || of.Mean
	}
}

// extent returns the smallest and the largest number of runs, and both in words.
func (s *medianRuns) extent() (least, most int, text string) {
	if len(s.runs) > 0 {
		least, most = slices.Min(s.runs), slices.Max(s.runs)
	}
	if least == most {
		return least, most, fmt.Sprintf("%d runs", most)
	}
	return least, most, fmt.Sprintf("%d to %d runs", least, most)
}

// caveats returns what a reader must know: what the numbers are, and what they hide.
func (s *medianRuns) caveats(d *data) []string {
	var notes []string
	least, most, runs := s.extent()
	kind := "Medians"
	if s.means {
		kind = "Means"
	}
	switch {
	case most == 1:
		notes = append(notes, "Each number is from a single run.")
	case most >= stats.Enough && s.means:
		notes = append(notes, fmt.Sprintf("Means of %s, with their 95%% bootstrap intervals.", runs))
	case most > 1 && most < stats.Enough:
		notes = append(notes, fmt.Sprintf("%s of %s, with the least and the largest: an interval needs %d.", kind, runs, stats.Enough))
	case most > 1:
		notes = append(notes, fmt.Sprintf("Medians of %s, with their 95%% confidence intervals.", runs))
		if least < stats.Enough {
			notes = append(notes, fmt.Sprintf("One of fewer than %d has the least and the largest instead.", stats.Enough))
		}
	}
	pooled := intersect(d.varied, s.pooled)
	for _, p := range pooled {
		notes = append(notes, fmt.Sprintf("Over all values of %s: %s.", p, abridged(d.values[p])))
	}
	if s.silent {
		notes = append(notes, silentNote)
	}
	if s.absent {
		notes = append(notes, absentNote)
	}
	if len(pooled) > 0 && most >= stats.Enough {
		notes = append(notes, "The interval includes the effect of these, not only the noise of measuring.")
	}
	return notes
}

// hasNumber reports whether a cell has a number that is no bound.
func (c cell) hasNumber() bool { return c.number != nil && c.above == 0 }

// largestLines returns the lines with the largest value in column at, or all lines if at is negative. It considers
// only the lines that have numbers in as many of the named measured columns as any line has. If none is
// named, all measured columns count.
func (t table) largestLines(rows [][]cell, at int, columns []string) [][]cell {
	most := -1
	var best [][]cell
	size := func(r []cell) float64 {
		if at < 0 {
			return 0
		}
		return r[at].size()
	}
	named := slices.ContainsFunc(t.Header[t.names:], func(h string) bool { return slices.Contains(columns, h) })
	for _, r := range rows {
		known := 0
		for i, c := range r[t.names:] {
			if c.hasNumber() && (!named || slices.Contains(columns, t.Header[t.names+i])) {
				known++
			}
		}
		switch {
		case known < most || known == most && len(best) > 0 && size(r) < size(best[0]):
			continue
		case known > most || size(r) > size(best[0]):
			best = nil
		}
		most, best = known, append(best, r)
	}
	return best
}

// blank lists the measured columns that have no number.
func (t table) blank() (names []string) {
	for i := t.names; i < len(t.Header); i++ {
		if !slices.ContainsFunc(t.Rows, func(r []cell) bool { return r[i].number != nil }) {
			names = append(names, t.Header[i])
		}
	}
	return names
}

// only returns the table with the columns that identify a line and the named columns; all columns if none is
// named.
func (t table) only(columns []string) table {
	if len(columns) == 0 {
		return t
	}
	var places []int
	for at, name := range t.Header {
		if at < t.names || slices.Contains(columns, name) {
			places = append(places, at)
		}
	}
	return t.at(places)
}

// at returns the table with the columns at these places; the columns that identify a line are among them.
func (t table) at(places []int) table {
	out := table{part: t.part, names: t.names, Rows: make([][]cell, len(t.Rows))}
	for _, at := range places {
		out.Header = append(out.Header, t.Header[at])
		for i, r := range t.Rows {
			out.Rows[i] = append(out.Rows[i], r[at])
		}
	}
	return out
}

// tested counts the comparisons of a table that were tested, and those that differ.
func (t table) tested() (tests, differ int) {
	for _, c := range slices.Concat(t.Rows...) {
		if !c.times.Tested() {
			continue
		}
		tests++
		if c.times.Differs {
			differ++
		}
	}
	return tests, differ
}
