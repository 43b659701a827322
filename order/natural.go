package order

import (
	"queens/encode"
	"queens/encode/cnf"
)

var natural = Named{
	Name:      "natural",
	Reason:    "the variables by number, as the problem was written down: row-major on a board",
	variables: ByNumber,
}

// ByNumber returns the variables in order of number.
func ByNumber(p encode.Problem) Order {
	o := make(Order, p.AllVars())
	for i := range o {
		o[i] = cnf.Var(i + 1)
	}
	return o
}
