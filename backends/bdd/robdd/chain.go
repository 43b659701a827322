package robdd

// ChainReduced returns the nodes of the chain-reduced BDD (CBDD) of the same function
// under the same order, terminals not counted: there a node stands for a chain of nodes
// on adjacent levels that share their high child, each the low child of the one above,
// ITE(x_t or ... or x_b, high, low). A node inside a chain remains only if something
// else points to it (Bryant, "Chain Reduction for Binary and Zero-Suppressed Decision
// Diagrams", TACAS 2018, section 3).
//
// d must be a BDD. It takes one bit per node while it runs.
func (d *Diagram) ChainReduced() int {
	needed := make([]uint64, (len(d.nodes)+2)/64+1)
	need := func(id uint32) { needed[id/64] |= 1 << (id % 64) }
	need(d.root)
	count := 0
	for h := len(d.order) - 1; h >= 0; h-- {
		for id := d.first[h]; id < d.first[h+1]; id++ {
			if needed[id/64]>>(id%64)&1 == 0 {
				continue
			}
			count++
			e := d.nodes[id-2]
			need(e.High)
			need(d.chainEnd(h, e))
		}
	}
	return count
}

// chainEnd returns the low child of the last node in the chain that begins with e at
// height h.
func (d *Diagram) chainEnd(h int, e Edges) uint32 {
	low := e.Low
	for ; h > 0 && low >= d.first[h-1] && low < d.first[h]; h-- {
		below := d.nodes[low-2]
		if below.High != e.High {
			break
		}
		low = below.Low
	}
	return low
}
