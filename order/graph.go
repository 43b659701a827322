package order

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// graph is what an order of any problem goes by: which variables share a constraint.
// Variables are denoted by their index in vars, and a sequence of them is a permutation of
// these indices.
type graph struct {
	vars  []cnf.Var
	edges [][]int32 // the variables of each constraint
	count []int32   // by variable: the number of its constraints

	// Where the sequence that was laid last puts things.
	at   []int32 // by variable: its place
	laid []laid  // by constraint
	// Memory of a cost and of a round of FORCE.
	reach   []reach
	cuts    []cut
	centres []float64
	pulls   []pull
	starts  []int32
}

// laid is where a constraint's variables lie: the first and the last place, and the sum of all.
type laid struct {
	first, last int32
	sum         int
}

// wholeGraph has all variables and constraints.
func wholeGraph(p encode.Problem) *graph {
	g := &graph{vars: ByNumber(p)}
	for _, c := range p.Constraints {
		g.add(c.Lits, func(l cnf.Lit) int32 { return int32(l.Var() - 1) })
	}
	return g.counted()
}

// openGraph has the variables and constraints that unit propagation leaves open; variables
// without a constraint are left out. It is empty for a problem that propagation refutes.
func openGraph(p encode.Problem) *graph {
	g := &graph{}
	propagator := encode.NewPropagator(p)
	if !propagator.Assume(nil) {
		return g
	}
	value := propagator.Values()
	isTrue := func(l cnf.Lit) bool { return (value[l.Var()-1] > 0) == (l > 0) && value[l.Var()-1] != 0 }
	var open []encode.Constraint
	used := make([]bool, p.NumVars())
	for _, c := range p.Constraints {
		if slices.ContainsFunc(c.Lits, isTrue) {
			continue // an at-least-one that is met, or the others are false
		}
		var lits []cnf.Lit
		for _, l := range c.Lits {
			if value[l.Var()-1] == 0 {
				lits = append(lits, l)
			}
		}
		if len(lits) < 2 { // no more than an at-most-one of one literal
			continue
		}
		for _, l := range lits {
			used[l.Var()-1] = true
		}
		open = append(open, encode.Constraint{Lits: lits})
	}
	at := make([]int32, p.NumVars())
	for i, used := range used {
		if used {
			at[i] = int32(len(g.vars))
			g.vars = append(g.vars, cnf.Var(i+1))
		}
	}
	for _, c := range open {
		g.add(c.Lits, func(l cnf.Lit) int32 { return at[l.Var()-1] })
	}
	return g.counted()
}

func (g *graph) add(lits []cnf.Lit, at func(cnf.Lit) int32) {
	edge := make([]int32, len(lits))
	for i, l := range lits {
		edge[i] = at(l)
	}
	g.edges = append(g.edges, edge)
}

// counted returns the graph once its variables and constraints are complete.
func (g *graph) counted() *graph {
	n := len(g.vars)
	g.count, g.at, g.laid = make([]int32, n), make([]int32, n), make([]laid, len(g.edges))
	g.reach, g.cuts, g.centres = make([]reach, n), make([]cut, n+1), make([]float64, n)
	g.pulls, g.starts = make([]pull, n), make([]int32, n+1)
	for _, edge := range g.edges {
		for _, v := range edge {
			g.count[v]++
		}
	}
	return g
}

// lay notes where a sequence puts the variables and constraints.
func (g *graph) lay(sequence []int32) {
	for i, v := range sequence {
		g.at[v] = int32(i)
	}
	for i, edge := range g.edges {
		of := laid{first: int32(len(sequence))}
		for _, v := range edge {
			at := g.at[v]
			of.first, of.last, of.sum = min(of.first, at), max(of.last, at), of.sum+int(at)
		}
		g.laid[i] = of
	}
}

// natural returns the sequence by number.
func (g *graph) natural() []int32 {
	sequence := make([]int32, len(g.vars))
	for i := range sequence {
		sequence[i] = int32(i)
	}
	return sequence
}

// order returns the order of a problem's variables in which those of the graph come first,
// in the given sequence, and the others by number.
func (g *graph) order(p encode.Problem, sequence []int32) Order {
	o := make(Order, 0, p.NumVars())
	placed := make([]bool, p.NumVars())
	for _, i := range sequence {
		o = append(o, g.vars[i])
		placed[g.vars[i]-1] = true
	}
	for i, placed := range placed {
		if !placed {
			o = append(o, cnf.Var(i+1))
		}
	}
	return o
}
