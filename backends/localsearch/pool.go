package localsearch

// pool is a set of columns or rows that may have some property. It holds all that
// have it, or all that matter; a draw drops members that have lost it. So a draw is
// uniform among the members that have the property, and losing the property needs no
// update.
type pool struct {
	list []int32
	in   bitset
}

func (x *pool) reset(n int) {
	if x.in == nil {
		x.in = newBitset(n)
	}
	clear(x.in)
	x.list = x.list[:0]
}

func (x *pool) add(i int) {
	if !x.in.has(i) {
		x.in.add(i)
		x.list = append(x.list, int32(i))
	}
}

// drop drops the k-th member.
func (x *pool) drop(k int) {
	x.in.remove(int(x.list[k]))
	last := len(x.list) - 1
	x.list[k] = x.list[last]
	x.list = x.list[:last]
}

// draw returns a random member that has the property, or false if none has it.
func (x *pool) draw(r *random, has func(int) bool) (int, bool) {
	for len(x.list) > 0 {
		k := r.below(len(x.list))
		if i := int(x.list[k]); has(i) {
			return i, true
		}
		x.drop(k)
	}
	return 0, false
}
