package order

import (
	"slices"

	"queens/encode"
	"queens/encode/cnf"
)

// graph is a problem as the orders see it: which variables share a constraint. Variables are denoted by
// their index in vars, and a sequence of them is a permutation of these indices.
type graph struct {
	vars  []cnf.Var
	edges [][]int32 // the variables of each constraint
	count []int32   // by variable: the number of its constraints

	// The places in the sequence that was laid last.
	at   []int32 // by variable: its place
	laid []laid  // by constraint: the places of its variables
}

// size returns the number of visits that a walk over all variables and constraints makes.
func (g *graph) size() int {
	total := len(g.vars)
	for _, edge := range g.edges {
		total += len(edge)
	}
	return total
}

// laid describes the places of a constraint's variables: the first, the last, and the sum of all.
type laid struct {
	first, last int32
	sum         int
}

// wholeGraph returns the graph of all variables and constraints.
func wholeGraph(p encode.Problem) *graph { return newGraph(p, make([]int8, p.AllVars()), 0) }

// openGraph returns the graph of the constraints that unit propagation leaves open, and their variables.
// A variable that shares no constraint with another is left out. It is empty for a problem that
// propagation refutes.
func openGraph(p encode.Problem) *graph {
	propagator := encode.NewPropagator(p)
	if !propagator.Assume(nil) {
		return (&graph{}).counted()
	}
	return newGraph(p, propagator.Values(), 2)
}

// newGraph returns the graph of the constraints that have no true literal and at least the given number
// of literals without a value, and of these literals' variables; if that number is 0, of all variables.
func newGraph(p encode.Problem, value []int8, least int) *graph {
	g := &graph{}
	at := slices.Repeat([]int32{-1}, p.AllVars()) // by variable: -1 if unused, then its index
	for _, c := range p.Constraints {
		var edge []int32
		met := false // the constraint has a true literal: nothing is left open
		for _, l := range c.Lits {
			switch of := value[l.Var()-1]; {
			case of == 0:
				edge = append(edge, int32(l.Var()-1))
			case (of > 0) == l.Positive():
				met = true
			}
		}
		if met || len(edge) < least {
			continue
		}
		for _, v := range edge {
			at[v] = 0
		}
		g.edges = append(g.edges, edge)
	}
	for i, used := range at {
		if used == 0 || least == 0 {
			at[i] = int32(len(g.vars))
			g.vars = append(g.vars, cnf.Var(i+1))
		}
	}
	for _, edge := range g.edges {
		for i, v := range edge {
			edge[i] = at[v]
		}
	}
	return g.counted()
}

// counted completes a graph that has all its variables and constraints, and returns it.
func (g *graph) counted() *graph {
	n := len(g.vars)
	g.count, g.at, g.laid = make([]int32, n), make([]int32, n), make([]laid, len(g.edges))
	for _, edge := range g.edges {
		for _, v := range edge {
			g.count[v]++
		}
	}
	return g
}

// lay records the places that a sequence gives to the variables and constraints.
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

// span returns the sum, over the constraints, of the distance between the constraint's first and last
// place.
func (g *graph) span() int {
	total := 0
	for _, of := range g.laid {
		total += int(of.last - of.first)
	}
	return total
}

// natural returns the variables in order of number.
func (g *graph) natural() []int32 {
	sequence := make([]int32, len(g.vars))
	for i := range sequence {
		sequence[i] = int32(i)
	}
	return sequence
}

// order returns an order of all the problem's variables: those of the graph first, in the given
// sequence, then the others by number.
func (g *graph) order(p encode.Problem, sequence []int32) Order {
	o := make(Order, 0, p.AllVars())
	placed := make([]bool, p.AllVars())
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

// breadthFirst returns the variables by their distance from one at an end, which is far from another: the order of Cuthill and
// McKee (Reducing the bandwidth of sparse symmetric matrices, 1969), with ties by number. It finds a line along which
// all constraints are short. Parts of the graph follow one another.
func (g *graph) breadthFirst() []int32 {
	of := make([][]int32, len(g.vars)) // by variable: its constraints
	for i, edge := range g.edges {
		for _, v := range edge {
			of[v] = append(of[v], int32(i))
		}
	}
	walk, met, entered := int32(0), make([]int32, len(g.vars)), make([]int32, len(g.edges)) // the last walk that met them
	var sequence []int32
	for v := range g.vars {
		if met[v] > 0 {
			continue
		}
		begin, end := len(sequence), int32(v)
		for range 2 { // the second time from where the first ends
			walk++
			met[end] = walk
			sequence = append(sequence[:begin], end)
			for i := begin; i < len(sequence); i++ {
				for _, rule := range of[sequence[i]] {
					if entered[rule] == walk {
						continue
					}
					entered[rule] = walk
					for _, v := range g.edges[rule] {
						if met[v] != walk {
							met[v] = walk
							sequence = append(sequence, v)
						}
					}
				}
			}
			end = sequence[len(sequence)-1]
		}
	}
	return sequence
}
