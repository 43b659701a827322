package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"queens/backends"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// LiteralQuestion asks about one literal of any problem.
type LiteralQuestion struct {
	Assumed []cnf.Lit
	Literal cnf.Lit
	// Constraints asks for constraints to blame, too.
	Constraints bool
	// Smallest is how long to look for the fewest to blame, of literals and again of constraints,
	// once a minimal set is found; 0 means not at all.
	Smallest time.Duration
}

// Reason says why a literal can or cannot be true.
type Reason struct {
	Literal cnf.Lit
	// Witness is a solution with the literal and all that is assumed, as a model; nil if there is
	// none. The other fields are then empty.
	Witness []cnf.Lit
	// Blame is a minimal set of the assumed literals that rules the literal out: take any one of them
	// back and the rest no longer do. It is empty when no solution has the literal, whatever is assumed.
	Blame []cnf.Lit
	// Smallest says that it is proved that no set of fewer assumed literals rules it out.
	Smallest bool
	// Constraints holds a minimal set of constraints, by index, that have no solution with Blame
	// and the literal; nil unless asked for. ConstraintsSmallest says that no fewer do.
	Constraints         []int
	ConstraintsSmallest bool
	// Steps lead by unit propagation from Blame to the literal's negation or, if Supposed, from
	// Blame and the literal to a contradiction. They are empty where that takes search.
	Steps    []Inference
	Supposed bool
}

// Inference is a step of unit propagation.
type Inference struct {
	Literal    cnf.Lit   // that follows; 0 for the contradiction
	Constraint int       // by index, from which it follows
	Because    []cnf.Lit // the true literals that make it follow, in the constraint's order
}

// Literal says why a literal can or cannot be true together with the assumed ones. Open opens a
// back-end for a problem: for p itself, and for others that are made of its constraints.
func Literal(
	ctx context.Context, p encode.Problem, open func(encode.Problem) (backends.Backend, error), q LiteralQuestion,
) (Reason, error) {
	r := Reason{Literal: q.Literal}
	fail := func(err error) (Reason, error) {
		return Reason{}, fmt.Errorf("explaining %s of %s: %w", literalName(p, q.Literal), p, err)
	}
	if err := p.CheckAssumptions(append([]cnf.Lit{q.Literal}, q.Assumed...)); err != nil {
		return Reason{}, err
	}
	assumed := others(q.Assumed, q.Literal)
	solver, err := open(p)
	if err != nil {
		return fail(err)
	}
	literals := &culprits{solver: solver, always: []cnf.Lit{q.Literal}, all: assumed}
	model, core, err := literals.ask(ctx, assumed)
	if err != nil {
		return fail(err)
	}
	if model != nil {
		r.Witness = model
		return r, p.With(append(assumed, q.Literal)...).Verify(model)
	}
	// What unit propagation uses is a better start than a solver's core.
	if steps, _ := story(p, assumed, q.Literal); steps != nil {
		core = literals.among(given(steps))
	}
	if r.Blame, r.Smallest, err = literals.find(ctx, core, q.Smallest); err != nil {
		return fail(err)
	}
	r.Steps, r.Supposed = story(p, r.Blame, q.Literal)
	if q.Constraints {
		r.Constraints, r.ConstraintsSmallest, err = constraints(ctx, p, open, r, q.Smallest)
	}
	if err != nil {
		return fail(err)
	}
	return r, nil
}

// others returns the literals without a given one, each once.
func others(lits []cnf.Lit, without cnf.Lit) []cnf.Lit {
	seen := map[cnf.Lit]bool{without: true}
	return slices.DeleteFunc(slices.Clone(lits), func(l cnf.Lit) bool {
		known := seen[l]
		seen[l] = true
		return known
	})
}

// constraints looks for few constraints that have no solution with what is to blame. Each clause
// of a constraint gets the negation of a new variable, which switches the constraint on when it
// is assumed. Where steps refute the literal, their constraints are where the search begins.
func constraints(
	ctx context.Context, p encode.Problem, open func(encode.Problem) (backends.Backend, error), r Reason, within time.Duration,
) ([]int, bool, error) {
	switched := encode.Problem{Family: p.Family, Fixed: p.Fixed}
	switches := &culprits{always: append([]cnf.Lit{r.Literal}, r.Blame...)}
	vars := p.AllVars()
	for range p.Constraints {
		vars++
		switches.all = append(switches.all, cnf.Lit(vars))
	}
	for i, c := range p.Constraints {
		f := &cnf.Formula{Vars: vars} // auxiliary variables are new ones
		if c.Bound != encode.AtMostOne {
			f.Add(c.Lits...)
		}
		if c.Bound != encode.AtLeastOne {
			amo.Default(len(c.Lits)*(len(c.Lits)-1)/2).Encode(f, c.Lits)
		}
		for clause := range f.Clauses() {
			lits := append([]cnf.Lit{switches.all[i].Not()}, clause...)
			switched.Constraints = append(switched.Constraints, encode.Constraint{Lits: lits})
		}
		vars = f.Vars
	}
	switched.Names = make(encode.List, vars)
	solver, err := open(switched)
	if err != nil {
		return nil, false, err
	}
	switches.solver = solver
	core := []cnf.Lit{}
	for _, s := range r.Steps {
		core = append(core, switches.all[s.Constraint])
	}
	slices.Sort(core)
	if core = slices.Compact(core); len(core) == 0 {
		if _, core, err = switches.ask(ctx, switches.all); err != nil {
			return nil, false, err
		}
	}
	found, smallest, err := switches.find(ctx, core, within)
	slices.Sort(found)
	indices := make([]int, len(found))
	for i, l := range found {
		indices[i] = int(l) - p.AllVars() - 1
	}
	return indices, smallest, err
}

// story refutes a literal by unit propagation: from the given literals alone, or else by supposing
// the literal. Steps are nil if neither does.
func story(p encode.Problem, lits []cnf.Lit, refuted cnf.Lit) (steps []Inference, supposed bool) {
	if steps = infer(p, lits, refuted.Not()); steps != nil {
		return steps, false
	}
	return infer(p, append(slices.Clone(lits), refuted), 0), true
}

// given returns the literals that steps use without showing that they follow.
func given(steps []Inference) []cnf.Lit {
	shown := make(map[cnf.Lit]bool)
	var lits []cnf.Lit
	for _, s := range steps {
		for _, l := range s.Because {
			if !shown[l] {
				lits = append(lits, l)
			}
		}
		shown[s.Literal] = true
	}
	return lits
}

// Sentence puts the reason in one sentence, without a full stop.
func (r *Reason) Sentence(p encode.Problem) string {
	name := literalName(p, r.Literal)
	switch {
	case r.Witness != nil:
		return name + " is possible"
	case len(r.Blame) == 0:
		return name + " is in no solution, whatever is assumed"
	}
	return fmt.Sprintf("%s is ruled out by %s", name, and(literalNames(p, r.Blame)))
}

// Sentence describes the step in words, without a full stop.
func (i Inference) Sentence(p encode.Problem) string {
	what := "a contradiction"
	if i.Literal != 0 {
		what = literalName(p, i.Literal)
	}
	if len(i.Because) == 0 {
		return fmt.Sprintf("%s: %s", what, Words(p, i.Constraint))
	}
	return fmt.Sprintf("%s, because of %s: %s", what, and(literalNames(p, i.Because)), Words(p, i.Constraint))
}

// Words describes a constraint: what it says, and its name.
func Words(p encode.Problem, constraint int) string {
	c := p.Constraints[constraint]
	var positive, negative []string
	for _, l := range c.Lits {
		if l > 0 {
			positive = append(positive, p.VarName(l.Var()))
		} else {
			negative = append(negative, p.VarName(l.Var()))
		}
	}
	bound := [...]string{"at least one of ", "at most one of ", "exactly one of "}[c.Bound]
	text := bound + strings.Join(literalNames(p, c.Lits), ", ")
	switch {
	case c.Bound == encode.AtMostOne && len(c.Lits) == 2 && len(positive) == 2:
		text = fmt.Sprintf("%s excludes %s", positive[0], positive[1])
	case c.Bound == encode.AtMostOne:
	case len(c.Lits) == 1:
		text = literalName(p, c.Lits[0]) + " holds"
	case len(negative) != 1:
	case c.Bound == encode.ExactlyOne:
		text = fmt.Sprintf("%s has exactly one of %s, and they need it", negative[0], strings.Join(positive, ", "))
	case len(positive) == 1:
		text = fmt.Sprintf("%s needs %s", negative[0], positive[0])
	default:
		text = fmt.Sprintf("%s needs one of %s", negative[0], strings.Join(positive, ", "))
	}
	if c.Name == "" {
		return fmt.Sprintf("%s (constraint %d)", text, constraint+1)
	}
	return fmt.Sprintf("%s (%s)", text, c.Name)
}

// literalNames returns the literals' names for people.
func literalNames(p encode.Problem, lits []cnf.Lit) []string {
	var names []string
	for _, l := range lits {
		names = append(names, literalName(p, l))
	}
	return names
}

func literalName(p encode.Problem, l cnf.Lit) string {
	if l < 0 {
		return "not " + p.VarName(l.Var())
	}
	return p.VarName(l.Var())
}

func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
