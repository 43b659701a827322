package encode

import (
	"fmt"
	"io"
	"slices"

	"queens/encode/cnf"
)

// ReadCNF reads a DIMACS CNF file as a problem whose constraints are its clauses, and
// the variable order that its comments give: "c VAR NAME" for every variable, top of
// the order first, as [cnf.Formula.WriteDIMACS] writes them. order is nil unless the
// comments name every variable; naming only some of them is allowed. Errors name the
// place as file:line.
func ReadCNF(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	f, comments, err := cnf.ReadDIMACS(r, file)
	if err != nil {
		return Problem{}, nil, err
	}
	names := make(List, f.Vars)
	first := map[string]int{} // name -> line
	seen := make([]bool, f.Vars)
	for _, c := range comments {
		if int(c.Var) > f.Vars {
			continue // a remark that begins with a number
		}
		if line, twice := first[c.Name]; twice {
			return Problem{}, nil, fmt.Errorf("%s:%d: the name %q is given twice, first on line %d", file, c.Line,
				c.Name, line)
		}
		first[c.Name] = c.Line
		if seen[c.Var-1] {
			return Problem{}, nil, fmt.Errorf("%s:%d: variable %d is named twice", file, c.Line, c.Var)
		}
		seen[c.Var-1] = true
		names[c.Var-1] = c.Name
		order = append(order, c.Var)
	}
	if len(order) < f.Vars {
		order = nil
	}
	p = Problem{Family: "cnf", Names: names}
	for clause := range f.Clauses() {
		lits := slices.Clone(clause)
		slices.Sort(lits)
		lits = slices.Compact(lits)
		if tautology(lits) {
			continue
		}
		p.Constraints = append(p.Constraints, Constraint{Bound: AtLeastOne, Lits: lits})
	}
	return p, order, nil
}

// tautology reports whether a variable occurs with both signs in sorted literals.
func tautology(lits []cnf.Lit) bool {
	for _, l := range lits {
		if l > 0 {
			break
		}
		if _, both := slices.BinarySearch(lits, l.Not()); both {
			return true
		}
	}
	return false
}
