package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"queens/encode"
	"queens/internal/param"
	"queens/internal/system/program"
	"queens/order"
)

// Setup is a problem, and who is asked about it, and how: what flags and a run's parameters say.
type Setup struct {
	// Problem family; or cnf:FILE or opb:FILE for one of your own, or a pattern for several.
	Problem ProblemName `json:"problem"`
	// Size of the board, or of the family's problem; none for a file.
	N int `json:"n,omitempty" jsonschema:"minimum=1"`
	Choice

	programs program.Descriptions // of the configuration
}

// Equip gives the setup the programs of the configuration, and checks those that it names.
func (s *Setup) Equip(programs program.Descriptions) error {
	s.programs = programs
	return cmp.Or(
		checkProgram("solver", "SAT solver", string(s.Solver), programs["solver"], s.Solver.Values()),
		checkProgram("engine", "engine", string(s.Engine), programs["engine"], s.Engine.Values()),
		checkProgram("counter", "model counter", string(s.Counter), programs["counter"], s.Counter.Values()),
	)
}

// Programs returns the programs of the configuration.
func (s *Setup) Programs() program.Descriptions { return s.programs }

// Read builds the problem, or reads it from its file, which may give its variables an order.
func (s *Setup) Read() (encode.Problem, order.Order, error) { return s.Problem.read(s.N) }

// Build is [Setup.Read] without the order.
func (s *Setup) Build() (encode.Problem, error) {
	p, _, err := s.Read()
	return p, err
}

// FromFile reports whether the problem is read from a file; then it has no size.
func (s *Setup) FromFile() bool {
	_, path := s.Problem.File()
	return path != ""
}

// VarOrder returns the variable order for the problem.
func (s *Setup) VarOrder(p encode.Problem) (order.Order, error) {
	o, _, err := s.Order.For(p, nil)
	return o, err
}

// Known returns the published number of solutions and its source; both are empty if it is unknown.
func (s *Setup) Known() (count, source string) {
	family, err := encode.FamilyNamed(string(s.Problem))
	if err != nil {
		return "", ""
	}
	known, ok := family.Known(s.N)
	if !ok {
		return "", ""
	}
	return known.String(), family.Source[strings.LastIndexByte(family.Source, ' ')+1:] // A000170
}

// SuitsProblem checks that the problem and its order exist, and that the check, unless it is nil, accepts the
// problem. A file must be there and fit: it is pinned by its content. A pinned file that has gone is
// left to the run, so that its records can be read without it. A file without cells has no row-major
// order, so that name, the default of experiments, becomes estimate. What does not suit is an
// *param.Unsuited.
func (s *Setup) SuitsProblem(check func(encode.Problem) error) error {
	if err := s.Sized(); err != nil {
		return err
	}
	if s.Problem == Queens && check == nil && !s.Order.isFile() {
		return nil // every named order suits queens
	}
	p, err := s.Build()
	gone := s.Problem.Gone()
	if err != nil && !gone {
		if s.FromFile() {
			return err
		}
		return &param.Unsuited{Why: err.Error()}
	}
	if p.Place == nil && s.Order == "row-major" {
		s.Order = estimated
	}
	if gone {
		return nil
	}
	if s.Order.isFile() {
		if s.Order, err = s.Order.Pinned(p); err != nil {
			return err
		}
	} else if e, unknown := Named(string(s.Backend), 0); s.Backend == "" || unknown == nil && e.uses("order") {
		named, unknown := order.ByName(string(s.Order))
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
func (s *Setup) Sized() error {
	if s.FromFile() {
		s.N = 0
	} else if s.N == 0 {
		return wrong("n", "expected the size of problem %s", s.Problem)
	}
	return nil
}

// Accepted checks that the back-end accepts the problem; see SuitsProblem.
func (s *Setup) Accepted() error {
	e, err := Named(string(s.Backend), 0)
	if err != nil {
		return nil // reported elsewhere
	}
	return s.SuitsProblem(e.accepts)
}

// Checkers lists the other back-ends that are quick enough to check the answer with so many
// variables fixed.
func (s *Setup) Checkers(want Want, fixed int) []Entry {
	return slices.DeleteFunc(Able(want), func(e Entry) bool {
		return e.Name == string(s.Backend) || !e.CanCheck(s.FromFile(), s.N, s.N-fixed)
	})
}

// Program returns the SAT solver if it is an outside program. The check says that it is not installed,
// or does not tell its version.
func (s *Setup) Program() *program.Needed {
	if s.Solver == gini || s.Solver == "" {
		return nil
	}
	return &program.Needed{Parameter: "solver", Name: string(s.Solver),
		Find: func() error {
			_, err := s.Solver.find(s.programs)
			return err
		},
		Check: func(ctx context.Context) error {
			_, err := s.Solver.Version(ctx, s.programs)
			return err
		}}
}

// Resolve returns the plan of the back-end for a problem, and what opening it may use. Fields that the back-end does not use are ignored.
func (s *Setup) Resolve(p encode.Problem, want Want) (Plan, Resources, error) {
	c := s.Choice
	c.Unused(Choice{})
	plan, err := Resolve(p, c, want)
	return plan, Resources{Programs: s.programs}, err
}

// SolverIs returns the version of the SAT solver and its command; empty for a back-end
// that uses none. A solver that does not report its version is an error.
func (s *Setup) SolverIs(ctx context.Context) (string, error) {
	e, err := Named(string(s.Backend), 0)
	if err != nil || !e.uses("solver") {
		return "", err
	}
	return s.Solver.Version(ctx, s.programs)
}
