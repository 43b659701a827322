package ddnnf

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"queens/encode/cnf"
)

// DOT writes the graph for Graphviz, the root on top. A leaf lists its literals, and says how many are true unless all are.
func (g *Graph) DOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph %q {\n\tnode [fontname=\"Helvetica\"];\n", g.problem.String())
	for i := g.Len() - 1; i >= 0; i-- {
		switch g.kinds[i] {
		case leaf:
			fmt.Fprintf(out, "\tn%d [label=%q, shape=box];\n", i, g.label(i))
			continue
		case and:
			fmt.Fprintf(out, "\tn%d [label=\"and\", shape=circle];\n", i)
		case or:
			fmt.Fprintf(out, "\tn%d [label=\"or\", shape=circle];\n", i)
		}
		for _, child := range g.of(i) {
			fmt.Fprintf(out, "\tn%d -> n%d;\n", i, child)
		}
	}
	fmt.Fprintln(out, "}")
	return out.Flush() // a bufio.Writer keeps its first error until here
}

// label returns what a leaf says, in lines of equal length.
func (g *Graph) label(node int) string {
	least, most, lits := g.leaf(node)
	var text strings.Builder
	if int(least) < len(lits) {
		fmt.Fprintf(&text, "%d to %d of\n", least, most)
	}
	words := make([]string, len(lits))
	for i, l := range slices.SortedFunc(slices.Values(lits), func(a, b int32) int { return int(cnf.Lit(a).Var() - cnf.Lit(b).Var()) }) {
		words[i] = g.problem.Word(cnf.Lit(l))
	}
	long := int(math.Ceil(math.Sqrt(float64(len(words)))))
	for line := range slices.Chunk(words, max(long, 1)) {
		text.WriteString(strings.Join(line, " ") + "\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}
