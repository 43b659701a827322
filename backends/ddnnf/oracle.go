package ddnnf

import (
	"context"
	"math/big"
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

var (
	_ backends.Counter  = (*Oracle)(nil)
	_ backends.Sampler  = (*Oracle)(nil)
	_ backends.Preparer = (*Oracle)(nil)
)

// Options says how to compile.
type Options struct {
	MaxBytes int64                   // limit of memory; 0 for none
	Progress func(backends.Progress) // may be nil
}

// Compile compiles a problem. The error wraps a *backends.LimitError if the graph, with what answers from it, would exceed
// the limit of memory.
func Compile(ctx context.Context, p encode.Problem, options Options) (*Graph, error) {
	c, err := NewCompiler(ctx, p, options.MaxBytes)
	if err != nil {
		return nil, err
	}
	return c.Run(ctx, func(_ uint64, done float64) bool {
		if options.Progress != nil {
			options.Progress(backends.Progress{
				Step: "thousandth", Done: int(1000 * done), Total: 1000, Items: uint64(c.Graph.Len()), Unit: "nodes",
			})
		}
		return true
	})
}

// Oracle answers questions from one graph. Only one goroutine at a time may use it; several Oracles may share the
// graph.
type Oracle struct {
	graph   *Graph
	limit   int64 // of bytes that counting takes; 0 for none
	changes *changes
}

// New returns an Oracle for a graph. maxBytes limits what counts take, the graph included; 0 means no limit.
func New(g *Graph, maxBytes int64) *Oracle { return &Oracle{graph: g, limit: maxBytes} }

// Stats implements [backends.Backend]. It leaves out the graph, which other Oracles share.
func (o *Oracle) Stats() backends.Stats {
	if o.changes == nil {
		return backends.Stats{}
	}
	return backends.Stats{Bytes: o.changes.bytes()}
}

// Nodes returns the number of nodes of the graph, which every method reads.
func (o *Oracle) Nodes(string) int { return o.graph.Len() }

// Close implements [backends.Backend].
func (o *Oracle) Close() error { return nil }

// check returns what literals assume, and whether there may be a solution.
func (o *Oracle) check(ctx context.Context, assume []cnf.Lit) (v values, possible bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err := o.graph.problem.CheckAssumptions(assume); err != nil {
		return nil, false, err
	}
	v, possible = o.graph.assumed(assume)
	return v, possible && o.graph.Len() > 0, nil
}

// Solve implements [backends.Backend]. The core of an UNSAT answer is all assumptions, or empty when the problem has no
// solution.
func (o *Oracle) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	for model, err := range o.Solutions(ctx, assume) {
		if err != nil {
			return backends.Answer{}, err
		}
		return backends.Answer{Status: backends.Sat, Model: model}, nil
	}
	answer := backends.Answer{Status: backends.Unsat}
	if o.graph.Len() > 0 {
		answer.Core = slices.Clone(assume)
	}
	return answer, nil
}

// Count implements [backends.Counter] by one pass up.
func (o *Oracle) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	v, possible, err := o.check(ctx, assume)
	if err != nil || !possible {
		return new(big.Int), err
	}
	t, err := o.graph.count(ctx, v, false, o.limit)
	if err != nil {
		return nil, err
	}
	return t.total(), nil
}

// CountEach implements [backends.Counter] by one pass up and one down.
func (o *Oracle) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	v, possible, err := o.check(ctx, assume)
	if err != nil {
		return nil, nil, err
	}
	if !possible {
		return new(big.Int), zeros(o.graph.problem.NumVars()), nil
	}
	t, err := o.graph.count(ctx, v, true, o.limit)
	if err != nil {
		return nil, nil, err
	}
	each, err := t.each(ctx, o.limit)
	return t.total(), each, err
}

// limitError says that memory does not suffice.
func limitError(limit, want int64) error {
	return &backends.LimitError{What: "bytes", Limit: limit, Want: want}
}

// The names of the methods.
const (
	Changes = "changes"
	Passes  = "passes"
)

// ways lists the methods, the best first.
var ways = []backends.Way[func(*Oracle, context.Context, []cnf.Lit) (backends.Valid, error)]{
	{Method: backends.Method{
		Name: Changes, Title: "changes", Remembers: true,
		Doc: "looks again only at nodes that change, up from the literals whose assumptions differ from the last question's, " +
			"and down from there",
	}, Answer: (*Oracle).byChanges},
	{Method: backends.Method{
		Name: Passes, Title: "passes",
		Doc: "goes over all nodes, once up for what has solutions and once down for what the root reaches",
	}, Answer: (*Oracle).byPasses},
}

// Methods lists the methods, the best first.
func Methods() []backends.Method { return backends.Methods(ways) }

// Prepare implements [backends.Preparer].
func (o *Oracle) Prepare(ctx context.Context, method string) error {
	if o.changes == nil && (method == "" || method == Changes) && o.graph.Len() > 0 {
		o.changes = newChanges(o.graph)
	}
	return ctx.Err()
}

// Valid implements [backends.Backend]. Its work is the number of nodes visited.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	way, err := backends.Choose(ways, "ddnnf", method)
	if err != nil {
		return backends.Valid{}, err
	}
	valid, err := way.Answer(o, ctx, assume)
	valid.Method = way.Name
	return valid, err
}

// byChanges answers by the changes since the last question.
func (o *Oracle) byChanges(ctx context.Context, assume []cnf.Lit) (backends.Valid, error) {
	_, possible, err := o.check(ctx, assume)
	if err == nil && possible {
		err = o.Prepare(ctx, Changes)
	}
	if err != nil || !possible {
		return answered(0, nil, o.graph), err
	}
	c := o.changes
	if !c.assume(assume) {
		return answered(c.visited, nil, o.graph), nil
	}
	return answered(c.visited, c.possible, o.graph), nil
}

// byPasses answers by one pass up and one down.
func (o *Oracle) byPasses(ctx context.Context, assume []cnf.Lit) (backends.Valid, error) {
	v, possible, err := o.check(ctx, assume)
	if err != nil || !possible {
		return answered(0, nil, o.graph), err
	}
	sat, err := o.graph.satisfiable(ctx, v)
	if err != nil {
		return backends.Valid{}, err
	}
	if !sat[len(sat)-1] {
		return answered(int64(len(sat)), nil, o.graph), nil
	}
	shown, visited, err := o.graph.shown(ctx, v, sat)
	if err != nil {
		return backends.Valid{}, err
	}
	return answered(int64(len(sat))+visited, func(l cnf.Lit) bool { return shown[l.Index()] }, o.graph), nil
}

// answered returns the answer from what is possible; possible is nil if there is no solution.
func answered(visited int64, possible func(cnf.Lit) bool, g *Graph) backends.Valid {
	valid := backends.Valid{Satisfiable: possible != nil, Work: backends.Work{
		{Name: "nodes", N: int64(g.Len())}, {Name: "nodes visited", N: visited},
	}}
	for v := cnf.Var(1); possible != nil && int(v) <= g.problem.NumVars(); v++ {
		if possible(v.Pos()) {
			if valid.Possible = append(valid.Possible, v); !possible(v.Neg()) {
				valid.Forced = append(valid.Forced, v)
			}
		}
	}
	return valid
}
