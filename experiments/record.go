package experiments

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// RecordSchema is the version of the records' columns; docs/records.md
// describes them.
const RecordSchema = "1"

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

// Role says what a column is for.
type Role string

const (
	Identity  Role = "identity"  // which run this is
	Parameter Role = "parameter" // what the run was asked
	Verdict   Role = "verdict"   // how it ended
	Result    Role = "result"    // what it found
	Cost      Role = "cost"      // what it took
	Origin    Role = "origin"    // when and where it ran
)

// Column is one column of records.csv.
type Column struct {
	Name string
	Role Role
	Doc  string
}

// Columns lists the columns of the kind's records, in their order.
func (k Kind) Columns() []Column {
	cs := []Column{
		{"schema", Identity, "Version of these columns."},
		{"id", Identity, "Hash of task, parameters and repeat, 16 hexadecimal digits: equal runs have equal ids on every machine."},
		{"task", Identity, "What the run did."},
	}
	for _, f := range fields(k.New()) {
		cs = append(cs, Column{f.name, Parameter, f.doc})
	}
	cs = append(cs,
		Column{"repeat", Identity, "Which repetition of these parameters, from 0."},
		Column{"outcome", Verdict, "ok, wrong, timeout, memory-limit, error or killed."},
		Column{"reason", Verdict, "Why the outcome is not ok."},
		Column{"answer", Verdict, "The run's answer, written canonically; one of more than 100 characters as its SHA-256's first 16 hexadecimal digits."},
		Column{"agree", Verdict, "yes when the known answer and every reference gave the same answer, no when one did not or the run's own check refutes it, empty when there was none to compare."},
		Column{"checked_by", Verdict, "What the answer was compared with."},
	)
	for _, f := range fields(k.Result) {
		cs = append(cs, Column{f.name, Result, f.doc})
	}
	for _, p := range Phases() {
		cs = append(cs, Column{p.column(), Cost, p.doc()})
	}
	return append(cs,
		Column{"wall_seconds", Cost, "Wall-clock time of the task, without the start of its process; for a run that a limit ended, of its process."},
		Column{"user_seconds", Cost, "Processor time in user mode over the same span, children included."},
		Column{"system_seconds", Cost, "Processor time in the kernel over the same span, children included."},
		Column{"peak_rss_bytes", Cost, "Highest resident memory of the run's process, from its own VmHWM; 10 to 20 MiB of it are the Go runtime and the binary."},
		Column{"position", Origin, "Place in the random order in which runs were made, from 1."},
		Column{"started", Origin, "When the run's process was started, RFC 3339, UTC."},
		Column{"environment", Origin, "The environment's id in env.json."},
	)
}

func (k Kind) ColumnNames() []string {
	var names []string
	for _, c := range k.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// Record is one row: text by column, as it stands in the file.
type Record map[string]string

// ID is the run's id.
func (r Record) ID() string { return r["id"] }

// Outcome is how the run ended.
func (r Record) Outcome() Outcome { return Outcome(r["outcome"]) }

// Number reads a column as a number; ok is false when it is empty or not one.
func (r Record) Number(column string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(r[column], 64)
	return v, err == nil
}

// line writes the record as one line of CSV, newline included. Text never holds
// a line break, so that a line is a row and a torn row is seen by its missing
// end.
func (r Record) line(columns []string) []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = strings.Join(strings.FieldsFunc(r[c], func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
	}
	_ = w.Write(row) // a strings.Builder does not fail
	w.Flush()
	return []byte(b.String())
}

// header is the first line of a file of records.
func header(columns []string) Record {
	h := Record{}
	for _, c := range columns {
		h[c] = c
	}
	return h
}

// parseRecords reads whole lines of records.csv. The header must be the first.
func parseRecords(data []byte) (columns []string, records []Record, err error) {
	r := csv.NewReader(strings.NewReader(string(data)))
	rows, err := r.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 {
		return nil, nil, nil
	}
	columns = rows[0]
	for _, needed := range []string{"schema", "id", "task", "repeat", "outcome"} {
		if !slices.Contains(columns, needed) {
			return nil, nil, fmt.Errorf("line 1: no column %q: this is no record set", needed)
		}
	}
	seen := map[string]int{}
	for i, row := range rows[1:] {
		rec := make(Record, len(columns))
		for j, c := range columns {
			rec[c] = row[j]
		}
		if rec["schema"] != RecordSchema {
			return nil, nil, fmt.Errorf("line %d: records of schema %q; this version reads %s", i+2, rec["schema"], RecordSchema)
		}
		if !slices.Contains(Outcomes(), rec.Outcome()) {
			return nil, nil, fmt.Errorf("line %d: unknown outcome %q", i+2, rec["outcome"])
		}
		if first, twice := seen[rec.ID()]; twice {
			return nil, nil, fmt.Errorf("line %d: run %s is in line %d already", i+2, rec.ID(), first)
		}
		seen[rec.ID()] = i + 2
		records = append(records, rec)
	}
	return columns, records, nil
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
