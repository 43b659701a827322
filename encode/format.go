package encode

import (
	"io"
	"strings"

	"queens/encode/cnf"
)

// Format is a way to write a problem in a file. The names of flags, problems and reports follow from the list.
type Format struct {
	Name   string // of the flag, and before the colon of a problem's name
	Ending string // of files, as a rule
	Doc    string // completes "a file in"
	// Features says that the variables with names are the features of a product line.
	Features bool
	// Read reads a problem, whose Family is Name unless it is a known board, with the variable order that the file gives;
	// nil if it gives none. Errors name the place, as file:line.
	Read func(r io.Reader, file string) (p Problem, order []cnf.Var, err error)
	// Provable reads a problem whose constraints follow by unit propagation from the clauses of the file; nil if it has none.
	Provable func(r io.Reader, file string) (p Problem, order []cnf.Var, err error)
	// Whole reads a problem in which each variable counts; nil if Read does.
	Whole func(r io.Reader, file string) (p Problem, order []cnf.Var, err error)
}

// Formats lists the formats.
func Formats() []Format {
	return []Format{
		{Name: "cnf", Ending: ".cnf", Doc: "DIMACS CNF", Features: true, Read: ReadCNF, Provable: ReadProvableCNF, Whole: ReadWholeCNF},
		{Name: "opb", Ending: ".opb", Doc: "OPB, the pseudo-Boolean format: weighted sums of literals", Read: ReadOPB},
		{Name: "uvl", Ending: ".uvl", Doc: "UVL, the language of feature models", Features: true, Read: ReadUVL},
	}
}

// FormatNamed returns the format of a name.
func FormatNamed(name string) (f Format, is bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return f, false
}

// EachFormat returns a text for each format, in which NAME stands for its name, with a separator between two.
func EachFormat(text, separator string) string {
	var all []string
	for _, f := range Formats() {
		all = append(all, strings.ReplaceAll(text, "NAME", f.Name))
	}
	return strings.Join(all, separator)
}
