package near

import (
	"bufio"
	"io"
	"strconv"

	"queens/encode"
	"queens/encode/cnf"
)

// proof writes clauses as DRAT text (Wetzler, Heule and Hunt, DRAT-trim, SAT 2014): each follows from the problem's and the
// ones before by unit propagation. A nil proof writes nothing.
type proof struct {
	w       *bufio.Writer
	problem encode.Problem
	line    []byte
}

func newProof(w io.Writer, p encode.Problem) *proof {
	if w == nil {
		return nil
	}
	return &proof{w: bufio.NewWriter(w), problem: p}
}

// add writes a clause; without literals, it says that there is no solution.
func (p *proof) add(clause ...cnf.Lit) {
	if p != nil {
		p.write("", clause)
	}
}

// remove says that a clause is no longer needed.
func (p *proof) remove(clause ...cnf.Lit) {
	if p != nil {
		p.write("d ", clause)
	}
}

// write writes a line. An error of the writer stays until flush.
func (p *proof) write(prefix string, clause []cnf.Lit) {
	p.line = append(p.line[:0], prefix...)
	for _, l := range clause {
		p.line = append(strconv.AppendInt(p.line, int64(p.problem.InFile(l)), 10), ' ')
	}
	p.line = append(p.line, "0\n"...)
	_, _ = p.w.Write(p.line) //nolint:errcheck // flush returns it
}

// flush writes what is left, and returns the first error.
func (p *proof) flush() error {
	if p == nil {
		return nil
	}
	return p.w.Flush()
}
