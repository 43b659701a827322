package experiments

import "strings"

// Program is an outside program that a configuration describes.
type Program struct {
	// The program and its arguments, separated by spaces, with {cnf}, {ops} and other names in
	// braces for what it is given.
	Command string `json:"command" jsonschema:"required,pattern=\\S,title=a command: a program and its arguments"`
	// What it is, for a program that does not tell its version itself.
	Version string `json:"version,omitempty"`
}

// Programs are the outside programs of a configuration: by the parameter whose values
// may name them, as in solver, and then by name.
type Programs map[string]map[string]Program

// Equipped is a Task that may ask programs which its configuration describes.
type Equipped interface{ Equip(Programs) }

// Equip gives a task the programs, if it takes any.
func Equip(t Task, programs Programs) {
	if e, ok := t.(Equipped); ok {
		e.Equip(programs)
	}
}

// Programmed is a type of parameter whose values may name programs, those that
// everybody has or knows and those that the configuration describes. Unknown says what
// is wrong with a value that is neither.
type Programmed interface {
	Unknown(described []string) string
	// Reserved lists the names that a configuration cannot describe.
	Reserved() []string
}

// IsCommand reports whether a value is the command of a program and no name.
func IsCommand(value string) bool { return strings.ContainsAny(value, " /{\\") }
