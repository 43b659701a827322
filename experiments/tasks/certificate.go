package tasks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"queens/ask"
	"queens/backends"
	"queens/backends/near"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/cnf/rup"
	"queens/experiments"
	"queens/internal/param"
)

// byProof is the method, of near, of a reference that answers by certificates alone, and its name in the record's checked_by.
const byProof ask.MethodName = "proof"

// proves reports whether the run answers by certificates. Only references do.
func (a *Asked) proves() bool { return a.Backend == ask.Near && a.Method == byProof }

// name names the run where it checks others: the back-end and its method.
func (a *Asked) name() string {
	if a.proves() {
		return string(byProof)
	}
	return string(a.Backend) + " " + string(a.Method)
}

// certifier answers questions about a formula in a file. Near finds solutions and refutations, and the certifier believes
// neither: a literal is possible if a solution that has it satisfies every clause of the file, and impossible if the
// clause that says so follows from the file by the lines of near's proof, each of which [rup] has checked.
type certifier struct {
	problem  encode.Problem
	whole    encode.Problem // with all variables of the file
	near     *near.Oracle
	proof    bytes.Buffer // lines that are not replayed
	checker  *rup.Checker
	clauses  cnf.Clauses
	vars     int // of the file
	verified []solution
}

// solution is a solution, by the file's variables. A variable is needed if a clause has no other true literal; any other one
// may change alone.
type solution struct{ value, needed []bool }

// newCertifier reads the clauses from the problem's file, or from what the problem is written as, if no clauses are in it.
func newCertifier(name ask.ProblemName, p encode.Problem) (*certifier, error) {
	whole, path := p.Whole(), p.String()
	var content []byte
	format, named := name.File()
	clauses := named != "" && format == "cnf"
	if clauses {
		var err error
		if content, path, _, err = param.PinFile(named, 0); err != nil {
			return nil, err
		}
	} else {
		var written bytes.Buffer
		if err := p.WriteDIMACS(&written, amo.Pairwise, nil); err != nil {
			return nil, err
		}
		content = written.Bytes()
	}
	if clauses || p.HasAuxiliary() { // the clauses may have variables that the problem does not have
		var err error
		if whole, _, err = encode.ReadWholeCNF(bytes.NewReader(content), path); err != nil {
			return nil, err
		}
	}
	file, err := cnf.ReadDIMACS(bytes.NewReader(content), path)
	if err != nil {
		return nil, err
	}
	c := &certifier{problem: p, whole: whole, near: near.New(whole), checker: rup.New(file), clauses: file.Clauses, vars: file.Vars}
	c.near.Proof = &c.proof
	return c, nil
}

// certified answers the questions of a run by certificates; text returns the canonical form of an answer.
func (a *Asked) certified(ctx context.Context, m *experiments.Meter, p encode.Problem, next script,
	text func(ask.Question, ask.Answer) string) (f experiments.Finding, err error) {
	c, err := newCertifier(a.Problem, p)
	if err != nil {
		return f, err
	}
	var answers []string
	for q, more := next(ask.Answer{}); more; {
		answer, err := c.answer(ctx, q)
		if err != nil {
			return f, fmt.Errorf("proving the answer to question %d about %s: %w", len(answers)+1, p, err)
		}
		answers = append(answers, text(q, answer))
		if m.Answered != nil {
			m.Answered(answers[len(answers)-1])
		}
		q, more = next(answer)
	}
	return experiments.Finding{Answer: strings.Join(answers, experiments.Between)}, nil
}

// answer answers a question about the valid cells, or whether there is a solution.
func (c *certifier) answer(ctx context.Context, q ask.Question) (a ask.Answer, err error) {
	s, err := c.solution(ctx, q.Assume)
	if err != nil {
		return a, err
	}
	if a.Status = backends.Unsat; s == nil {
		return a, nil
	}
	if a.Status = backends.Sat; q.Want == ask.Solve {
		return a, nil
	}
	possible := make([]bool, 2*c.problem.NumVars()) // by the literal's index
	for _, s := range c.verified {
		c.show(possible, q.Assume, s)
	}
	for v := cnf.Var(1); int(v) <= c.problem.NumVars(); v++ {
		for _, l := range []cnf.Lit{v.Pos(), v.Neg()} {
			if possible[l.Index()] {
				continue
			}
			s, err := c.solution(ctx, append(slices.Clip(q.Assume), l))
			if err != nil {
				return a, err
			}
			if s != nil {
				c.show(possible, q.Assume, *s)
			}
		}
		if possible[v.Pos().Index()] {
			a.Valid = append(a.Valid, v)
			if !possible[v.Neg().Index()] {
				a.Forced = append(a.Forced, v)
			}
		}
	}
	return a, nil
}

// solution returns a verified solution under assumptions; nil if it is proved that there is none.
func (c *certifier) solution(ctx context.Context, assume []cnf.Lit) (*solution, error) {
	var asked, clause []cnf.Lit
	for _, l := range assume {
		number := c.problem.Number(l.Var())
		v, is := c.whole.Numbered(number)
		if !is {
			return nil, fmt.Errorf("%s has no variable %d", c.whole, number)
		}
		asked, clause = append(asked, v.Lit(l.Positive())), append(clause, number.Lit(!l.Positive()))
	}
	answer, err := c.near.Solve(ctx, asked)
	if err != nil {
		return nil, err
	}
	if answer.Status == backends.Sat {
		s, err := c.verify(answer.Model)
		if err == nil && !c.under(s, assume) {
			err = errors.New("the solution contradicts an assumption")
		}
		if err == nil {
			c.verified = append(c.verified, s)
		}
		return &s, err
	}
	if err := c.checker.Replay(&c.proof, "proof"); err != nil {
		return nil, err
	}
	if !c.checker.Follows(clause...) {
		return nil, fmt.Errorf("the proof does not show that no solution has %v", assume)
	}
	return nil, nil
}

// verify holds a model against the clauses of the file.
func (c *certifier) verify(model []cnf.Lit) (s solution, err error) {
	s = solution{make([]bool, c.vars+1), make([]bool, c.vars+1)}
	for _, l := range model {
		s.value[c.whole.Number(l.Var())] = l.Positive()
	}
	for i := range c.clauses.Len() {
		var is cnf.Lit
		several := false
		for _, l := range c.clauses.At(i) {
			if s.value[l.Var()] == l.Positive() {
				several = is != 0 && is != l
				is = l
			}
			if several {
				break
			}
		}
		switch {
		case is == 0:
			return s, fmt.Errorf("the solution violates clause %d", i+1)
		case !several:
			s.needed[is.Var()] = true
		}
	}
	return s, nil
}

// under reports whether a solution has the literals.
func (c *certifier) under(s solution, lits []cnf.Lit) bool {
	return !slices.ContainsFunc(lits, func(l cnf.Lit) bool { return s.value[c.problem.Number(l.Var())] != l.Positive() })
}

// show marks as possible what a solution and its changes of one variable show, if it has what is assumed.
func (c *certifier) show(possible []bool, assume []cnf.Lit, s solution) {
	if !c.under(s, assume) {
		return
	}
	for v := cnf.Var(1); int(v) <= c.problem.NumVars(); v++ {
		number := c.problem.Number(v)
		l := v.Lit(s.value[number])
		possible[l.Index()] = true
		if !s.needed[number] && !slices.Contains(assume, l) {
			possible[l.Not().Index()] = true
		}
	}
}
