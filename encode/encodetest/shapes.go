package encodetest

import (
	"fmt"
	"math/rand/v2"

	"queens/encode"
	"queens/encode/cnf"
)

// Shapes lists the shapes.
func Shapes() []string { return []string{"features", "local", "grid", "random"} }

// Make makes a problem of a shape with the given number of variables, rounded up to a square for a grid.
// If shuffled, variables are numbered at random, so that the natural order says nothing about the
// structure; their names still show it.
func Make(shape string, vars int, seed uint64, shuffled bool) encode.Problem {
	m := &maker{rng: rand.New(rand.NewPCG(seed, uint64(vars)))}
	switch shape {
	case "features":
		features(m, vars)
	case "local":
		local(m, vars)
	case "grid":
		grid(m, vars)
	case "random":
		random(m, vars)
	default:
		panic("encodetest: no shape " + shape)
	}
	p := encode.Problem{Family: shape, Names: m.names, Constraints: m.constraints}
	if shuffled {
		return shuffle(p, m.rng)
	}
	return p
}

// shuffle renumbers the variables at random.
func shuffle(p encode.Problem, rng *rand.Rand) encode.Problem {
	to := rng.Perm(p.NumVars())
	names := make(encode.List, p.NumVars())
	for i := range names {
		names[to[i]] = p.Names.Name(cnf.Var(i + 1))
	}
	constraints := make([]encode.Constraint, len(p.Constraints))
	for i, c := range p.Constraints {
		lits := make([]cnf.Lit, len(c.Lits))
		for k, l := range c.Lits {
			lits[k] = cnf.Var(to[l.Var()-1] + 1).Lit(l.Positive())
		}
		constraints[i] = encode.Constraint{Name: c.Name, Least: c.Least, Most: c.Most, Lits: lits, Weights: c.Weights}
	}
	rng.Shuffle(len(constraints), func(i, j int) { constraints[i], constraints[j] = constraints[j], constraints[i] })
	return encode.Problem{Family: p.Family, Names: names, Constraints: constraints}
}

type maker struct {
	rng         *rand.Rand
	names       encode.List
	constraints []encode.Constraint
}

func (m *maker) variable(name string) cnf.Lit {
	m.names = append(m.names, name)
	return cnf.Lit(len(m.names))
}

func (m *maker) add(rule func(string, ...cnf.Lit) encode.Constraint, lits ...cnf.Lit) {
	m.constraints = append(m.constraints, rule("", lits...))
}

// clause adds a clause over random variables, each with a random sign, from a window.
func (m *maker) clause(length, from, window int) {
	lits := make([]cnf.Lit, length)
	for i, v := range m.rng.Perm(window)[:length] {
		if lits[i] = cnf.Lit(from + v + 1); m.rng.IntN(2) == 0 {
			lits[i] = -lits[i]
		}
	}
	m.add(encode.AtLeastOne, lits...)
}

// features makes a feature model: a tree of mandatory and optional features, or-groups and alternatives,
// with a cross-tree constraint for every ten features. It grows the tree, breadth first, as the
// generators of feature models do (Segura, Galindo, Benavides, Parejo and Ruiz-Cortes, BeTTy, VaMoS
// 2012). A cross-tree constraint is an implication or an exclusion.
func features(m *maker, vars int) {
	m.add(encode.AtLeastOne, m.variable("root"))
	for parent := cnf.Lit(1); len(m.names) < vars; parent++ {
		for range 1 + m.rng.IntN(3) {
			size := min(1, vars-len(m.names))
			kind := m.rng.IntN(4)
			if kind >= 2 {
				size = min(2+m.rng.IntN(4), vars-len(m.names))
			}
			if size <= 0 {
				break
			}
			group := make([]cnf.Lit, size)
			for i := range group {
				group[i] = m.variable(fmt.Sprintf("f%d", len(m.names)))
				if kind != 3 || size == 1 {
					m.add(encode.AtLeastOne, -group[i], parent)
				}
			}
			switch {
			case kind == 0: // mandatory
				m.add(encode.AtLeastOne, -parent, group[0])
			case size == 1: // optional
			case kind == 2: // or
				m.add(encode.AtLeastOne, append([]cnf.Lit{-parent}, group...)...)
			default: // alternatives
				m.add(encode.ExactlyOne, append([]cnf.Lit{-parent}, group...)...)
			}
		}
	}
	for range vars / 10 {
		a, b := cnf.Lit(1+m.rng.IntN(vars)), cnf.Lit(1+m.rng.IntN(vars))
		if a == b {
			continue
		}
		if m.rng.IntN(2) == 0 {
			b = -b
		}
		m.add(encode.AtLeastOne, -a, b)
	}
}

// local makes clauses of 3 to 8 literals, each within a window of 12 variables.
func local(m *maker, vars int) {
	for i := range vars {
		m.variable(fmt.Sprintf("v%d", i+1))
	}
	window := min(12, vars)
	for range 2 * vars {
		m.clause(min(3+m.rng.IntN(6), window), m.rng.IntN(vars-window+1), window)
	}
}

// grid makes a square grid in which no two neighbours are both chosen, and every cell is chosen or has a
// chosen neighbour.
func grid(m *maker, vars int) {
	side := 1
	for side*side < vars {
		side++
	}
	at := func(row, col int) cnf.Lit { return cnf.Lit(row*side + col + 1) }
	for i := range side * side {
		m.variable(fmt.Sprintf("r%dc%d", i/side+1, i%side+1))
	}
	for row := range side {
		for col := range side {
			near := []cnf.Lit{at(row, col)}
			for _, step := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				r, c := row+step[0], col+step[1]
				if r < 0 || r >= side || c < 0 || c >= side {
					continue
				}
				near = append(near, at(r, c))
				if step[0]+step[1] > 0 {
					m.add(encode.AtMostOne, at(row, col), at(r, c))
				}
			}
			m.add(encode.AtLeastOne, near...)
		}
	}
}

// random makes random 3-SAT, 4 clauses for every variable.
func random(m *maker, vars int) {
	for i := range vars {
		m.variable(fmt.Sprintf("v%d", i+1))
	}
	for range 4 * vars {
		m.clause(min(3, vars), 0, vars)
	}
}
