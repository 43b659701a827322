package record

import (
	"encoding/csv"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"queens/experiments"
)

// SchemaVersion is the version of the records' columns; docs/lookup/records.md describes
// them.
const SchemaVersion = "1"

// Outcome is how a run ended.
type Outcome string

const (
	OK    Outcome = "ok"    // finished, and no check contradicts its answer
	Wrong Outcome = "wrong" // finished with an answer that a check contradicts
	// Contradicted says that a run finished, and another run answers the same question differently; nothing
	// independent says which of them is wrong.
	Contradicted Outcome = "contradicted"
	Timeout      Outcome = "timeout"      // ended by the wall-clock limit
	MemoryLimit  Outcome = "memory-limit" // ended by the memory limit
	Failed       Outcome = "error"        // its task returned an error, or its process crashed
	Killed       Outcome = "killed"       // its process was ended by someone else
)

// Outcomes lists every outcome.
func Outcomes() []Outcome {
	return []Outcome{OK, Wrong, Contradicted, Timeout, MemoryLimit, Failed, Killed}
}

// Row is the record of one run: the text of each column, as in the file. A set has tens of thousands of rows,
// so its rows share one map of the columns' places, and a row keeps its cells in one string.
type Row struct {
	places map[string]int
	*cells
}

type cells struct {
	text string
	ends []uint32 // end of each cell in the text
}

// NewRow returns a row with the given cells; the other columns are empty.
func NewRow(columns experiments.Columns, cells map[string]string) Row {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = cells[c.Name]
	}
	return Row{places(columns), joined(list)}
}

// places returns the columns' places in a row.
func places(columns experiments.Columns) map[string]int {
	at := make(map[string]int, len(columns))
	for i, c := range columns {
		at[c.Name] = i
	}
	return at
}

func joined(list []string) *cells {
	ends, end := make([]uint32, len(list)), 0
	for i, cell := range list {
		end += len(cell)
		ends[i] = uint32(end)
	}
	return &cells{strings.Join(list, ""), ends}
}

// Cell returns the text of a column; it is empty if there is no such column.
func (r Row) Cell(column string) string {
	at, ok := r.places[column]
	switch {
	case !ok:
		return ""
	case at == 0:
		return r.text[:r.ends[0]]
	}
	return r.text[r.ends[at-1]:r.ends[at]]
}

// Set changes the text of a column, which the row must have.
func (r Row) Set(column, text string) {
	changed, ok := r.places[column]
	if !ok {
		panic("record: a row has no column " + column)
	}
	list := make([]string, len(r.ends))
	for name, at := range r.places {
		list[at] = r.Cell(name)
	}
	list[changed] = text
	*r.cells = *joined(list)
}

// With returns a copy of the row with another text in a column, which the row must have.
func (r Row) With(column, text string) Row {
	own := *r.cells
	r.cells = &own
	r.Set(column, text)
	return r
}

// Widened returns rows of a set with one more column.
func Widened(rows []Row, column, cell string) []Row {
	if len(rows) == 0 {
		return nil
	}
	at := maps.Clone(rows[0].places)
	at[column] = len(at)
	wide := make([]Row, len(rows))
	for i, r := range rows {
		text := r.text + cell
		wide[i] = Row{at, &cells{text, append(slices.Clip(r.ends), uint32(len(text)))}}
	}
	return wide
}

// Words lists some of the row's columns, as in n 4, order row-major.
func (r Row) Words(columns []string) string {
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = c + " " + r.Cell(c)
	}
	return strings.Join(words, ", ")
}

// ID returns the run's id.
func (r Row) ID() string { return r.Cell("id") }

// Outcome returns how the run ended.
func (r Row) Outcome() Outcome { return Outcome(r.Cell("outcome")) }

// Failed reports whether the run says nothing about its task: it failed or was killed.
func (r Row) Failed() bool { return r.Outcome() == Failed || r.Outcome() == Killed }

// Number returns a column as a number; ok is false if the column is empty or not a finite
// number.
func (r Row) Number(column string) (v float64, ok bool) {
	cell := r.Cell(column)
	if cell == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(cell, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// tidy replaces line breaks in cells, so that every line is a row and a missing newline marks a torn row. It
// also replaces other control characters, which programs may print as their reasons.
func (r Row) tidy() {
	if !strings.ContainsFunc(r.text, unicode.IsControl) {
		return
	}
	for column := range r.places {
		lines := strings.FieldsFunc(r.Cell(column), func(c rune) bool { return c == '\n' || c == '\r' })
		r.Set(column, strings.Map(func(c rune) rune {
			if unicode.IsControl(c) {
				return unicode.ReplacementChar
			}
			return c
		}, strings.Join(lines, "; ")))
	}
}

// line returns the row's cells in the columns' order.
func (r Row) line(columns experiments.Columns) []string {
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = r.Cell(c.Name)
	}
	return line
}

func csvLine(row []string) []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(row) // a strings.Builder does not fail
	w.Flush()
	return []byte(b.String())
}

// Tally counts rows by outcome.
func Tally(rows []Row) map[Outcome]int {
	t := map[Outcome]int{}
	for _, r := range rows {
		t[r.Outcome()]++
	}
	return t
}

// timeOf returns a time in a record. As text, times do not sort: fractions of seconds end at their
// last digit that is not zero.
func timeOf(text string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, text) // reading has checked it
	return t
}
