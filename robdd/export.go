package robdd

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Writing diagrams in the formats of other tools. All but Graphviz's hold an ROBDD; a ZDD
// is converted first.

// Format names a file format of another tool.
type Format string

// The formats.
const (
	DDDMP      Format = "dddmp"       // CUDD and dd for Python: complement edges
	DDDMPPlain Format = "dddmp-plain" // OxiDD: no complement edges
	BuDDy      Format = "buddy"       // BuDDy's bdd_save
	DDJSON     Format = "dd-json"     // dd for Python: complement edges
	DOT        Format = "dot"         // Graphviz
)

// Formats returns the names of all formats.
func Formats() []Format { return []Format{DDDMP, DDDMPPlain, BuDDy, DDJSON, DOT} }

// Names holds the names for an exported file.
type Names struct {
	Diagram string           // of the function
	Var     func(Var) string // of a variable
}

// Export writes a diagram in a format. Names must not contain spaces, and variables must have distinct
// names; DOT draws a ZDD as it is. Where a format numbers variables, variable v has number v-1.
func (d *Diagram) Export(w io.Writer, format Format, names Names) error {
	x := &exporter{Diagram: d, name: names.Diagram, w: bufio.NewWriterSize(w, 1<<16)}
	if format != DOT {
		x.Diagram = d.Convert(BDD)
	}
	err := x.setNames(names.Var)
	if err == nil {
		switch format {
		case DDDMP:
			err = x.dddmp()
		case DDDMPPlain:
			x.dddmpPlain()
		case BuDDy:
			x.buddy()
		case DDJSON:
			err = x.ddJSON()
		case DOT:
			x.dot()
		default:
			err = fmt.Errorf("unknown format: want one of %v", Formats())
		}
	}
	if err == nil {
		err = x.w.Flush() // a bufio.Writer keeps its first error until here
	}
	if err != nil {
		return fmt.Errorf("robdd: exporting a diagram as %q: %w", format, err)
	}
	return nil
}

type exporter struct {
	*Diagram
	name string
	vars []string // names, by variable
	w    *bufio.Writer
}

func (x *exporter) printf(format string, args ...any) { fmt.Fprintf(x.w, format, args...) }

func (x *exporter) setNames(name func(Var) string) error {
	const forbidden = " \t\r\n\"\\"
	if strings.ContainsAny(x.name, forbidden) {
		return fmt.Errorf("diagram name %q has a space, a quote or a backslash", x.name)
	}
	seen := make(map[string]Var, len(x.order))
	for v := Var(1); int(v) <= len(x.order); v++ {
		s := name(v)
		if strings.ContainsAny(s, forbidden) {
			return fmt.Errorf("variable %d: name %q has a space, a quote or a backslash", v, s)
		}
		if other, twice := seen[s]; twice {
			return fmt.Errorf("variables %d and %d are both called %q", other, v, s)
		}
		seen[s] = v
		x.vars = append(x.vars, s)
	}
	return nil
}
