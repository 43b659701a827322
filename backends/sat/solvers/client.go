package solvers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"queens/backends"
	"queens/encode/cnf"
	"queens/internal/system/program"
)

// Asked is a solver for one formula.
type Asked struct {
	client  *Client
	formula *cnf.Formula
	process *process // holds the formula; nil before the first query and after a failed one, and if each query starts its own
	value   []bool   // by variable-1: the last model, which has been checked
	sum     uint64   // of the formula's clauses
	closed  bool
}

// Client asks one solver about formulas, one after another or several in turn. It serves one
// goroutine at a time. A warm solver's process is started for the first formula that needs one,
// and reused for the next once that formula is closed.
type Client struct {
	solver Solver

	idle   []*process
	asking time.Duration // spent here, on talking to warm processes and checking their answers
	own    time.Duration // that the processes report
	untold bool          // a process did not report its time

	keep   bool
	asked  *process // that was asked all kept queries
	sent   []byte   // to it since Keep
	kept   []query
	replay []query // the queries that must follow, with their answers: see Again
}

// query is a query as it was sent, and its answer.
type query struct {
	sum    uint64 // of the formula
	assume []cnf.Lit
	answer line
}

// Keep makes the client remember its queries from now on, for [Client.Again].
func (s *Client) Keep() { s.keep = true }

// enough is the solver's own time from which on queries are not asked again: waking the process no longer
// makes a difference.
const enough = time.Second

// remember keeps a query. It forgets all of them if they cannot be asked again with the same answers:
// they must all go to one process, and either begin with a new formula or leave the formula as it is.
func (s *Client) remember(p *process, sent []byte, q query) {
	if s.asked == nil {
		s.asked = p
	}
	s.sent, s.kept = append(s.sent, sent...), append(s.kept, q)
	same := bytes.HasPrefix(s.sent, []byte("new ")) || bytes.HasPrefix(sent, []byte("solve"))
	if s.asked != p || !same || q.answer.took < 0 || s.own > enough {
		s.forget()
	}
}

// forget ends the remembering: what was asked cannot be asked again.
func (s *Client) forget() { s.keep, s.asked, s.kept, s.sent = false, nil, nil, nil }

// Again sends all remembered queries once more, in one batch, so that the program's caches are as warm
// as if its library were linked in. It must give the same answers. After that the client forgets the
// queries, and the caller must repeat them in the same sequence: they get the answers and times of the
// batch. Again returns false if nothing is remembered.
func (s *Client) Again(ctx context.Context) (bool, error) {
	if len(s.kept) == 0 {
		return false, nil
	}
	answers, err := s.asked.send(ctx, s.sent, len(s.kept))
	if err != nil {
		s.forget()
		return false, fmt.Errorf("asking %s again: %w", s.solver.Name, err)
	}
	for i, q := range s.kept {
		if answers[i].text != q.answer.text {
			return false, fmt.Errorf("asked again, %s answered %q; before, %q", s.solver.Name,
				program.Clip(answers[i].text), program.Clip(q.answer.text))
		}
		s.kept[i].answer = answers[i]
	}
	s.replay = s.kept
	s.forget()
	return true, nil
}

// Pipe returns the time spent on asking minus the solver's own time: what linking in its library
// would save. known is false unless the solver reports its time.
func (s *Client) Pipe() (spent time.Duration, known bool) {
	return s.asking - s.own, s.solver.Warm() && !s.untold
}

// clock adds the time since the start to what was spent on asking.
func (s *Client) clock(start time.Time) { s.asking += time.Since(start) }

// Open returns a client of the solver. It does not start a process yet.
func (s Solver) Open() *Client { return &Client{solver: s} }

// New returns the solver for a formula.
func (s *Client) New(f *cnf.Formula) *Asked {
	defer s.clock(time.Now())
	a := &Asked{client: s, formula: under(f, nil)}
	for c := range a.formula.Clauses() {
		a.add(c)
	}
	return a
}

// add adds a clause to the formula's sum (FNV-1a, a literal at a time).
func (a *Asked) add(clause []cnf.Lit) {
	const prime = 1099511628211
	for _, l := range clause {
		a.sum = (a.sum ^ uint64(uint32(l))) * prime
	}
	a.sum = (a.sum ^ 1<<40) * prime
}

// begin gives the formula to a process, unless one has it.
func (a *Asked) begin(ctx context.Context) error {
	if a.process != nil {
		return nil
	}
	p, err := a.client.take(ctx)
	if err != nil {
		return err
	}
	a.process = p
	p.begin(a.formula.Vars)
	for c := range a.formula.Clauses() {
		p.write("add", c)
	}
	return nil
}

// take returns an idle process, or starts one.
func (s *Client) take(ctx context.Context) (*process, error) {
	if last := len(s.idle) - 1; last >= 0 {
		p := s.idle[last]
		s.idle = s.idle[:last]
		return p, nil
	}
	return start(ctx, s.solver)
}

// Close ends the client's idle processes.
func (s *Client) Close() error {
	for _, p := range s.idle {
		p.end()
	}
	s.idle = nil
	return nil
}

// patience is how long a program may take to greet or to print its version.
const patience = 5 * time.Second

// Version returns the program's name and version: [Solver.Version] if that is set, else
// the greeting of a program that speaks the protocol, or the first line that the program
// prints for --version. A known program is asked with this as its only argument, any other
// command with its arguments, files aside; a known one that has no such option is
// identified by its file's SHA-256. It fails if the program does not report a version.
func (s *Client) Version(ctx context.Context) (string, error) {
	if s.solver.Version != "" {
		return s.solver.Version, nil
	}
	if s.solver.Warm() {
		p, err := s.take(ctx)
		if err != nil {
			return "", fmt.Errorf("asking %s what it is: %w", s.solver.Name, err)
		}
		s.idle = append(s.idle, p)
		if len(strings.Fields(p.greeting)) < 2 {
			return "", fmt.Errorf("%s does not report its version: it greets with %q, without one", s.solver.Name,
				p.greeting)
		}
		return p.greeting, nil
	}
	words := slices.DeleteFunc(slices.Clone(s.solver.words), func(word string) bool {
		return strings.Contains(word, program.FormulaFile) || strings.Contains(word, resultFile)
	})
	if k, known := ofProgram(words[0]); known && k.mute {
		content, err := os.ReadFile(words[0])
		return fmt.Sprintf("%s of SHA-256 %.6x", k.name, sha256.Sum256(content)), err
	} else if known {
		words = words[:1]
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ended, err := program.Run(limited, append(words, "--version"))
	line, _, _ := strings.Cut(strings.TrimSpace(string(ended.Stdout)), "\n")
	line = strings.TrimSpace(line)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		err = fmt.Errorf("--version: %w", err)
	case ended.Code != 0:
		err = program.WithLast(fmt.Errorf("--version ends with code %d", ended.Code), ended.Last())
	case line == "" || len(line) > 200 || !strings.ContainsAny(line, "0123456789"):
		err = fmt.Errorf("--version prints %q", program.Clip(line))
	default:
		return line, nil
	}
	return "", fmt.Errorf("%s does not report its version "+
		"(a configuration can: solvers: {%s: {command: ..., version: ...}}): %w",
		s.solver.Name, s.solver.Name, err)
}

// Value reports whether a variable is true in the last model.
func (a *Asked) Value(v cnf.Var) bool { return int(v) <= len(a.value) && a.value[v-1] }

// Add adds a clause, for all later queries.
func (a *Asked) Add(clause ...cnf.Lit) {
	a.formula.Add(clause...)
	a.add(clause)
	if a.process != nil {
		defer a.client.clock(time.Now())
		a.process.write("add", clause)
	}
}

// Solve looks for a model under assumptions. Core holds assumptions that suffice for an Unsat.
// A process that fails is ended; the next query starts another.
func (a *Asked) Solve(ctx context.Context, assume []cnf.Lit) (status backends.Status, core []cnf.Lit, err error) {
	if a.closed {
		return backends.Unknown, nil, errors.New("the formula is closed")
	}
	if err := ctx.Err(); err != nil {
		return backends.Unknown, nil, err
	}
	defer a.client.clock(time.Now())
	if a.client.solver.Warm() {
		status, core, err = a.askAgain(ctx, assume)
	} else {
		status, core, err = a.askOnce(ctx, assume)
	}
	if err == nil {
		return status, core, nil
	}
	if a.process != nil {
		if a.process == a.client.asked {
			a.client.forget()
		}
		a.process.end()
		a.process = nil
	}
	return backends.Unknown, nil, fmt.Errorf("asking %s: %w", a.client.solver.Name, err)
}

// askAgain asks the process that holds the formula. docs/do/solver.md describes the lines sent
// and received.
func (a *Asked) askAgain(ctx context.Context, assume []cnf.Lit) (backends.Status, []cnf.Lit, error) {
	answer, err := a.ask(ctx, assume)
	if err != nil {
		return backends.Unknown, nil, err
	}
	a.client.own += max(0, answer.took)
	a.client.untold = a.client.untold || answer.took < 0
	words := strings.Fields(answer.text)
	last := len(words) - 1
	if last < 1 || words[0] != "sat" && words[0] != "unsat" || words[last] != "0" {
		return backends.Unknown, nil, fmt.Errorf("it answered %q: expected sat or unsat, literals and 0",
			program.Clip(answer.text))
	}
	lits, err := literals(words[1:last])
	if err != nil {
		return backends.Unknown, nil, err
	}
	if words[0] == "sat" {
		return backends.Sat, nil, a.model(lits, assume)
	}
	for _, l := range lits {
		if !slices.Contains(assume, l) {
			return backends.Unknown, nil, fmt.Errorf("its core has %d, which is not an assumption", l)
		}
	}
	return backends.Unsat, lits, nil
}

// ask asks the process, or replays an answer.
func (a *Asked) ask(ctx context.Context, assume []cnf.Lit) (line, error) {
	s := a.client
	if len(s.replay) > 0 {
		q := s.replay[0]
		if s.replay = s.replay[1:]; a.sum != q.sum || !slices.Equal(assume, q.assume) {
			return line{}, errors.New("asked again, the query is another one")
		}
		return q.answer, nil
	}
	if err := a.begin(ctx); err != nil {
		return line{}, err
	}
	p := a.process
	p.write("solve", assume)
	answers, err := p.send(ctx, p.pending, 1)
	if err != nil {
		return line{}, err
	}
	if s.keep {
		s.remember(p, p.pending, query{a.sum, slices.Clone(assume), answers[0]})
	}
	p.pending = p.pending[:0]
	return answers[0], nil
}

// Close makes the process available for the client's next formula.
func (a *Asked) Close() error {
	if a.process != nil {
		a.client.idle = append(a.client.idle, a.process)
		a.process = nil
	}
	a.closed = true
	return nil
}

// WrongModel is the error for a model that violates a clause or an assumption: a wrong answer, worse than a failure.
type WrongModel string

func (w WrongModel) Error() string { return string(w) }

// model checks and stores a model, given as its true literals; variables without one
// are false.
func (a *Asked) model(lits, assume []cnf.Lit) error {
	value := make([]bool, a.formula.Vars)
	for _, l := range lits {
		if int(l.Var()) > len(value) {
			return fmt.Errorf("its model has literal %d, but there are %d variables", l, len(value))
		}
		if l > 0 {
			value[l-1] = true
		}
	}
	for _, l := range assume {
		if value[l.Var()-1] != l.Positive() {
			return WrongModel(fmt.Sprintf("its model contradicts the assumption %d", l))
		}
	}
	if !a.formula.Eval(value) {
		return WrongModel("its model does not satisfy the formula")
	}
	a.value = value
	return nil
}
