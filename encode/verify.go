package encode

import (
	"fmt"

	"queens/encode/cnf"
)

// Verify checks a model against the constraints and fixed literals alone, without
// clauses or solvers; model[v-1] is a literal of variable v. The error names the
// first constraint that is violated. If there are auxiliary variables, which a model does not mention,
// it checks that unit propagation finds nothing that contradicts the model.
func (p Problem) Verify(model []cnf.Lit) error {
	if len(model) != p.NumVars() {
		return fmt.Errorf("%s: a model of %d variables, expected %d", p, len(model), p.NumVars())
	}
	for i, l := range model {
		if int(l.Var()) != i+1 {
			return fmt.Errorf("%s: the model has literal %d for variable %d", p, l, i+1)
		}
	}
	if p.Auxiliary > 0 {
		if !NewPropagator(p).Assume(model) {
			return fmt.Errorf("%s: the model contradicts a constraint", p)
		}
		return nil
	}
	for _, l := range p.Fixed {
		if model[l.Var()-1] != l {
			return fmt.Errorf("%s: the model contradicts the fixed literal of %s", p, p.VarName(l.Var()))
		}
	}
	for i, c := range p.Constraints {
		if sum := c.Sum(func(l cnf.Lit) bool { return model[l.Var()-1] == l }); !c.Allows(sum, 0) {
			return fmt.Errorf("%s: the model violates constraint %d (%s %s): its true literals add up to %d", p,
				i+1, c.Count(), c.Name, sum)
		}
	}
	return nil
}
