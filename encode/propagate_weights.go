package encode

// weights is what a [Propagator] has beyond its counters if some constraints have weights.
type weights struct {
	of  [][]int   // by constraint: Constraint.Weights; nil for one that counts
	in  [][]int32 // by literal, as Propagator.in: its weight in each of these constraints
	all []int32   // the constraints that have weights
}

// newWeights returns the weights of a problem's constraints, nil if there are none. in holds, by literal, the constraints
// that it is in, in rising order.
func newWeights(p Problem, in [][]int32) *weights {
	var w *weights
	for i := range p.Constraints {
		if own := p.Constraints[i].Weights; own != nil {
			if w == nil {
				w = &weights{of: make([][]int, len(p.Constraints)), in: make([][]int32, len(in))}
			}
			w.of[i], w.all = own, append(w.all, int32(i))
		}
	}
	if w == nil {
		return nil
	}
	for i, c := range p.Constraints {
		for k, l := range c.Lits {
			w.in[indexOf(l)] = append(w.in[indexOf(l)], int32(p.Constraints[i].Weight(k)))
		}
	}
	return w
}

// constraints returns the constraints that have weights.
func (w *weights) constraints() []int32 {
	if w == nil {
		return nil
	}
	return w.all
}

// weigh does what propagate does for a true literal, in a problem with weights.
func (r *Propagator) weigh(l index) (ok bool) {
	ok = true
	for k, i := range r.in[l] {
		if r.weights.of[i] == nil {
			ok = r.hold(i, l) && ok
			continue
		}
		r.add(i, r.weights.in[l][k])
		ok = ok && r.bind(i)
	}
	for k, i := range r.in[l.not()] {
		c := &r.count[i]
		c.spare -= r.weights.in[l.not()][k]
		if r.weights.of[i] != nil {
			ok = ok && r.bind(i)
		} else if c.spare <= 0 {
			ok = ok && r.examine(i)
		}
	}
	return ok
}

// add adds a weight to what a constraint holds.
func (r *Propagator) add(i, weight int32) {
	c := &r.count[i]
	before := c.held
	if c.held += weight; before < c.least && c.held >= c.least {
		r.active--
		r.swap(r.where[i], int32(r.active))
	}
}

// bind sets what follows from a constraint with weights: a literal for which there is no room is false, and one that
// cannot be spared true. It stops at the first literal that is light enough for both, since the heaviest come first. It
// returns false if the constraint is violated.
func (r *Propagator) bind(i int32) bool {
	c := &r.count[i]
	if c.held > c.most || c.spare < 0 {
		return false
	}
	free := int(min(c.room(), c.spare))
	for k, l := range r.literals(i) {
		weight := r.weights.of[i][k]
		if weight <= free {
			break
		}
		switch {
		case r.holds[l] || r.holds[l.not()]:
		case weight > int(c.room()):
			r.push(l.not())
		default:
			r.push(l)
		}
	}
	return true
}

// exclude does what Violated does for a true literal, in a problem with weights.
func (r *Propagator) exclude(l index) {
	for k, i := range r.in[l] {
		r.add(i, r.weights.in[l][k])
		for k, other := range r.literals(i) {
			if r.weights.of[i] == nil && r.count[i].room() > 0 || r.weights.of[i] != nil && r.weights.of[i][k] <= int(r.count[i].room()) {
				break
			}
			r.push(other.not())
		}
	}
	for k, i := range r.in[l.not()] {
		r.count[i].spare -= r.weights.in[l.not()][k]
	}
}

// unweigh does what Undo does for a true literal, in a problem with weights.
func (r *Propagator) unweigh(l index) {
	for k, i := range r.in[l.not()] {
		r.count[i].spare += r.weights.in[l.not()][k]
	}
	for k, i := range r.in[l] {
		c := &r.count[i]
		before := c.held
		if c.held -= r.weights.in[l][k]; before >= c.least && c.held < c.least {
			r.active++
		}
	}
}

// countOpen returns the number of open literals of a constraint with weights.
func (r *Propagator) countOpen(constraint int) (open int) {
	for _, l := range r.literals(int32(constraint)) {
		if !r.holds[l] && !r.holds[l.not()] {
			open++
		}
	}
	return open
}
