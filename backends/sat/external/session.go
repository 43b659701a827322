package external

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"queens/backends"
	"queens/encode/cnf"
)

// Asked is a solver of one formula: what package sat needs, and Close.
type Asked interface {
	Add(clause ...cnf.Lit)
	Solve(ctx context.Context, assume []cnf.Lit) (status backends.Status, core []cnf.Lit, err error)
	Value(v cnf.Var) bool
	Close() error
}

// Session asks one solver about formulas, one after the other or several at a time. A
// warm solver's process is started when the first formula needs it, and used again for
// the next when that is closed.
type Session struct {
	solver Solver

	mu   sync.Mutex
	idle []*process
}

// Open begins a session. It starts nothing yet.
func (s Solver) Open() *Session { return &Session{solver: s} }

// New begins a formula.
func (s *Session) New(ctx context.Context, f *cnf.Formula) (Asked, error) {
	formula := &cnf.Formula{Vars: f.Vars}
	formula.Grow(f.NumClauses())
	for c := range f.Clauses() {
		formula.Add(c...)
	}
	if !s.solver.Warm() {
		return &program{solver: s.solver, checked: checked{formula: formula}}, nil
	}
	p, err := s.take()
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", s.solver.Name, err)
	}
	w := &warm{session: s, process: p, checked: checked{formula: formula}}
	p.begin(formula.Vars)
	for c := range formula.Clauses() {
		p.clause(c)
	}
	return w, nil
}

// take returns an idle process, or starts one.
func (s *Session) take() (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.idle) - 1; last >= 0 {
		p := s.idle[last]
		s.idle = s.idle[:last]
		return p, nil
	}
	return start(s.solver)
}

// give takes back a process that is well.
func (s *Session) give(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, p)
}

// Close ends the session's idle processes.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.idle {
		p.end()
	}
	s.idle = nil
	return nil
}

// Version asks the program what it is: the greeting of one that speaks the protocol,
// the first line that --version prints otherwise, "unknown" where that tells nothing.
func (s *Session) Version(ctx context.Context) string {
	if s.solver.Warm() {
		p, err := s.take()
		if err != nil {
			return "unknown"
		}
		defer s.give(p)
		return p.greeting
	}
	output, _, err := s.solver.run(ctx, []string{"--version"})
	line := strings.TrimSpace(firstLine(output))
	if err != nil || line == "" || len(line) > 200 {
		return "unknown"
	}
	return line
}

// checked is a formula, and the last answer to it, which is believed only if it holds.
type checked struct {
	formula *cnf.Formula
	value   []bool // by variable-1: the last model
}

// Value reports whether a variable is true in the last model.
func (c *checked) Value(v cnf.Var) bool { return int(v) <= len(c.value) && c.value[v-1] }

// add takes a clause in.
func (c *checked) add(clause []cnf.Lit) { c.formula.Add(clause...) }

// model takes a model, as the literals that are true; variables without one are false.
func (c *checked) model(lits, assume []cnf.Lit) error {
	value := make([]bool, c.formula.Vars)
	for _, l := range lits {
		if int(l.Var()) > len(value) {
			return fmt.Errorf("its model has a literal %d, of %d variables", l, len(value))
		}
		if l > 0 {
			value[l-1] = true
		}
	}
	for _, l := range assume {
		if value[l.Var()-1] != l.Positive() {
			return fmt.Errorf("its model does not hold the assumption %d", l)
		}
	}
	if !c.formula.Eval(value) {
		return errors.New("its model does not satisfy the formula")
	}
	c.value = value
	return nil
}
