package ask

import (
	"context"

	"queens/backends/counters"
	"queens/backends/sat"
	"queens/backends/sat/solvers"
	"queens/internal/param"
	"queens/internal/system/program"
)

// SolverName is the name of a SAT solver, or its command.
type SolverName string

var _ param.Patterned = SolverName("")

// Gini is the SAT solver that answers if none is named.
const Gini SolverName = sat.GiniName

// Linked returns the solver with this name if it is part of this program; without a name, the default.
func (s SolverName) Linked() (linked sat.Linked, is bool) {
	for _, linked := range sat.AllLinked() {
		if s == "" || string(s) == linked.Name {
			return linked, true
		}
	}
	return linked, false
}

// Reserved lists the names of linked solvers.
func (SolverName) Reserved() []string {
	return namesOf(sat.AllLinked(), func(l sat.Linked) string { return l.Name })
}

// Values lists the known solvers, installed or not.
func (s SolverName) Values() []string { return append(s.Reserved(), solvers.Names()...) }

// Pattern accepts the command of any solver, and names defined in a configuration.
func (SolverName) Pattern() (expression, title string) {
	return `.`, "a name from solvers, or a command, as in kissat -q {cnf}; one without {cnf} speaks the line protocol"
}

// Find returns the program that the name stands for, nil for a linked solver.
func (s SolverName) Find(programs program.Descriptions) (*solvers.Solver, error) {
	if _, linked := s.Linked(); linked {
		return nil, nil
	}
	described, ok := programs["solver"][string(s)]
	if ok {
		found, err := solvers.Describe(string(s), described.Command, described.Version)
		return &found, err
	}
	found, err := solvers.Find(string(s))
	if err != nil {
		return nil, wrong("solver", "%v%s", err, param.DidYouMean(string(s), s.Values()))
	}
	return &found, nil
}

// Version returns the solver's version, and its command if it is an outside program. It fails if
// the program does not report its version.
func (s SolverName) Version(ctx context.Context, programs program.Descriptions) (string, error) {
	found, err := s.Find(programs)
	switch {
	case err != nil:
		return "", err
	case found == nil:
		linked, _ := s.Linked()
		return linked.Version, nil
	}
	client := found.Open()
	defer client.Close()
	version, err := client.Version(ctx)
	return version + " (" + found.Command + ")", err
}

// CounterName is the name of an outside model counter, or its command; empty for none.
type CounterName string

var _ param.Patterned = CounterName("")

// Reserved lists the names that no counter may have.
func (CounterName) Reserved() []string { return []string{program.None} }

// Values lists the counters that a configuration need not describe.
func (n CounterName) Values() []string { return n.Reserved() }

// Pattern accepts the command of any counter, and names defined in a configuration.
func (CounterName) Pattern() (expression, title string) {
	return `.`, "a name from counters, or a command with {cnf}, as in ganak {cnf}"
}

// Find returns the counter, and whether there is one.
func (n CounterName) Find(programs program.Descriptions) (c counters.Counter, is bool) {
	c.OnFile, is = programs.OnFile("counter", string(n))
	return c, is
}
