package cnftest

import "queens/encode/cnf"

// Pigeons returns the pigeonhole formula with one pigeon more than holes: it has no solution, which unit propagation
// alone does not show.
func Pigeons(holes int) *cnf.Formula {
	f := &cnf.Formula{}
	at := func(pigeon, hole int) cnf.Lit { return cnf.Lit(pigeon*holes + hole + 1) }
	for p := range holes + 1 {
		var some []cnf.Lit
		for h := range holes {
			some = append(some, at(p, h))
		}
		f.Add(some...)
	}
	for h := range holes {
		for p := range holes + 1 {
			for q := range p {
				f.Add(at(p, h).Not(), at(q, h).Not())
			}
		}
	}
	return f
}
