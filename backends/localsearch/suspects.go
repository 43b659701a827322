package localsearch

// suspects is a set of columns whose queens may be attacked, kept in a uniformly
// random order: it holds all attacked queens, or one of each attacking pair. A draw
// takes the last member repeatedly until one is attacked, so it is uniform among the
// attacked members, and no update is needed when a queen stops being attacked. A new
// member goes to a random place. (If a random order is examined only from its end, the
// order of the rest stays uniform, however the examined members are used.)
type suspects struct{ pool }

func (x *suspects) add(r *random, col int) {
	if x.in.has(col) {
		return
	}
	x.pool.add(col)
	k, last := r.below(len(x.list)), len(x.list)-1
	x.list[k], x.list[last] = x.list[last], x.list[k]
}

// take removes and returns the last one, attacked or not; false if there is none.
func (x *suspects) take() (int, bool) {
	last := len(x.list) - 1
	if last < 0 {
		return 0, false
	}
	col := int(x.list[last])
	x.drop(last)
	return col, true
}
