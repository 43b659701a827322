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
