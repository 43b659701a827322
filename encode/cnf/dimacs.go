package cnf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteDIMACS writes the formula as DIMACS CNF. If order is not nil, it holds
// every variable once, and a comment line "c VAR NAME" for each comes first, in
// that order. Readers of ordered DIMACS take the variable order from these
// lines, and plain solvers skip them. No other comment is written, since those
// readers reject it.
func (f *Formula) WriteDIMACS(w io.Writer, order []Var, name func(Var) string) error {
	b := bufio.NewWriter(w)
	for _, v := range order {
		fmt.Fprintf(b, "c %d %s\n", v, name(v))
	}
	fmt.Fprintf(b, "p cnf %d %d\n", f.Vars, f.clauses)
	var digits []byte
	for _, l := range f.lits {
		digits = strconv.AppendInt(digits[:0], int64(l), 10)
		b.Write(digits)
		if l == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.Flush()
}
