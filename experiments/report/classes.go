package report

import (
	"math"
	"slices"
	"strconv"

	"queens/experiments/record"
)

// class returns the value of x at which a record is drawn. For a parameter, that is its value. A number that
// was found is rounded down to a power of two, so that records with about the same number are taken together.
func (d *data) class(r record.Row, x string) string {
	v, ok := r.Number(x)
	if !ok || v < 1 || slices.Contains(d.parameters, x) {
		return r.Cell(x)
	}
	return strconv.FormatFloat(math.Exp2(math.Floor(math.Log2(v))), 'f', 0, 64)
}

// classes groups records by their class of x, in increasing order.
func (d *data) classes(records []record.Row, x string) (ps []point) {
	index := map[string]int{}
	for _, p := range d.group(records, []string{x}) {
		class := d.class(p.records[0], x)
		at, ok := index[class]
		if !ok {
			at = len(ps)
			index[class], ps = at, append(ps, point{})
		}
		ps[at].records = append(ps[at].records, p.records...)
	}
	return ps
}
