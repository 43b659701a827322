package robdd

// Graphviz: levels as ranks, low edges dashed, no complement edges.
func (x *exporter) dot() {
	x.printf("digraph %q {\n", x.name)
	x.printf("\trankdir=TB;\n\tnode [fontname=\"Helvetica\"];\n")
	for h := len(x.order) - 1; h >= 0; h-- {
		if x.first[h] == x.first[h+1] {
			continue
		}
		x.printf("\t{ rank=same;")
		for id := x.first[h]; id < x.first[h+1]; id++ {
			x.printf(" n%d [label=%q, shape=circle];", id, x.vars[x.order[len(x.order)-1-h]-1])
		}
		x.printf(" }\n")
	}
	x.printf("\t{ rank=sink;")
	for id := range uint32(2) {
		if len(x.nodes) > 0 || x.root == id {
			x.printf(" n%d [label=\"%d\", shape=box];", id, id)
		}
	}
	x.printf(" }\n")
	for id := uint32(len(x.nodes) + 1); id >= 2; id-- {
		e := x.nodes[id-2]
		x.printf("\tn%d -> n%d [style=dashed];\n\tn%d -> n%d;\n", id, e.Low, id, e.High)
	}
	x.printf("}\n")
}
