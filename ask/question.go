package ask

import (
	"cmp"
	"context"
	"strings"

	"queens/encode"
	"queens/order"
	"queens/param"
	"queens/system/program"
)

// Question is a problem, and who is asked about it, and how.
type Question struct {
	// Problem family; or cnf:FILE or opb:FILE for one of your own, or a pattern for several.
	Problem ProblemName `json:"problem"`
	// Size of the board, or of the family's problem; none for a file.
	N int `json:"n,omitempty" jsonschema:"minimum=1"`
	Choice

	programs program.Descriptions // of the question's configuration
}

// Equip gives the question the programs of its configuration, and checks those that it names.
func (q *Question) Equip(programs program.Descriptions) error {
	q.programs = programs
	return cmp.Or(
		checkProgram("solver", "SAT solver", string(q.Solver), programs["solver"], q.Solver.Values()),
		checkProgram("engine", "engine", string(q.Engine), programs["engine"], q.Engine.Values()),
	)
}

// Programs returns the programs of the question's configuration.
func (q *Question) Programs() program.Descriptions { return q.programs }

// Read builds the problem, or reads it from its file, which may give its variables an order.
func (q *Question) Read() (encode.Problem, order.Order, error) { return q.Problem.read(q.N) }

// Build is [Question.Read] without the order.
func (q *Question) Build() (encode.Problem, error) {
	p, _, err := q.Read()
	return p, err
}

// FromFile reports whether the problem is read from a file; then it has no size.
func (q *Question) FromFile() bool {
	_, path := q.Problem.File()
	return path != ""
}

// VarOrder returns the variable order for the question's problem.
func (q *Question) VarOrder(p encode.Problem) (order.Order, error) {
	o, _, err := q.Order.For(p, nil)
	return o, err
}

// Known returns the published number of solutions and its source; both are empty if it is unknown.
func (q *Question) Known() (count, source string) {
	family, err := encode.FamilyNamed(string(q.Problem))
	if err != nil {
		return "", ""
	}
	known, ok := family.Known(q.N)
	if !ok {
		return "", ""
	}
	return known.String(), family.Source[strings.LastIndexByte(family.Source, ' ')+1:] // A000170
}

// Suits checks that the problem and its order exist, and that the check, unless it is nil, accepts the
// problem. A file must be there and fit: it is pinned by its content. A pinned file that has gone is
// left to the run, so that its records can be read without it. A file without cells has no row-major
// order, so that name, the default of experiments, becomes estimate. What does not suit is an
// *param.Unsuited.
func (q *Question) Suits(check func(encode.Problem) error) error {
	if err := q.Sized(); err != nil {
		return err
	}
	if q.Problem == Queens && check == nil && !q.Order.isFile() {
		return nil // every named order suits queens
	}
	p, err := q.Build()
	gone := q.Problem.Gone()
	if err != nil && !gone {
		if q.FromFile() {
			return err
		}
		return &param.Unsuited{Why: err.Error()}
	}
	if p.Place == nil && q.Order == "row-major" {
		q.Order = estimated
	}
	if gone {
		return nil
	}
	if q.Order.isFile() {
		if q.Order, err = q.Order.Pinned(p); err != nil {
			return err
		}
	} else if b, unknown := Named(string(q.Backend), 0); q.Backend == "" || unknown == nil && b.uses("order") {
		named, unknown := order.ByName(string(q.Order))
		if err = unknown; err == nil {
			err = named.Takes(p)
		}
	}
	if err == nil && check != nil {
		err = check(p)
	}
	if err != nil {
		return &param.Unsuited{Why: err.Error()}
	}
	return nil
}

// Sized drops the size of a file, and returns an error for a family without a size.
func (q *Question) Sized() error {
	if q.FromFile() {
		q.N = 0
	} else if q.N == 0 {
		return wrong("n", "is missing: problem %s needs a size", q.Problem)
	}
	return nil
}

// Taken checks that the question's back-end takes its problem; see Suits.
func (q *Question) Taken() error {
	b, err := Named(string(q.Backend), 0)
	if err != nil {
		return nil // reported elsewhere
	}
	return q.Suits(b.takes)
}

// CheckedBy reports whether a back-end is quick enough to check the answer to the question with so
// many variables fixed. Only SAT checks those about files: a diagram or a search may not end.
func (q *Question) CheckedBy(b Backend, fixed int) bool {
	switch {
	case b.Name == string(q.Backend) || b.Checks == nil:
		return false
	case q.FromFile():
		return b.uses("solver")
	}
	return b.Checks(q.N, q.N-fixed)
}

// Program returns the SAT solver if it is an outside program. The check says that it is not installed,
// or does not tell its version.
func (q *Question) Program() *program.Needed {
	if q.Solver == gini || q.Solver == "" {
		return nil
	}
	return &program.Needed{Parameter: "solver", Name: string(q.Solver), Check: func(ctx context.Context) error {
		_, err := q.Solver.Version(ctx, q.programs)
		return err
	}}
}

// Resolve returns the plan of the question's back-end for a problem, and what opening it may use.
// Fields that the back-end does not use are ignored.
func (q *Question) Resolve(p encode.Problem, want Ability) (Plan, Resources, error) {
	c := q.Choice
	c.Unused(Choice{})
	plan, err := Resolve(p, c, want)
	return plan, Resources{Programs: q.programs}, err
}

// SolverIs returns the version of the question's SAT solver and its command; empty for a back-end
// that uses none. A solver that does not report its version is an error.
func (q *Question) SolverIs(ctx context.Context) (string, error) {
	b, err := Named(string(q.Backend), 0)
	if err != nil || !b.uses("solver") {
		return "", err
	}
	return q.Solver.Version(ctx, q.programs)
}
