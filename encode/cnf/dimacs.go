package cnf

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
)

// WriteDIMACS writes the formula as DIMACS CNF. If order is not nil, it holds
// every variable once, and a comment line "c VAR NAME" for each comes first, in
// that order. Readers of ordered DIMACS take the variable order from these
// lines, and plain solvers skip them. No other comment is written, since those
// readers reject it.
func (f *Formula) WriteDIMACS(w io.Writer, order []Var, name func(Var) string) error {
	return f.WriteClauses(w, order, name, f.Clauses())
}

// WriteClauses is like [Formula.WriteDIMACS], with the given clauses. f has counted them, and need not keep
// them: see [Stream].
func (f *Formula) WriteClauses(w io.Writer, order []Var, name func(Var) string, clauses iter.Seq[[]Lit]) error {
	b := bufio.NewWriterSize(w, 1<<16)
	for _, v := range order {
		fmt.Fprintf(b, "c %d %s\n", v, name(v))
	}
	fmt.Fprintf(b, "p cnf %d %d\n", f.Vars, f.clauses)
	for clause := range clauses {
		line := b.AvailableBuffer()
		for _, l := range clause {
			line = append(strconv.AppendInt(line, int64(l), 10), ' ')
		}
		b.Write(append(line, "0\n"...))
	}
	return b.Flush()
}
