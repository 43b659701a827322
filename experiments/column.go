package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
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
	Doc      string
}

// MarshalText writes everything except Doc, as in "nodes result integer".
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
	if len(words) == 4 && words[3] == "optional" {
		c.Optional, words = true, words[:3]
	}
	if len(words) != 3 {
		return fmt.Errorf("column %q: expected a name, a role and a type, as in nodes result integer", text)
	}
	c.Name, c.Role, c.Type = words[0], Role(words[1]), ColumnType(words[2])
	roles := []Role{Identity, Parameter, Verdict, Result, Measurement, Origin}
	types := []ColumnType{TypeText, TypeInteger, TypeNumber, TypeBoolean, TypeIntegers}
	switch {
	case !slices.Contains(roles, c.Role):
		return fmt.Errorf("column %s: role %q: expected one of %v", c.Name, c.Role, roles)
	case !slices.Contains(types, c.Type):
		return fmt.Errorf("column %s: type %q: expected one of %v", c.Name, c.Type, types)
	}
	return nil
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

// In lists the names of the columns in any of the roles.
func (cs Columns) In(roles ...Role) []string {
	var names []string
	for _, c := range cs {
		if slices.Contains(roles, c.Role) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Columns lists the columns of the kind's records, in order.
func (k TaskKind) Columns() Columns {
	cs := Columns{
		{"schema", Identity, TypeText, false, "Version of the record format."},
		{"id", Identity, TypeText, false,
			"Hash of task, parameters and repeat, 16 hexadecimal digits; the same run has the same id " +
				"on every machine."},
		{"task", Identity, TypeText, false, "Name of the task."},
	}
	cs = append(cs, columnsOf(k.Parameters(), Parameter)...)
	cs = append(cs, Columns{
		{"repeat", Identity, TypeInteger, false, "Number of this repetition of the parameters, counted from 0."},
		{"outcome", Verdict, TypeText, false, "How the run ended: ok, wrong, timeout, memory-limit, error or killed."},
		{"reason", Verdict, TypeText, false, "Why the outcome is not ok."},
		{"unfinished", Verdict, TypeText, false,
			"Time column of the phase in which a limit ended the run; the phases before it have their times."},
		{"answer", Verdict, TypeText, false, "The run's answer in canonical form; " +
			"an answer longer than 100 characters is replaced by the first 16 hexadecimal digits of its SHA-256."},
		{"agree", Verdict, TypeText, false, "yes if all that the finding was compared with confirms it: " +
			"the known answer, those of references, a check within the run; no if something refutes it; " +
			"empty if there was nothing to compare with."},
		{"checked_by", Verdict, TypeText, false, "What the answer, or the rest of the finding, was compared with."},
	}...)
	cs = append(cs, columnsOf(k.Results(), Result)...)
	for _, p := range Phases() {
		cs = append(cs, Column{p.Column(), Measurement, TypeNumber, false, p.Doc()})
	}
	for _, p := range Phases() {
		cs = append(cs, Column{p.CPUColumn(), Measurement, TypeNumber, false,
			"Processor time of the same phase: all threads and child processes."})
	}
	return append(cs, Columns{
		{"wall_seconds", Measurement, TypeNumber, false, "Wall-clock time of the task, " +
			"without the start of its process; of the whole process if a limit ended the run."},
		{"user_seconds", Measurement, TypeNumber, false,
			"User-mode processor time over the same span, child processes included."},
		{"system_seconds", Measurement, TypeNumber, false,
			"Kernel-mode processor time over the same span, child processes included."},
		{"peak_rss_bytes", Measurement, TypeInteger, false, "Peak resident memory of the run's process, " +
			"of which 10 to 20 MiB are the Go runtime and the program."},
		{"position", Origin, TypeInteger, false, "The run's place in the random order of the grid, counted from 1."},
		{"started", Origin, TypeText, false, "When the run's process started, in UTC (RFC 3339)."},
		{"load", Origin, TypeText, false, "Load average over the minute before the run, including 1 for the harness; " +
			"unknown if the system does not report it."},
		{"environment", Origin, TypeText, false, "Id of the environment in env.json."},
	}...)
}

// columnsOf turns struct fields into columns of the role. A tag such as role:"measurement"
// overrides the role of its field.
func columnsOf(fields []Field, role Role) Columns {
	var cs Columns
	for _, f := range fields {
		c := Column{Name: f.Name, Role: role, Type: typeOf(f.Type), Doc: f.Doc()}
		c.Optional = f.Optional()
		if tagged := f.Tag.Get("role"); tagged != "" {
			c.Role = Role(tagged)
		}
		cs = append(cs, c)
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
