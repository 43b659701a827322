package encode

import (
	"io"
	"slices"

	"queens/encode/cnf"
)

// ReadCNF reads a DIMACS CNF file as a problem, with the variable order given by its comments: "c VAR
// NAME" for every variable, top of the order first, as [cnf.Formula.WriteDIMACS] writes them. The
// comments may name only some variables; comments that contradict each other name nothing, and the problem's
// note says so. order is nil if they do not name all, or name them by rising
// number, which says nothing about an order. The constraints are the file's clauses, except that
// at-most-one and exactly-one constraints written as pairs are recovered; a constraint is named after its
// lines. A formula that encodes a family's board becomes that board. If the file lists the variables that
// count, these are the problem's own, and the others are auxiliary unless resolution eliminates them.
// Errors name the place as file:line.
func ReadCNF(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	return readCNF(r, file, true, false)
}

// ReadProvableCNF is [ReadCNF] without resolution: each clause that a constraint stands for follows by unit propagation
// from the clauses of the file, as a proof needs it.
func ReadProvableCNF(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	return readCNF(r, file, false, false)
}

// ReadWholeCNF is [ReadCNF] with every variable of the file as one of the problem's own, even if the file
// lists the variables that count: its solutions are the models of the file.
func ReadWholeCNF(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	return readCNF(r, file, false, true)
}

// readCNF reads a file. If eliminate is set, it eliminates auxiliary variables; if all is set, there are none.
func readCNF(r io.Reader, file string, eliminate, all bool) (p Problem, order []cnf.Var, err error) {
	f, err := cnf.ReadDIMACS(r, file)
	if err != nil {
		return Problem{}, nil, err
	}
	f.Projected = f.Projected && !all
	p = Problem{Family: "cnf"}
	names, order, note := named(f.Vars, f.Comments, file)
	p.Note = note
	if f.Weighted != "" {
		p.Weighted = file + ":" + f.Weighted
	}
	own := project(&p, f, names, order)
	clauses := sets(f, own)
	if p.Auxiliary > 0 {
		if eliminate {
			clauses = flat(eliminated(f.Vars, p.NumVars(), clauses.list()))
			p.dropUnused(clauses)
		}
		order = slices.DeleteFunc(order, func(v cnf.Var) bool { return int(v) > p.NumVars() })
	}
	p.Constraints = recovered(clauses)
	return asBoard(p), whole(order, p.NumVars()), nil
}

// clauses are those of a file. The literals of each are sorted and of distinct variables.
type clauses struct {
	cnf.Clauses
	first, last []int32 // by clause: the lines that it comes from
}

// sets makes the file's clauses sets of literals, in place, and leaves out those that are always
// true. own holds the new number of each variable; nil if none changes.
func sets(f *cnf.File, own []cnf.Var) (c clauses) {
	if own != nil {
		renumber(f.Lits, own)
	}
	kept, begins, lines := 0, f.Begins[:1], f.Lines[:0]
	from := 0
	for i, end := range f.Begins[1:] {
		lits := f.Lits[from:end]
		if len(lits) == 2 && lits[0] > lits[1] { // most clauses of a large file are pairs
			lits[0], lits[1] = lits[1], lits[0]
		}
		if !increasing(lits) {
			slices.Sort(lits)
			lits = slices.Compact(lits)
		}
		if !tautology(lits) {
			if kept < from {
				copy(f.Lits[kept:], lits)
			}
			kept += len(lits)
			begins, lines = append(begins, int32(kept)), append(lines, f.Lines[i])
		}
		from = int(end)
	}
	c.Lits, c.Begins = f.Lits[:kept], begins
	c.first, c.last = lines, lines
	return c
}

// increasing reports whether each number or literal is larger than the one before.
func increasing[T ~int32](list []T) bool {
	for i := 1; i < len(list); i++ {
		if list[i-1] >= list[i] {
			return false
		}
	}
	return true
}

// tautology reports whether sorted literals contain a variable and its negation.
func tautology(lits []cnf.Lit) bool {
	for len(lits) > 1 {
		switch last := len(lits) - 1; {
		case lits[0] == -lits[last]:
			return true
		case lits[0] < -lits[last]:
			lits = lits[1:]
		default:
			lits = lits[:last]
		}
	}
	return false
}

// list returns the clauses one by one, and flat is its inverse.
func (c clauses) list() []clause {
	list := make([]clause, c.Len())
	for i := range list {
		list[i] = clause{c.At(i), c.first[i], c.last[i]}
	}
	return list
}

func flat(list []clause) (c clauses) {
	c.Begins = []int32{0}
	for _, one := range list {
		c.Lits = append(c.Lits, one.lits...)
		c.Begins = append(c.Begins, int32(len(c.Lits)))
		c.first, c.last = append(c.first, one.first), append(c.last, one.last)
	}
	return c
}

// project makes the file's variables that count the problem's own, numbered first, and the others
// auxiliary. It renumbers order, and returns the problem's number of each variable of the file, or nil if
// no number changes.
func project(p *Problem, f *cnf.File, names List, order []cnf.Var) (own []cnf.Var) {
	p.Names, p.Projected = names, f.Projected
	if !f.Projected || len(f.Shown) == f.Vars {
		return nil
	}
	p.Auxiliary, p.FileNames = f.Vars-len(f.Shown), names
	if count := len(f.Shown); count == 0 || int(f.Shown[count-1]) == count { // the first ones
		p.Names = names[:count:count]
		return nil
	}
	own = make([]cnf.Var, f.Vars)
	shown := make(List, 0, len(f.Shown))
	for _, v := range f.Shown {
		shown, p.Numbers = append(shown, names.Name(v)), append(p.Numbers, v)
		own[v-1] = cnf.Var(len(p.Numbers))
	}
	for i, is := range own {
		if is == 0 {
			p.Numbers = append(p.Numbers, cnf.Var(i+1))
			own[i] = cnf.Var(len(p.Numbers))
		}
	}
	p.Names = shown
	for i, v := range order {
		order[i] = own[v-1]
	}
	return own
}

// dropUnused drops the auxiliary variables that no clause contains, and closes the gaps in the numbers.
func (p *Problem) dropUnused(c clauses) {
	own, all := p.NumVars(), p.AllVars()
	number := make([]cnf.Var, all)
	for v := range cnf.Var(own) {
		number[v] = v + 1
	}
	for _, l := range c.Lits {
		number[l.Var()-1] = l.Var()
	}
	var numbers []cnf.Var
	for i, v := range number {
		if v > 0 {
			numbers = append(numbers, p.Number(v))
			number[i] = cnf.Var(len(numbers))
		}
	}
	if len(numbers) == all {
		return
	}
	renumber(c.Lits, number) // each clause stays sorted
	if p.Auxiliary = len(numbers) - own; p.Auxiliary > 0 || p.Numbers != nil {
		p.Numbers = numbers
	}
}

// renumber replaces the variable v of each literal by number[v-1].
func renumber(lits []cnf.Lit, number []cnf.Var) {
	for i, l := range lits {
		lits[i] = number[l.Var()-1].Lit(l.Positive())
	}
}

// whole returns the order if it holds all variables and is not by rising number, otherwise nil.
func whole(order []cnf.Var, vars int) []cnf.Var {
	if len(order) < vars || slices.IsSorted(order) {
		return nil
	}
	return order
}

// asBoard returns the family's problem if the variables of p are the cells of a board, by name,
// and its constraints those of a family; otherwise p.
func asBoard(p Problem) Problem {
	n := 0
	for n*n < p.NumVars() {
		n++
	}
	if n*n != p.NumVars() || n > MaxN || n == 0 || p.Auxiliary > 0 || p.Numbers != nil {
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
			q.Projected, q.Note, q.Weighted = p.Projected, p.Note, p.Weighted
			return q
		}
	}
	return p
}

// sameConstraint reports whether two constraints say the same of the same literals.
func sameConstraint(a, b Constraint) bool { return key(a, a.Lits) == key(b, b.Lits) }
