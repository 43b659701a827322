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
	if order != nil {
		if err := f.checkOrder(order); err != nil {
			return fmt.Errorf("writing DIMACS: %w", err)
		}
	}
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

func (f *Formula) checkOrder(order []Var) error {
	if len(order) != f.Vars {
		return fmt.Errorf("the order holds %d variables, the formula has %d", len(order), f.Vars)
	}
	seen := make([]bool, f.Vars)
	for _, v := range order {
		if v < 1 || int(v) > f.Vars {
			return fmt.Errorf("the order holds variable %d, the formula has 1..%d", v, f.Vars)
		}
		if seen[v-1] {
			return fmt.Errorf("the order holds variable %d twice", v)
		}
		seen[v-1] = true
	}
	return nil
}
