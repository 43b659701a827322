package robdd

import "slices"

// DDDMP-2.0, text mode, in its two dialects (the format of CUDD's dddmp library).
// Loading one dialect as the other fails silently, so they are two formats here.

// dddmpHeader writes everything before the nodes and returns, by height, the
// position of each level's variable in the support, sorted by level.
func (x *exporter) dddmpHeader(varinfo, nodes, root int) []int {
	var support []Var // by level
	index := make([]int, len(x.order))
	for level, w := range x.Widths() {
		index[len(x.order)-1-level] = len(support)
		if w > 0 {
			support = append(support, x.order[level])
		}
	}
	byVar := slices.Sorted(slices.Values(support))
	x.printf(".ver DDDMP-2.0\n.mode A\n.varinfo %d\n.dd %s\n.nnodes %d\n.nvars %d\n.nsuppvars %d\n", varinfo, x.name,
		nodes, len(x.order), len(support))
	x.printf(".suppvarnames")
	for _, v := range byVar {
		x.printf(" %s", x.vars[v-1])
	}
	x.printf("\n.orderedvarnames")
	for _, v := range x.order {
		x.printf(" %s", x.vars[v-1])
	}
	x.printf("\n.ids")
	for _, v := range byVar {
		x.printf(" %d", v-1)
	}
	x.printf("\n.permids")
	for _, v := range byVar {
		x.printf(" %d", x.levels[v-1])
	}
	x.printf("\n.nroots 1\n.rootids %d\n.nodes\n", root)
	return index
}

// dddmp writes the complement dialect: node 1 is the terminal, THEN is never
// complemented, a negative ELSE is.
func (x *exporter) dddmp() error {
	c, err := x.complementForm()
	if err != nil {
		return err
	}
	number := func(e signed) int {
		if e.complement() {
			return -int(e.node()) - 1
		}
		return int(e.node()) + 1
	}
	index := x.dddmpHeader(0, len(c.low)+1, number(c.root))
	x.printf("1 T 1 0 0\n")
	for h := range x.order {
		v := x.order[len(x.order)-1-h]
		for i := c.first[h]; i < c.first[h+1]; i++ {
			x.printf("%d %d %d %d %d\n", i+1, v-1, index[h], number(c.high[i-1]), number(c.low[i-1]))
		}
	}
	x.printf(".end\n")
	return nil
}

// dddmpPlain writes the dialect without complement edges: nodes 1 and 2 are the
// terminals.
func (x *exporter) dddmpPlain() {
	index := x.dddmpHeader(4, len(x.nodes)+2, int(x.root)+1)
	x.printf("1 F 0 0\n2 T 0 0\n")
	for h := range x.order {
		for id := x.first[h]; id < x.first[h+1]; id++ {
			e := x.nodes[id-2]
			x.printf("%d %d %d %d\n", id+1, index[h], e.High+1, e.Low+1)
		}
	}
	x.printf(".end\n")
}
