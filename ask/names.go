package ask

import (
	"fmt"
	"strings"

	"queens/backends/bdd"
	"queens/backends/mdd"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/amo"
	"queens/internal/param"
	"queens/robdd"
)

// The types of a Choice's fields. Their values come from the packages that own them, so a new
// order or encoding is available everywhere at once.

// namesOf returns the name of each item of a list.
func namesOf[T any](list []T, name func(T) string) []string {
	names := make([]string, len(list))
	for i, item := range list {
		names[i] = name(item)
	}
	return names
}

// wrong returns a [param.Error].
func wrong(field, format string, args ...any) error {
	return &param.Error{Field: field, Text: fmt.Sprintf(format, args...)}
}

// BackendName is the name of a back-end.
type BackendName string

// The back-ends, which [Named] describes.
const (
	Diagram   BackendName = "bdd"
	SAT       BackendName = "sat"
	Near      BackendName = "near"
	Search    BackendName = "search"
	Portfolio BackendName = "portfolio"
	Table     BackendName = "table"
	MDD       BackendName = "mdd"
	DDNNF     BackendName = "ddnnf"
)

// Values lists the back-ends.
func (BackendName) Values() []string {
	return namesOf([]BackendName{Diagram, SAT, Search, Portfolio, Table, MDD, DDNNF, Near}, func(b BackendName) string { return string(b) })
}

// ConstructionName is the name of a way to build a diagram.
type ConstructionName string

// FreeSet is the default construction of experiments.
const FreeSet ConstructionName = bdd.FreeSet

// Values lists the constructions.
func (ConstructionName) Values() []string {
	return namesOf(bdd.Constructions(), func(c bdd.Construction) string { return c.Name })
}

// ReorderingName is the name of a way to change the order while a diagram is built.
type ReorderingName string

// OrderKept is the default of experiments.
const OrderKept ReorderingName = "none"

// Values lists the ways.
func (ReorderingName) Values() []string {
	return namesOf(bdd.Reorderings(), func(r bdd.Reordering) string { return r.Name })
}

// Was gives the values of the switch that this was.
func (ReorderingName) Was() param.Was { return param.Was{string(OrderKept): "false", "sift": "true"} }

// Changes reports whether the order changes.
func (r ReorderingName) Changes() bool { return r != "" && r != OrderKept }

// DiagramName is a kind of decision diagram.
type DiagramName string

// The default kind, and those that [CompileMDD] and [CompileDDNNF] make.
const (
	ROBDD        DiagramName = "bdd"
	MultiValued  DiagramName = mdd.Kind
	Decomposable DiagramName = DiagramName(DDNNF)
)

// Title returns the kind as people write it.
func (d DiagramName) Title() string {
	switch d {
	case ROBDD:
		return "ROBDD"
	case Decomposable:
		return "d-DNNF"
	}
	return strings.ToUpper(string(d))
}

// Values lists the kinds.
func (DiagramName) Values() []string {
	return append(namesOf(robdd.Kinds(), robdd.Kind.String), string(MultiValued), string(Decomposable))
}

// AMOName is the name of an at-most-one encoding.
type AMOName string

// Values lists the encodings.
func (AMOName) Values() []string {
	return namesOf(amo.All(), func(a amo.Encoding) string { return a.Name })
}

// counting returns the problem without weights, by the encoding with this name, or else the default.
func (a AMOName) counting(p encode.Problem) encode.Problem {
	encoding, err := amo.Named(string(a))
	if err != nil {
		encoding = amo.Default(p.Pairs())
	}
	return p.Counting(encoding)
}

// FormulaName names the formula that a SAT solver gets.
type FormulaName string

// Values lists the formulas.
func (FormulaName) Values() []string {
	return namesOf(sat.Formulas(), func(f sat.Formula) string { return string(f) })
}
