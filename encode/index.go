package encode

import "queens/encode/cnf"

// index stands for a literal, see [cnf.Lit.Index].
type index int32

func indexOf(l cnf.Lit) index { return index(l.Index()) }

func (i index) not() index { return i ^ 1 }

func (i index) lit() cnf.Lit {
	if i&1 != 0 {
		return -cnf.Lit(i>>1) - 1
	}
	return cnf.Lit(i>>1) + 1
}

// Lists returns empty lists with room for the given numbers of elements, all from one array.
func Lists[T any](room []int32) [][]T {
	total := 0
	for _, n := range room {
		total += int(n)
	}
	lists, array := make([][]T, len(room)), make([]T, total)
	for i, n := range room {
		lists[i], array = array[:0:n], array[n:]
	}
	return lists
}
