package robdd

// buddy writes BuDDy's text format, as bdd_save writes it and bdd_load reads it.
func (x *exporter) buddy() {
	if x.root < 2 {
		x.printf("0 0 %d\n", x.root)
		return
	}
	x.printf("%d %d\n", len(x.nodes), len(x.order))
	for i, level := range x.levels {
		if i > 0 {
			x.printf(" ")
		}
		x.printf("%d", level)
	}
	x.printf("\n")
	for h := range x.order {
		v := x.order[len(x.order)-1-h]
		for id := x.first[h]; id < x.first[h+1]; id++ {
			e := x.nodes[id-2]
			x.printf("%d %d %d %d\n", id, v-1, e.Low, e.High)
		}
	}
}
