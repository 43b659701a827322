package ask

import (
	"context"
	"fmt"
	"math"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/internal/param"
)

// Want is a set of things that an answer must contain.
type Want uint8

// What can be wanted.
const (
	Valid     Want = 1 << iota // which values each variable can still take
	Solve                      // a solution, or a core
	Count                      // the number of solutions
	CountEach                  // the same, and for each variable the number of those in which it is true
	Sample                     // a solution drawn uniformly
)

// Descriptor describes a back-end: its name, what it can answer, and how to open it.
type Descriptor struct {
	Name  string
	Title string // for people
	Doc   string // how it answers, in one line
	// Methods are its methods, the generally best one first.
	Methods []backends.Method
	// Uses lists the JSON names of the Choice fields that it reads, beyond backend and method, which every
	// back-end reads.
	Uses []string
	// Can is the set of things that it can answer.
	Can Want
	// Counting is one word for how it counts solutions; empty if it cannot.
	Counting string
	// AtOnce says that it counts without visiting solutions.
	AtOnce bool
	// Builds says that Open builds a structure that can be as large as the set of solutions.
	Builds bool
	// Weights says that it holds constraints with weights. For one that does not, [Resolve] puts clauses in their place, so
	// that it cannot answer them wrongly.
	Weights bool
	// WorkVaries says that the work for the same question may differ from run to run.
	WorkVaries bool
	// Cost names the counts of [backends.Work] whose sum is what finding the valid values cost; none if they
	// cannot be added up.
	Cost []string
	// Checks is the largest size up to which it checks the answers of other back-ends, within a second or so: of
	// the problem if it Builds, or else of what is not fixed. 0 is for a back-end that checks none, [AnySize] for
	// one that checks files, too.
	Checks int
	// Asks lists the back-ends whose code answers questions of a kind about a problem, apart from its own; nil for none. See
	// [Descriptor.SharesWith].
	Asks func(encode.Problem, Want) []BackendName
	// Accepts returns an error if the back-end does not take the problem; the error names back-ends that do.
	// An accepted problem may still exceed the available time or memory.
	Accepts func(encode.Problem) error
	// Open makes the back-end for a problem, from a choice that [Resolve] has completed. It fails if the
	// problem is invalid, the memory limit is reached, or the machine fails.
	Open func(context.Context, encode.Problem, Choice, Resources) (backends.Backend, error)
}

// AnySize is larger than any problem.
const AnySize = math.MaxInt

// SharesWith reports whether two back-ends share code that answers such questions about a problem: so one is no check of the
// other.
func (d Descriptor) SharesWith(e Descriptor, p encode.Problem, want Want) bool {
	theirs := e.answering(p, want)
	return slices.ContainsFunc(d.answering(p, want), func(b BackendName) bool { return slices.Contains(theirs, b) })
}

// answering lists the back-ends whose code answers, the own one first.
func (d Descriptor) answering(p encode.Problem, want Want) []BackendName {
	list := []BackendName{BackendName(d.Name)}
	if d.Asks != nil {
		list = append(list, d.Asks(p, want)...)
	}
	return list
}

// Reads reports whether the back-end reads a field of a Choice, given by its JSON name.
func (d Descriptor) Reads(field string) bool {
	return ignoring(field) == "" || slices.Contains(d.Uses, field)
}

// Ignores lists the fields of a Choice that the back-end does not read.
func (d Descriptor) Ignores() []param.Field {
	return slices.DeleteFunc(param.Fields(Choice{}), func(f param.Field) bool { return d.Reads(f.Name) })
}

// ignoring returns the reason why a back-end does not read a field of a Choice; empty for fields that
// all back-ends read.
func ignoring(field string) string {
	switch field {
	case "order":
		return "has no variable order"
	case "construction":
		return "builds no diagram"
	case "diagram":
		return "builds no ROBDD or ZDD"
	case "sift":
		return "changes no variable order"
	case "solver":
		return "uses no SAT solver"
	case "amo", "formula":
		return "uses no clauses"
	case "workers":
		return "uses one processor"
	}
	return ""
}

// MethodTitle returns the title of the back-end with one of its methods: Diagram (ZDD sweep), SAT (gini,
// pack).
func (d Descriptor) MethodTitle(method string) string {
	if m, has := d.Method(MethodName(method)); has && method != "" {
		method = m.Title
	}
	if d.Reads("solver") {
		method = string(Gini) + ", " + method
	}
	if method == "" {
		return d.Title
	}
	return fmt.Sprintf("%s (%s)", d.Title, method)
}
