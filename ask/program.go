package ask

import (
	"context"
	"maps"
	"slices"
	"strings"

	"queens/backends/counters"
	"queens/backends/sat/solvers"
	"queens/internal/param"
	"queens/internal/system/program"
)

// SolverName is the name of a SAT solver, or its command.
type SolverName string

var _ param.Patterned = SolverName("")

// gini is the SAT solver that is always available, in this process.
const gini = "gini"

// Values lists the known solvers, installed or not.
func (SolverName) Values() []string { return append([]string{gini}, solvers.Names()...) }

// Pattern accepts the command of any solver, and names defined in a configuration.
func (SolverName) Pattern() (expression, title string) {
	return `.`, "a name from solvers, or a command, as in kissat -q {cnf}; one without {cnf} speaks the line protocol"
}

// find returns the program that the name stands for, nil for gini.
func (s SolverName) find(programs program.Descriptions) (*solvers.Solver, error) {
	if s == "" || s == gini {
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
	found, err := s.find(programs)
	switch {
	case err != nil:
		return "", err
	case found == nil:
		return "v1.0.4", nil
	}
	session := found.Open()
	defer session.Close()
	version, err := session.Version(ctx)
	return version + " (" + found.Command + ")", err
}

// EngineName is the name of a diagram package, or its command.
type EngineName string

var _ param.Patterned = EngineName("")

// Ours is the built-in engine, which runs in this process.
const Ours EngineName = "queens"

// Values lists the engines that a configuration need not describe.
func (EngineName) Values() []string { return []string{string(Ours)} }

// Pattern accepts the command of any engine, and names defined in a configuration.
func (EngineName) Pattern() (expression, title string) {
	return `.`, "a name from engines, or a command with {cnf} or {ops}, as in bin/engines/buddy {ops}"
}

// checkProgram returns an error for a value of a field that is neither a command, the name of a
// program that a configuration describes, nor one of the names known here, of which the first is built
// in and cannot be described.
func checkProgram(field, what, value string, described map[string]program.Description, known []string) error {
	if _, taken := described[known[0]]; taken {
		return wrong(field, "%ss.%s: the name is reserved: choose another", field, known[0])
	}
	names := append(slices.Sorted(maps.Keys(described)), known...)
	if value == "" || program.IsCommand(value) || slices.Contains(names, value) {
		return nil
	}
	return wrong(field, "%s %q: expected one of %s, a name from %ss, or a command%s",
		what, value, strings.Join(names, ", "), field, param.DidYouMean(value, names))
}

// CounterName is the name of an outside model counter, or its command; empty for none.
type CounterName string

var _ param.Patterned = CounterName("")

// none says that no outside counter counts.
const none CounterName = "none"

// Values lists the counters that a configuration need not describe.
func (CounterName) Values() []string { return []string{string(none)} }

// Pattern accepts the command of any counter, and names defined in a configuration.
func (CounterName) Pattern() (expression, title string) {
	return `.`, "a name from counters, or a command with {cnf}, as in ganak {cnf}"
}

// Find returns the counter, and whether there is one.
func (n CounterName) Find(programs program.Descriptions) (c counters.Counter, is bool) {
	if n == "" || n == none {
		return c, false
	}
	c = counters.Counter{Name: string(n), Command: string(n)}
	if described, ok := programs["counter"][c.Name]; ok {
		c.Command = described.Command
	}
	return c, true
}
