package local

// suspects is a set of columns whose queens may be attacked, kept in a uniformly
// random order: it holds all that are, or one of each attacking pair. To draw
// one is to take the last, again and again until one is attacked, so a draw is
// uniform among the attacked members; and nobody has to notice when a queen
// stops being attacked. To add one is to put it in a random place. (A random
// order that is looked at only from its end stays uniform below it, whatever is
// done with what was seen.)
//
// That the next draws are known beforehand helps on big boards: see
// minConflicts.touch.
type suspects struct {
	list []int32
	in   bitset
}

func (x *suspects) reset(n int) {
	if x.in == nil {
		x.in = newBitset(n)
	}
	clear(x.in)
	x.list = x.list[:0]
}

func (x *suspects) add(r *random, col int) {
	if x.in.has(col) {
		return
	}
	x.in.add(col)
	k := r.below(len(x.list) + 1)
	x.list = append(x.list, int32(col))
	last := len(x.list) - 1
	x.list[k], x.list[last] = x.list[last], x.list[k]
}

// take takes the last one out, attacked or not; false when there is none.
func (x *suspects) take() (int, bool) {
	last := len(x.list) - 1
	if last < 0 {
		return 0, false
	}
	col := int(x.list[last])
	x.list = x.list[:last]
	x.in.remove(col)
	return col, true
}
