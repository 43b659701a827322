package program

import (
	"context"
	"strings"
)

// Description is what a configuration says of an outside program.
type Description struct {
	// The program and its arguments, separated by spaces; names in braces, such as {cnf} and
	// {ops}, are replaced by its input files and options.
	Command string `json:"command" jsonschema:"required,pattern=\\S,title=a command: a program and its arguments"`
	// The program's version, if it does not report one itself.
	Version string `json:"version,omitempty"`
}

// Descriptions are those of a configuration, by the parameter whose values may name them (such as
// solver), then by name.
type Descriptions map[string]map[string]Description

// IsCommand reports whether a value is the command of a program rather than a name.
func IsCommand(value string) bool { return strings.ContainsAny(value, " /{\\") }

// Needed is an outside program that a run needs.
type Needed struct {
	Parameter, Name string // what asks for it, and how
	// Find says that the program is missing here; it starts nothing.
	Find func() error
	// Check says what is wrong with the program here: that it is missing, or does not tell its
	// version.
	Check func(context.Context) error
}
