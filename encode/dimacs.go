package encode

import (
	"fmt"
	"io"
	"slices"

	"queens/encode/cnf"
)

// ReadCNF reads a DIMACS CNF file as a problem, and the variable order that its comments
// give: "c VAR NAME" for every variable, top of the order first, as
// [cnf.Formula.WriteDIMACS] writes them. order is nil unless the comments name every
// variable; naming only some of them is allowed. The constraints are the file's clauses,
// save that at-most-one and exactly-one constraints that were written in pairs are found
// again; their names are their lines. Errors name the place as file:line.
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
	lits := make([]cnf.Lit, 0, len(f.Flat())) // of all clauses
	i := 0
	for given := range f.Clauses() {
		start := len(lits)
		lits = append(lits, given...)
		slices.Sort(lits[start:])
		kept := slices.Compact(lits[start:])
		lits = lits[:start+len(kept)]
		if !tautology(kept) {
			clauses = append(clauses, clause{slices.Clip(kept), f.Lines[i]})
		}
		i++
	}
	p.Constraints = recovered(f.Vars, clauses)
	return p, order, nil
}

// named returns the names that a file's comments give to its variables, and their order if
// they name all.
func named(vars int, comments []cnf.Comment, file string) (names List, order []cnf.Var, err error) {
	names = make(List, vars)
	first := map[string]int{} // name -> line
	seen := make([]bool, vars)
	for _, c := range comments {
		if int(c.Var) > vars {
			continue // a remark that begins with a number
		}
		if line, twice := first[c.Name]; twice {
			return nil, nil, fmt.Errorf("%s:%d: the name %q is given twice, first on line %d", file, c.Line, c.Name, line)
		}
		first[c.Name] = c.Line
		if seen[c.Var-1] {
			return nil, nil, fmt.Errorf("%s:%d: variable %d is named twice", file, c.Line, c.Var)
		}
		seen[c.Var-1] = true
		names[c.Var-1] = c.Name
		order = append(order, c.Var)
	}
	if len(order) < vars {
		order = nil
	}
	return names, order, nil
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
