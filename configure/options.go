package configure

import (
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
)

// Options holds what can be decided about any problem, in groups, and a back-end that knows what follows.
// It is safe for concurrent use.
type Options struct {
	Title   string   // names the problem
	Groups  []Group  // each option once
	Picture *Picture // nil if the problem has none
	problem encode.Problem
	answers pool.Lent
	vars    []cnf.Var // of all groups, in order
}

// NewOptions returns the options of a pool's own problem.
func NewOptions(from *pool.Pool) *Options {
	p := from.Problem()
	o := &Options{Title: p.String(), problem: p, answers: from.Lent()}
	o.group()
	o.Picture = picture(p.Family, p.VarNames(o.vars))
	return o
}
