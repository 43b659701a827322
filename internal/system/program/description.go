package program

import (
	"context"
	"encoding/json"
	"strings"
)

// Description is what a configuration says of an outside program.
type Description struct {
	// The program and its arguments, as a list, or separated by spaces and quoted as in a shell; names in
	// braces, such as {cnf} and {ops}, are replaced by its input files and options.
	Command string `json:"command" jsonschema:"required,pattern=\\S,title=a command: a program and its arguments"`
	// The program's version, if it does not report one itself.
	Version string `json:"version,omitempty"`
}

// UnmarshalJSON reads a description whose command is a text or a list of words.
func (d *Description) UnmarshalJSON(text []byte) error {
	var given struct {
		Command json.RawMessage
		Version string
	}
	err := json.Unmarshal(text, &given)
	if err != nil {
		return err
	}
	d.Version = given.Version
	var words []string
	if json.Unmarshal(given.Command, &words) == nil {
		d.Command = Join(words)
		return nil
	}
	return json.Unmarshal(given.Command, &d.Command)
}

// Descriptions are those of a configuration, by the parameter whose values may name them (such as
// solver), then by name.
type Descriptions map[string]map[string]Description

// None is the value of a parameter that stands for no program, as an empty value does.
const None = "none"

// OnFile returns the program that a parameter's value stands for, if it does: one that is described, or a command.
func (d Descriptions) OnFile(parameter, name string) (p OnFile, is bool) {
	if described, ok := d[parameter][name]; ok {
		return OnFile{name, described.Command, described.Version}, true
	}
	return OnFile{name, name, ""}, name != "" && name != None
}

// IsCommand reports whether a value is the command of a program rather than a name.
func IsCommand(value string) bool { return strings.ContainsAny(value, " /{\\") }

// Needed is an outside program that a run needs.
type Needed struct {
	Parameter, Name string // what asks for it, and how
	// Find says that the program is missing here; it starts nothing.
	Find func() error
	// Version says what is wrong with a program that is here, such as that it does not tell its version; nil if
	// nothing can be told.
	Version func(context.Context) error
	// Is returns the program's version; it is empty if the program does not tell one. Nil if each run reports it.
	Is func(context.Context) string
}

// Check says what is wrong with the program here; it may start it.
func (n Needed) Check(ctx context.Context) error {
	if n.Version == nil {
		return n.Find()
	}
	return n.Version(ctx)
}
