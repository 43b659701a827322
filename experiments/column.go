package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Role says what a column of a record is for. A report asks for columns by role.
type Role string

// The roles. Identities, parameters and results are the same each time that a run
// is made again; verdicts, measurements and origins need not be.
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
	// Optional is a parameter that a run's hash leaves out while it is empty, 0 or
	// false.
	Optional bool
	Doc      string
}

// MarshalText writes all but the document: nodes result integer.
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
		return fmt.Errorf("column %q: expected name, role and type, as in nodes result integer", text)
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

// Columns are the columns of a record set, in their order.
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

// Columns lists the columns of the kind's records, in their order.
func (k Kind) Columns() Columns {
	cs := Columns{
		{"schema", Identity, TypeText, false, "Version of these columns."},
		{"id", Identity, TypeText, false,
			"Hash of task, parameters and repeat, 16 hexadecimal digits: equal runs have equal ids on every machine."},
		{"task", Identity, TypeText, false, "What the run did."},
	}
	cs = append(cs, columnsOf(k.Parameters(), Parameter)...)
	cs = append(cs, Columns{
		{"repeat", Identity, TypeInteger, false, "Which repetition of these parameters, from 0."},
		{"outcome", Verdict, TypeText, false, "ok, wrong, timeout, memory-limit, error or killed."},
		{"reason", Verdict, TypeText, false, "Why the outcome is not ok."},
		{"unfinished", Verdict, TypeText, false,
			"Column of the phase in which a limit ended the run; phases before it have their times."},
		{"answer", Verdict, TypeText, false, "The run's answer, written canonically; " +
			"an answer of more than 100 characters is given by the first 16 hexadecimal digits of its SHA-256."},
		{"agree", Verdict, TypeText, false, "yes when the known answer and every reference gave the same answer; " +
			"no when one did not, or when the run's own check refutes it; empty when there was nothing to compare with."},
		{"checked_by", Verdict, TypeText, false, "What the answer was compared with."},
	}...)
	cs = append(cs, columnsOf(k.Results(), Result)...)
	for _, p := range Phases() {
		cs = append(cs, Column{p.Column(), Measurement, TypeNumber, false, p.Doc()})
	}
	for _, p := range Phases() {
		cs = append(cs, Column{p.CPUColumn(), Measurement, TypeNumber, false,
			"Processor time of the same, of all threads and of children that have ended."})
	}
	return append(cs, Columns{
		{"wall_seconds", Measurement, TypeNumber, false, "Wall-clock time of the task, without the start of its process; " +
			"for a run that a limit ended, of its process."},
		{"user_seconds", Measurement, TypeNumber, false,
			"Processor time in user mode over the same span, children included."},
		{"system_seconds", Measurement, TypeNumber, false,
			"Processor time in the kernel over the same span, children included."},
		{"peak_rss_bytes", Measurement, TypeInteger, false, "Highest resident memory of the run's process; " +
			"10 to 20 MiB of it are the Go runtime and the program."},
		{"position", Origin, TypeInteger, false, "Place in the random order in which runs were made, from 1."},
		{"started", Origin, TypeText, false, "When the run's process was started, RFC 3339, UTC."},
		{"load", Origin, TypeText, false, "Load average over the minute before the run, of which one is the harness's own; " +
			"unknown where the system does not tell."},
		{"environment", Origin, TypeText, false, "The environment's id in env.json."},
	}...)
}

// columnsOf makes columns of struct fields. A field tagged role:"measurement" is
// one, whatever the others are.
func columnsOf(fields []Field, role Role) Columns {
	var cs Columns
	for _, f := range fields {
		c := Column{Name: f.Name, Role: role, Type: typeOf(f.Type), Doc: f.Doc}
		c.Optional = strings.Contains(f.Tag.Get("json"), ",omit")
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
