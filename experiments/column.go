package experiments

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"queens/internal/param"
)

// Role says what a column of a record is for. A report asks for columns by role.
type Role string

// The roles. Identities, parameters and results are the same whenever a run is repeated;
// verdicts, measurements and origins may differ.
const (
	Identity    Role = "identity"    // which run this is
	Parameter   Role = "parameter"   // what the run was asked
	Verdict     Role = "verdict"     // how it ended
	Result      Role = "result"      // what it found
	Measurement Role = "measurement" // what it took
	Origin      Role = "origin"      // when and where it ran
)

// ColumnType says what a column's cells hold.
type ColumnType string

// The types. A cell of a result or a measurement may be empty.
const (
	TypeText     ColumnType = "text"
	TypeInteger  ColumnType = "integer"
	TypeNumber   ColumnType = "number" // decimal, finite
	TypeBoolean  ColumnType = "boolean"
	TypeIntegers ColumnType = "integers" // separated by semicolons
)

// Column is one column of a record set.
type Column struct {
	Name string
	Role Role
	Type ColumnType
	// Optional marks a parameter that is left out of a run's hash while it is empty, 0 or
	// false.
	Optional bool
	Was      param.Was // of a parameter's values
	Doc      string
}

// MarshalText writes everything except Was and Doc, as in "nodes result integer".
func (c Column) MarshalText() ([]byte, error) {
	words := []string{c.Name, string(c.Role), string(c.Type)}
	if c.Optional {
		words = append(words, "optional")
	}
	return []byte(strings.Join(words, " ")), nil
}

// UnmarshalText reads what MarshalText writes.
func (c *Column) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) < 3 || !slices.Contains(roles(), Role(words[1])) || !slices.Contains(types(), ColumnType(words[2])) {
		return fmt.Errorf("column %q: expected a name, a role of %v, and a type of %v", text, roles(), types())
	}
	*c = Column{Name: words[0], Role: Role(words[1]), Type: ColumnType(words[2]), Optional: len(words) > 3}
	return nil
}

// IsSeed reports whether a parameter only repeats an experiment with different random choices.
func IsSeed(parameter string) bool {
	return parameter == "seed" || strings.HasSuffix(parameter, "_seed")
}

func roles() []Role { return []Role{Identity, Parameter, Verdict, Result, Measurement, Origin} }

func types() []ColumnType {
	return []ColumnType{TypeText, TypeInteger, TypeNumber, TypeBoolean, TypeIntegers}
}

// Columns are the columns of a record set, in order.
type Columns []Column

// Names lists the columns' names.
func (cs Columns) Names() []string {
	names := make([]string, len(cs))
	for i, c := range cs {
		names[i] = c.Name
	}
	return names
}

// Of returns the columns in a role.
func (cs Columns) Of(role Role) (of Columns) {
	for _, c := range cs {
		if c.Role == role {
			of = append(of, c)
		}
	}
	return of
}

// In lists the names of the columns in a role.
func (cs Columns) In(role Role) []string { return cs.Of(role).Names() }

// Parameters returns the parameters as JSON, in the columns' order: a run's id is a hash of it. cell
// returns the text of a column.
func (cs Columns) Parameters(cell func(column string) string) (json.RawMessage, error) {
	return cs.parameters(func(i int) string { return cell(cs[i].Name) })
}

func (cs Columns) parameters(cell func(i int) string) (json.RawMessage, error) {
	b := []byte("{")
	for i, c := range cs {
		if c.Role != Parameter {
			continue
		}
		cell := cell(i)
		if c.Optional && (cell == "" || cell == "0" || cell == "false") {
			continue
		}
		if was, renamed := c.Was[cell]; renamed {
			cell = was
		} else if c.Type == TypeText {
			text, err := json.Marshal(cell)
			if err != nil {
				return nil, fmt.Errorf("parameter %s: %w", c.Name, err)
			}
			cell = string(text)
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, c.Name), ':')
		b = append(b, cell...)
	}
	return append(b, '}'), nil
}

// Record has the columns that the records of every kind have, described as parameters and results
// are: by a struct's fields. A kind's parameters come before repeat, its results before the times.
type Record struct {
	// Version of the record format.
	Schema string `json:"schema" role:"identity"`
	// Hash of task, parameters and repeat, 16 hexadecimal digits; the same run has the same id on
	// every machine.
	ID string `json:"id" role:"identity"`
	// Name of the task.
	Task string `json:"task" role:"identity"`
	// Number of this repetition of the parameters, counted from 0.
	Repeat int `json:"repeat" role:"identity"`
	// How the run ended: ok, wrong, contradicted (by another run of the same question), timeout, memory-limit, error
	// or killed.
	Outcome string `json:"outcome" role:"verdict"`
	// Why the outcome is not ok.
	Reason string `json:"reason" role:"verdict"`
	// Time column of the phase in which a limit ended the run; the phases before it have their
	// times.
	Unfinished string `json:"unfinished" role:"verdict"`
	// The run's answer in canonical form; if longer than 100 characters, the first
	// 16 hexadecimal digits of its SHA-256.
	Answer string `json:"answer" role:"verdict"`
	// yes if every comparison confirms the finding: with known answers, references' answers
	// or checks within the run; no if one refutes it; empty without a comparison.
	Agree string `json:"agree" role:"verdict"`
	// What the answer, or the rest of the finding, was compared with. After proof (37 of 60) a limit left the others
	// unchecked.
	CheckedBy string `json:"checked_by" role:"verdict"`
	// Wall-clock time to set up the problem: constraints, clauses, orders.
	Encode float64 `json:"encode_seconds" role:"measurement"`
	// Wall-clock time of the engine's one-time work: building a diagram, loading a solver.
	Build float64 `json:"build_seconds" role:"measurement"`
	// Wall-clock time of the first query.
	First float64 `json:"first_query_seconds" role:"measurement"`
	// Mean wall-clock time of the later queries.
	Later float64 `json:"later_query_seconds" role:"measurement"`
	// Wall-clock time to count or list the solutions.
	Count float64 `json:"count_seconds" role:"measurement"`
	// Processor time of the same phase: all threads and child processes.
	EncodeCPU float64 `json:"encode_cpu_seconds" role:"measurement"`
	// Processor time of the same phase: all threads and child processes.
	BuildCPU float64 `json:"build_cpu_seconds" role:"measurement"`
	// Processor time of the same phase: all threads and child processes.
	FirstCPU float64 `json:"first_query_cpu_seconds" role:"measurement"`
	// Processor time of the same phase: all threads and child processes.
	LaterCPU float64 `json:"later_query_cpu_seconds" role:"measurement"`
	// Processor time of the same phase: all threads and child processes.
	CountCPU float64 `json:"count_cpu_seconds" role:"measurement"`
	// Wall-clock time of the task, without the start of its process; of the whole process if a limit
	// ended the run.
	Wall float64 `json:"wall_seconds" role:"measurement"`
	// User-mode processor time over the same span, child processes included.
	User float64 `json:"user_seconds" role:"measurement"`
	// Kernel-mode processor time over the same span, child processes included.
	System float64 `json:"system_seconds" role:"measurement"`
	// Peak resident memory of the run's process; the Go runtime and the program take 10 to 20 MiB of it.
	PeakRSS int `json:"peak_rss_bytes" role:"measurement"`
	// The run's place in the random order of the grid, counted from 1.
	Position int `json:"position" role:"origin"`
	// When the run's process started, in UTC (RFC 3339).
	Started string `json:"started" role:"origin"`
	// Load average over the minute before the run, including 1 for the harness; unknown if the system
	// does not report it.
	Load string `json:"load" role:"origin"`
	// Id of the environment in env.json.
	Environment string `json:"environment" role:"origin"`
}

// columnsOf turns struct fields into columns of the role. A tag such as role:"measurement"
// overrides the role of its field.
func columnsOf(fields []param.Field, role Role) Columns {
	var cs Columns
	for _, f := range fields {
		tagged := cmp.Or(Role(f.Tag.Get("role")), role)
		cs = append(cs, Column{f.Name, tagged, typeOf(f.Type), f.Optional(), f.Was(), f.Doc()})
	}
	return cs
}

func typeOf(t reflect.Type) ColumnType {
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Bool:
		return TypeBoolean
	case reflect.Float32, reflect.Float64:
		return TypeNumber
	case reflect.Slice:
		return TypeIntegers
	case reflect.String:
		return TypeText
	}
	return TypeInteger
}
