package encode

import "queens/encode/cnf"

// index stands for a literal: twice its variable, counted from 0, plus one if it is
// negative.
type index int32

func indexOf(l cnf.Lit) index {
	if l < 0 {
		return 2*index(-l) - 1
	}
	return 2*index(l) - 2
}

func (i index) not() index { return i ^ 1 }

func (i index) lit() cnf.Lit {
	if i&1 != 0 {
		return -cnf.Lit(i>>1) - 1
	}
	return cnf.Lit(i>>1) + 1
}
