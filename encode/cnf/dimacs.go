package cnf

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
)

// WriteDIMACS writes the formula as DIMACS CNF. If order is not nil, it holds
// every variable once, and a comment line "c VAR NAME" for each comes first, in
// that order. Readers of ordered DIMACS take the variable order from these
// lines, and plain solvers skip them. No other comment is written, since those
// readers reject it.
func (f *Formula) WriteDIMACS(w io.Writer, order []Var, name func(Var) string) error {
	return f.WriteClauses(w, order, name, f.Clauses())
}

// WriteClauses is like [Formula.WriteDIMACS], with the given clauses. f must have counted them, but need not keep
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
			line = appendLit(line, l)
		}
		b.Write(append(line, "0\n"...))
	}
	return b.Flush()
}

// appendLit appends a literal and a space. It writes the digits in place: with strconv.AppendInt, which
// copies them, encode takes an eighth longer.
func appendLit(line []byte, l Lit) []byte {
	v := uint32(l.Var())
	if l < 0 {
		line = append(line, '-')
	}
	digits := 1
	for rest := v / 10; rest > 0; rest /= 10 {
		digits++
	}
	line = slices.Grow(line, digits+1)
	line = line[:len(line)+digits+1]
	text := line[len(line)-digits-1:]
	text[digits] = ' '
	for digits--; digits >= 0; digits-- {
		text[digits] = '0' + byte(v%10)
		v /= 10
	}
	return line
}
