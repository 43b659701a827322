package mdd

import (
	"bufio"
	"fmt"
	"io"
)

// DOT writes the diagram for Graphviz: a rank of nodes for each line, and an edge for each value, with its variable's name.
// The words along a path from the top to the terminal are the variables that are true in one solution.
func (d *Diagram) DOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph %q {\n\tnode [fontname=\"Helvetica\", label=\"\", shape=circle];\n\tedge [fontname=\"Helvetica\"];\n", d.problem.String())
	for r, line := range d.lines {
		fmt.Fprint(out, "\t{ rank=same;")
		for at := range d.level(r) {
			fmt.Fprintf(out, " n%d;", at)
		}
		fmt.Fprintln(out, " }")
		for at, n := range d.level(r) {
			for value, v := range line {
				if bit := uint64(1) << value; n.values()&bit != 0 {
					fmt.Fprintf(out, "\tn%d -> n%d [label=%q];\n", at, n.child(bit), d.problem.VarName(v))
				}
			}
		}
	}
	if !d.empty {
		fmt.Fprintf(out, "\t{ rank=sink; n%d [label=\"1\", shape=box]; }\n", d.first[len(d.lines)])
	}
	fmt.Fprintln(out, "}")
	return out.Flush() // a bufio.Writer keeps its first error until here
}
