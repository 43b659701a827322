package configure

import (
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
)

// Options are what can be decided about any problem, in groups, and a back-end that knows what
// follows. They may be used by any number of goroutines.
type Options struct {
	Title   string   // names the problem
	Groups  []Group  // each option once
	Picture *Picture // shows them on a board; nil if nothing does
	problem encode.Problem
	answers pool.Lent
	vars    []cnf.Var // of the groups, in order
}

// NewOptions returns the options of a pool's own problem.
func NewOptions(from *pool.Pool) *Options {
	p := from.Problem()
	o := &Options{Title: p.String(), problem: p, answers: from.Lent()}
	o.group()
	o.Picture = picture(p.Family, p.VarNames(o.vars))
	return o
}
