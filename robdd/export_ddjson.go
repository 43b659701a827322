package robdd

import "strconv"

// ddJSON writes the JSON of dd for Python: one entry per line, complement edges as negative numbers,
// nodes numbered from 2.
func (x *exporter) ddJSON() error {
	c, err := x.complementForm()
	if err != nil {
		return err
	}
	number := func(e signed) string {
		switch {
		case e == 0:
			return `"T"`
		case e == 1:
			return `"F"`
		case e.complement():
			return strconv.Itoa(-int(e.node()) - 1)
		}
		return strconv.Itoa(int(e.node()) + 1)
	}
	x.printf("{\n\"level_of_var\": {")
	for level, v := range x.order {
		if level > 0 {
			x.printf(", ")
		}
		x.printf("%q: %d", x.vars[v-1], level)
	}
	x.printf("},\n\"roots\": {%q: %s}", x.name, number(c.root))
	for h := range x.order {
		for i := c.first[h]; i < c.first[h+1]; i++ {
			x.printf(",\n\"%d\": [%d, %s, %s]", i+1, len(x.order)-1-h, number(c.low[i-1]), number(c.high[i-1]))
		}
	}
	x.printf("\n}\n")
	return nil
}
