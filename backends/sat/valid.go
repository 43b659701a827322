package sat

import (
	"context"

	"queens/backends"
	"queens/encode/cnf"
)

// A validMethod finds the possible cells in one way.
type validMethod struct {
	name string
	find func(context.Context, *Oracle, []cnf.Lit) (backends.Valid, error)
}

// methods lists the ways, the best in general first.
var methods = []validMethod{
	{"auto", auto},
	{"core", core},
	{"pack", pack},
	{"reuse", reuse},
	{"per-cell", perCell},
}

// perCell asks for every cell of the board: n*n queries. It is the way one
// thinks of first, and the baseline.
func perCell(ctx context.Context, o *Oracle, assume []cnf.Lit) (backends.Valid, error) {
	q := o.query(assume)
	for v := cnf.Var(1); int(v) <= o.problem.NumVars(); v++ {
		status, err := q.ask(ctx, v)
		if err != nil {
			return backends.Valid{}, err
		}
		if status == backends.Sat {
			q.possible[v-1] = true
		}
	}
	return q.cells(), nil
}

// reuse asks only for cells that no model so far has shown possible: each model
// shows n.
func reuse(ctx context.Context, o *Oracle, assume []cnf.Lit) (backends.Valid, error) {
	q := o.query(assume)
	for v := cnf.Var(1); int(v) <= o.problem.NumVars(); v++ {
		if q.possible[v-1] {
			continue
		}
		status, err := q.ask(ctx, v)
		if err != nil {
			return backends.Valid{}, err
		}
		if status == backends.Sat {
			q.mark()
		}
	}
	return q.cells(), nil
}

// query is one valid-cell question put to the solver of the whole board.
type query struct {
	solver   *solver
	assume   []cnf.Lit // the question's, and room for one cell
	possible []bool    // by variable - 1
	before   backends.Work
}

func (o *Oracle) query(assume []cnf.Lit) *query {
	s := o.solver()
	return &query{
		solver:   s,
		assume:   append(make([]cnf.Lit, 0, len(assume)+1), assume...),
		possible: make([]bool, o.problem.NumVars()),
		before:   work(0, 0, 0, s),
	}
}

// ask solves with a queen on the cell of v.
func (q *query) ask(ctx context.Context, v cnf.Var) (backends.Status, error) {
	status, _, err := q.solver.solve(ctx, append(q.assume, v.Pos()))
	return status, err
}

// mark takes the last model's queens as possible.
func (q *query) mark() {
	for i := range q.possible {
		q.possible[i] = q.possible[i] || q.solver.value(cnf.Var(i+1))
	}
}

// cells returns what was found and the work done since the query began.
func (q *query) cells() backends.Valid {
	var cells backends.Valid
	for i, possible := range q.possible {
		if possible {
			cells.Possible = append(cells.Possible, cnf.Var(i+1))
		}
	}
	cells.Work = work(0, 0, 0, q.solver)
	for i, before := range q.before {
		cells.Work[i].N -= before.N
	}
	return cells
}
