package encode

import (
	"fmt"
	"io"
	"slices"

	"queens/encode/cnf"
)

// ReadCNF reads a DIMACS CNF file as a problem, and the variable order that its comments
// give: "c VAR NAME" for every variable, top of the order first, as
// [cnf.Formula.WriteDIMACS] writes them. Naming only some variables is allowed. order is nil
// if the comments do not name all, or go by number, which says nothing about an order. The
// constraints are the file's clauses, save that at-most-one and exactly-one constraints that
// were written in pairs are found again; their names are their lines. A board is that board
// again. Errors name the place as file:line.
func ReadCNF(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	f, err := cnf.ReadDIMACS(r, file)
	if err != nil {
		return Problem{}, nil, err
	}
	p = Problem{Family: "cnf"}
	if p.Names, order, err = named(f.Vars, f.Comments, file); err != nil {
		return Problem{}, nil, err
	}
	clauses := make([]clause, 0, f.NumClauses())
	lits := make([]cnf.Lit, 0, f.NumLiterals()) // of all clauses
	i := 0
	for given := range f.Clauses() {
		start := len(lits)
		lits = append(lits, given...)
		slices.Sort(lits[start:])
		kept := slices.Compact(lits[start:])
		lits = lits[:start+len(kept)]
		tautology := slices.ContainsFunc(kept, func(l cnf.Lit) bool {
			_, both := slices.BinarySearch(kept, l.Not())
			return both
		})
		if !tautology {
			clauses = append(clauses, clause{slices.Clip(kept), f.Lines[i]})
		}
		i++
	}
	p.Constraints = recovered(f.Vars, clauses)
	return asBoard(p), order, nil
}

// named returns the names that a file's comments give to its variables, and their order if
// they name all, and not by number.
func named(vars int, comments []cnf.Comment, file string) (names List, order []cnf.Var, err error) {
	names = make(List, vars)
	first := map[string]int{} // name -> line
	for _, c := range comments {
		if int(c.Var) > vars {
			continue // a remark that begins with a number
		}
		if line, twice := first[c.Name]; twice {
			return nil, nil, fmt.Errorf("%s:%d: the name %q is given twice, first on line %d", file, c.Line, c.Name, line)
		}
		first[c.Name] = c.Line
		if names[c.Var-1] != "" {
			return nil, nil, fmt.Errorf("%s:%d: variable %d is named twice", file, c.Line, c.Var)
		}
		names[c.Var-1] = c.Name
		order = append(order, c.Var)
	}
	if len(order) < vars || slices.IsSorted(order) {
		order = nil
	}
	return names, order, nil
}

// asBoard returns the family's problem if the variables of p are the cells of a board, by name,
// and its constraints those of a family; otherwise p.
func asBoard(p Problem) Problem {
	n := 0
	for n*n < p.NumVars() {
		n++
	}
	if n*n != p.NumVars() || n > MaxN || n == 0 {
		return p
	}
	for v := range cnf.Var(n * n) {
		if p.Names.Name(v+1) != Cells(n).Name(v+1) {
			return p
		}
	}
	for _, f := range Families() {
		if small, err := f.Build(1); err != nil || !small.IsBoard() {
			continue
		}
		if q, err := f.Build(n); err == nil && slices.EqualFunc(p.Constraints, q.Constraints, sameConstraint) {
			return q
		}
	}
	return p
}

// sameConstraint reports whether two constraints have the same bound and literals, those of a
// sorted.
func sameConstraint(a, b Constraint) bool {
	return a.Bound == b.Bound && slices.Equal(a.Lits, slices.Sorted(slices.Values(b.Lits)))
}
