package robdd

import "math/bits"

// ChainReduced returns the node count of the chain-reduced BDD (CBDD) of the same function in the same
// order, without terminals. There a node stands for a chain of nodes on adjacent levels that share their
// high child, each the low child of the one above: ITE(x_t or ... or x_b, high, low). A node inside a
// chain remains only if something else points to it (Bryant, "Chain Reduction for Binary and
// Zero-Suppressed Decision Diagrams", TACAS 2018, section 3).
//
// d must be a BDD. A node is needed if it is the root, a high child, or a low child that does not
// continue its parent's chain. Links inside a chain make no node needed. The method uses one bit per
// node while it runs.
func (d *Diagram) ChainReduced() int {
	if len(d.nodes) == 0 {
		return 0
	}
	needed := make([]uint64, (len(d.nodes)+2)/64+1)
	needed[d.root/64] |= 1 << (d.root % 64)
	for h := range d.order {
		lo, hi, below := d.first[h], d.first[h+1], max(2, d.below(h))
		for _, e := range d.nodes[lo-2 : hi-2] {
			needed[e.High/64] |= 1 << (e.High % 64)
			if e.Low < below || d.nodes[e.Low-2].High != e.High {
				needed[e.Low/64] |= 1 << (e.Low % 64)
			}
		}
	}
	count := 0
	needed[0] &^= 3 // the terminals
	for _, word := range needed {
		count += bits.OnesCount64(word)
	}
	return count
}
