package ask

import (
	"context"
	"fmt"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/internal/param"
)

// Want is what an answer must say; several things may be wanted together.
type Want uint8

// What can be wanted.
const (
	Valid     Want = 1 << iota // what each variable can still be
	Solve                      // a solution, or a core
	Count                      // how many solutions there are
	CountEach                  // and in how many of them each variable is true
	Sample                     // a solution drawn uniformly from all of them
)

// Descriptor describes a back-end: what it is called, what it can answer, and how it is opened.
type Descriptor struct {
	Name  string
	Title string // for people
	Doc   string // how it answers, in one line
	// Methods are its methods, the generally best one first.
	Methods []Method
	// Uses lists the fields of a Choice, by JSON name, that it reads. All read backend and method.
	Uses []string
	// Can is what it can answer.
	Can Want
	// Counting returns one word for how it counts the solutions of a problem; nil if it cannot count.
	Counting func(encode.Problem, Want) string
	// AtOnce says that it counts without visiting solutions.
	AtOnce bool
	// Builds says that Open builds what can be as large as the set of solutions.
	Builds bool
	// WorkVaries says that the work for the same question may differ from run to run.
	WorkVaries bool
	// Accepts returns an error for a problem that it does not take, with the names of back-ends that do.
	// A problem that it takes may still need more time or memory than there is.
	Accepts func(encode.Problem) error
	// Open makes the back-end for a problem, as a choice that [Resolve] has completed says. Its errors
	// are those of the problem, of the memory limit and of the machine.
	Open func(context.Context, encode.Problem, Choice, Resources) (backends.Backend, error)
}

// Reads reports whether the back-end reads a field of a Choice, given by its JSON name.
func (d Descriptor) Reads(field string) bool {
	return ignoring(field) == "" || slices.Contains(d.Uses, field)
}

// Ignores lists the fields of a Choice that the back-end does not read.
func (d Descriptor) Ignores() []param.Field {
	return slices.DeleteFunc(param.Fields(Choice{}), func(f param.Field) bool { return d.Reads(f.Name) })
}

// ignoring says what a back-end lacks that does not read a field of a Choice; empty for fields that all
// back-ends read.
func ignoring(field string) string {
	switch field {
	case "order":
		return "has no variable order"
	case "construction":
		return "builds no diagram"
	case "diagram":
		return "builds no ROBDD or ZDD"
	case "sift":
		return "does not sift variables"
	case "solver":
		return "uses no SAT solver"
	case "amo", "formula":
		return "uses no clauses"
	case "workers":
		return "uses one processor"
	}
	return ""
}

// MethodNames lists the names of the back-end's methods, the generally best one first.
func (d Descriptor) MethodNames() []string {
	return namesOf(d.Methods, func(m Method) string { return m.Name })
}

// MethodTitle returns the name of the back-end and one of its methods for people: Diagram (ZDD
// sweep), SAT (gini, pack).
func (d Descriptor) MethodTitle(method string) string {
	for _, m := range d.Methods {
		if m.Name == method {
			method = m.Title
		}
	}
	if d.Reads("solver") {
		method = string(Gini) + ", " + method
	}
	if method == "" {
		return d.Title
	}
	return fmt.Sprintf("%s (%s)", d.Title, method)
}
