package encode

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// Pairs returns the number of pairs of literals that exclude each other, summed
// over the constraints.
func (p Problem) Pairs() int {
	pairs := 0
	for _, c := range p.Constraints {
		if c.Excludes() {
			pairs += len(c.Lits) * (len(c.Lits) - 1) / 2
		}
	}
	return pairs
}

// CNF lowers the problem to clauses: those of [amo.Encoding.Count] for each
// constraint, and a unit clause for each fixed literal. The formula's models,
// projected to the problem's variables, are the solutions.
func (p Problem) CNF(e amo.Encoding) *cnf.Formula {
	return p.lower(&cnf.Formula{Vars: p.AllVars()}, e)
}

func (p Problem) lower(f *cnf.Formula, e amo.Encoding) *cnf.Formula {
	for i, c := range p.Constraints {
		f.Rename(func(name string) string { return p.ConstraintName(i) + ": " + name }, func() {
			c.Lower(f, e)
		})
	}
	for _, unit := range p.Fixed {
		f.Add(unit)
	}
	return f
}

// Lower adds the constraint's clauses to a formula.
func (c *Constraint) Lower(f *cnf.Formula, e amo.Encoding) {
	if c.Weights != nil {
		e.Weigh(f, c.Lits, c.Weights, c.Least, c.Most)
	} else {
		e.Count(f, c.Lits, c.Least, c.Most)
	}
}

// Counting returns the problem without weights, for those who do not hold them: clauses, with auxiliary variables, stand
// for each constraint that has weights. It has the same solutions.
func (p Problem) Counting(e amo.Encoding) Problem {
	return p.without(e, func(c *Constraint) bool { return c.Weights != nil })
}

// without returns the problem with clauses in place of some constraints.
func (p Problem) without(e amo.Encoding, some func(*Constraint) bool) Problem {
	before, own := p.Constraints, p.AllVars()
	first := 0
	for first < len(before) && !some(&before[first]) {
		first++
	}
	if first == len(before) {
		return p
	}
	vars := own
	p.Constraints = append(make([]Constraint, 0, len(before)), before[:first]...)
	for i := first; i < len(before); i++ {
		c := &before[i]
		if !some(c) {
			p.Constraints = append(p.Constraints, *c)
			continue
		}
		name := cmp.Or(c.Name, fmt.Sprintf("constraint %d", i+1))
		f := &cnf.Formula{Vars: vars}
		c.Lower(f, e)
		vars = f.Vars
		for clause := range f.Clauses() {
			p.Constraints = append(p.Constraints, AtLeastOne(name, clause...))
		}
	}
	p.Auxiliary += vars - own
	if p.Numbers != nil {
		next := slices.Max(append([]cnf.Var{0}, p.Numbers...)) + 1
		for p.Numbers = slices.Clone(p.Numbers); len(p.Numbers) < vars; next++ {
			p.Numbers = append(p.Numbers, next)
		}
	}
	return p
}

// ConstraintName returns a constraint's name for people: its own, or its number.
func (p Problem) ConstraintName(constraint int) string {
	if name := p.Constraints[constraint].Name; name != "" {
		return name
	}
	return fmt.Sprintf("constraint %d", constraint+1)
}

// Counters names the encodings that lowering with e uses for constraints with weights and for those that count beyond
// one, each encoding once.
func (p Problem) Counters(e amo.Encoding) (names []string) {
	for _, c := range p.Constraints {
		by := []string{e.Weighing().Name}
		if c.Weights == nil {
			by = e.Counters(len(c.Lits), c.Least, c.Most)
		}
		for _, name := range by {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// HasAuxiliary reports whether the problem's clauses with [amo.Pairwise] have auxiliary variables: its own, or those of
// encodings for weights and for bounds that would take too many clauses. A program that does not project to the variables
// of "c p show" would count those, too.
func (p Problem) HasAuxiliary() bool {
	return p.Auxiliary > 0 || slices.ContainsFunc(p.Constraints, func(c Constraint) bool {
		if c.Weights == nil && len(amo.Pairwise.Counters(len(c.Lits), c.Least, c.Most)) == 0 {
			return false
		}
		f := cnf.Stream(nil)
		f.Vars = p.NumVars()
		c.Lower(f, amo.Pairwise)
		return f.Vars > p.NumVars()
	})
}

// WriteDIMACS writes the problem's clauses in DIMACS CNF, with an at-most-one encoding. If the problem
// was read from a file, the variables have the numbers of that file. If order is not nil, it holds every
// variable of the problem once, and comments give names and order. If there are auxiliary variables, "c p
// show" lists the variables that count, as in the Model Counting Competition. If the clauses have more than [mostKept] literals,
// they are made twice, to count and to write them, and not kept: pairwise has 45 million clauses at n = 300, half a gigabyte.
func (p Problem) WriteDIMACS(w io.Writer, e amo.Encoding, order []cnf.Var) error {
	q := p.numbered()
	f := cnf.Keep(mostKept)
	f.Vars = q.AllVars()
	if order != nil {
		f.KeepNames()
	}
	q.lower(f, e)
	clauses := f.Clauses()
	if f.Dropped() {
		clauses = func(yield func([]cnf.Lit) bool) {
			more := true
			again := cnf.Stream(func(clause []cnf.Lit) { more = more && yield(clause) })
			again.Vars = q.AllVars()
			q.lower(again, e)
		}
	}
	if f.Vars > p.NumVars() {
		line := []byte("c p show ")
		for v := range cnf.Var(p.NumVars()) {
			line = append(strconv.AppendInt(line, int64(p.Number(v+1)), 10), ' ')
		}
		if _, err := w.Write(append(line, "0\n"...)); err != nil {
			return err
		}
	}
	if order == nil {
		return f.WriteClauses(w, nil, nil, clauses)
	}
	first := make([]cnf.Var, 0, f.Vars)
	written := make([]bool, f.Vars)
	for _, v := range order {
		first = append(first, p.Number(v))
		written[p.Number(v)-1] = true
	}
	for i, is := range written { // auxiliary variables last
		if !is {
			first = append(first, cnf.Var(i+1))
		}
	}
	taken := map[string]bool{}
	return f.WriteClauses(w, first, func(v cnf.Var) string {
		name, is := f.Name(v)
		if !is || taken[name] { // by a constraint of the same name
			return q.VarName(v)
		}
		taken[name] = true
		return strings.ReplaceAll(name, " ", "_") // some readers of such comments split at spaces
	}, clauses)
}

// mostKept bounds the literals of clauses that are kept to be written: 8 MB. Making the clauses twice takes a fifth longer.
const mostKept = 1 << 21

// numbered returns the problem with the numbers of its file. Auxiliary variables become ordinary ones.
func (p Problem) numbered() Problem {
	if p.Numbers == nil {
		return p
	}
	names := make(List, slices.Max(append([]cnf.Var{0}, p.Numbers...)))
	for v := cnf.Var(1); int(v) <= p.AllVars(); v++ {
		names[p.Number(v)-1] = p.VarName(v)
	}
	q := Problem{Family: p.Family, Names: names, Fixed: slices.Clone(p.Fixed), Constraints: slices.Clone(p.Constraints)}
	renumber(q.Fixed, p.Numbers)
	for i, c := range q.Constraints {
		q.Constraints[i].Lits = slices.Clone(c.Lits)
		renumber(q.Constraints[i].Lits, p.Numbers)
	}
	return q
}
