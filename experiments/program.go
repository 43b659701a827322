package experiments

import "strings"

// Program is an outside program that a configuration describes.
type Program struct {
	// The program and its arguments, separated by spaces; names in braces, such as {cnf} and
	// {ops}, are replaced by its input files and options.
	Command string `json:"command" jsonschema:"required,pattern=\\S,title=a command: a program and its arguments"`
	// The program's version, if it does not report one itself.
	Version string `json:"version,omitempty"`
}

// Programs are the outside programs of a configuration, by the parameter whose values may name
// them (such as solver), then by name.
type Programs map[string]map[string]Program

// IsCommand reports whether a value is the command of a program rather than a name.
func IsCommand(value string) bool { return strings.ContainsAny(value, " /{\\") }
