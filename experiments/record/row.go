package record

import (
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
)

// SchemaVersion is the version of the records' columns; docs/records.md describes
// them.
const SchemaVersion = "1"

// Outcome is how a run ended.
type Outcome string

const (
	OK          Outcome = "ok"           // finished, and its answer met every check there was
	Wrong       Outcome = "wrong"        // finished with an answer that a check contradicts
	Timeout     Outcome = "timeout"      // ended by the wall-clock limit
	MemoryLimit Outcome = "memory-limit" // ended by the memory limit
	Failed      Outcome = "error"        // its task returned an error, or its process ended by itself
	Killed      Outcome = "killed"       // its process was ended by someone else
)

// Outcomes lists every outcome.
func Outcomes() []Outcome {
	return []Outcome{OK, Wrong, Timeout, MemoryLimit, Failed, Killed}
}

// Row is the record of one run: text by column, as it stands in the file.
type Row map[string]string

// ID is the run's id.
func (r Row) ID() string { return r["id"] }

// Outcome is how the run ended.
func (r Row) Outcome() Outcome { return Outcome(r["outcome"]) }

// Number reads a column as a number; ok is false when it is empty or not a finite
// one.
func (r Row) Number(column string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(r[column], 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// line writes the row as one line of CSV, newline included. Text never holds a
// line break, so that a line is a row and a torn row is seen by its missing end.
func (r Row) line(columns experiments.Columns) []byte {
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = strings.Join(strings.FieldsFunc(r[c.Name], func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
	}
	return csvLine(row)
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

// CompareValues orders values as people do: numbers by size, before text.
func CompareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// Deterministic lists the columns that are the same each time that the row's run is made
// again, where both runs end well: the answer and what was found, without what its task
// says that a clock decides over.
func (s Set) Deterministic(row Row) []string {
	columns := append([]string{"answer"}, s.Columns.In(experiments.Result)...)
	timed := s.Timed(row)
	return slices.DeleteFunc(columns, func(c string) bool { return slices.Contains(timed, c) })
}

// Timed lists the result columns of the row's run over which a clock decides, so that
// nobody compares them: none where its task is not known, or takes other parameters now.
func (s Set) Timed(row Row) []string {
	if s.Kind.New == nil {
		return nil
	}
	params, err := Params(s.Columns, row)
	if err != nil {
		return nil
	}
	task, err := s.Kind.Task(params, s.Spec.Programs())
	if err != nil {
		return nil
	}
	timed, ok := task.(experiments.Timed)
	if !ok {
		return nil
	}
	return timed.Timed()
}
