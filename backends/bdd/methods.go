package bdd

import (
	"cmp"
	"context"

	"queens/backends"
	"queens/encode/cnf"
	"queens/robdd"
)

// The names of the methods.
const (
	SweepZDD  = "sweep-zdd"
	Annotated = "annotated"
	Openings  = "openings"
	Sweep     = "sweep"
	Restrict  = "restrict"
	Session   = "session"
	AnySat    = "any-sat"
	AllSat    = "all-sat"
)

// answer answers a question from the diagram d, which is of the method's kind.
type answer func(o *Oracle, ctx context.Context, d *robdd.Diagram, assume []cnf.Lit) (backends.Valid, effort, error)

// ways lists the methods, the best first. The methods after [Sweep] are those of the configurators in the
// student reports, which queried their diagram after each click. They serve as a comparison for the sweeps,
// and take the assumptions as they are, without propagation.
var ways = []backends.Way[answer]{
	{Method: backends.Method{
		Name: SweepZDD, Title: "ZDD sweep", Kind: "zdd",
		Doc: "finds all valid cells in one or two passes over the ZDD, which has about a tenth of the ROBDD's nodes",
	}, Answer: (*Oracle).sweepZDD},
	{Method: backends.Method{
		Name: Annotated, Title: "ZDD annotated", Kind: "zdd", LargestBoard: 13, Remembers: true,
		Doc: "stops at the lowest level with an assumption, and reads from the nodes there what lies below; " +
			"slower to open, sooner in sessions to n = 13",
	}, Answer: (*Oracle).annotatedSweep},
	{Method: backends.Method{
		Name: Openings, Title: "ZDD openings", Kind: "zdd", Remembers: true,
		Doc: "is sweep-zdd, and begins with the same answers as openings of search",
	}, Answer: (*Oracle).openings},
	{Method: backends.Method{
		Name: Sweep, Title: "BDD sweep", Kind: "bdd", LargestBoard: 12,
		Doc: "is sweep-zdd on the ROBDD",
	}, Answer: (*Oracle).sweep},
	{Method: backends.Method{
		Name: Restrict, Title: "a restrict for each cell", Kind: "bdd", LargestBoard: 10,
		Doc: "computes the cofactor of the assumptions and, from it, one cofactor for each cell, which is valid unless that is false",
	}, Answer: cofactored(false)},
	{Method: backends.Method{
		Name: Session, Title: "a restrict for each queen more", Kind: "bdd", LargestBoard: 10,
		Doc: "is restrict, but starts from the last question's cofactor if that question assumed a part of this one",
	}, Answer: cofactored(true)},
	{Method: backends.Method{
		Name: AnySat, Title: "a solution for each cell", Kind: "zdd", LargestBoard: 10,
		Doc: "looks for one solution with each cell",
	}, Answer: (*Oracle).anySat},
	{Method: backends.Method{
		Name: AllSat, Title: "all solutions searched", Kind: "zdd", LargestBoard: 10,
		Doc: "lists all solutions, and searches the list for each cell",
	}, Answer: (*Oracle).allSat},
}

// Methods lists the methods, the best first.
func Methods() []backends.Method { return backends.Methods(ways) }

// choose returns the way with the name, or the first, and the kind of diagram that it reads.
func choose(name string) (way *backends.Way[answer], kind robdd.Kind, err error) {
	if way, err = backends.Choose(ways, "bdd", name); err == nil {
		kind, err = robdd.ParseKind(way.Kind)
	}
	return way, kind, err
}

// Valid implements [backends.Backend]. Its work is the number of nodes in the diagram, of nodes visited,
// and of nodes created.
func (o *Oracle) Valid(ctx context.Context, assume []cnf.Lit, method string) (backends.Valid, error) {
	way, kind, err := choose(method)
	if err != nil {
		return backends.Valid{}, err
	}
	d, err := o.compiled.As(ctx, kind)
	if err != nil {
		return backends.Valid{}, err
	}
	found, effort, err := way.Answer(o, ctx, d, assume)
	if err != nil {
		return backends.Valid{}, Limited(err)
	}
	found.Method = way.Name
	found.Work = backends.Work{
		{Name: "nodes", N: int64(d.Len())}, {Name: "nodes visited", N: int64(effort.visited)},
		{Name: "nodes created", N: int64(effort.created)},
	}
	return found, nil
}

// cofactored answers by [Session] or [Restrict].
func cofactored(session bool) answer {
	return func(o *Oracle, ctx context.Context, d *robdd.Diagram, assume []cnf.Lit) (backends.Valid, effort, error) {
		return o.cofactors.valid(ctx, &o.asker, d, assume, session)
	}
}

// Nodes returns the node count of the diagram that a method reads, without making that diagram. For an
// unknown method it returns 0.
func (o *Oracle) Nodes(method string) int {
	_, kind, err := choose(method)
	if err != nil {
		return 0
	}
	return o.compiled.Nodes(kind)
}

// openings answers by [Openings]. A session's questions (see BenchmarkSession) take .5 to .7 of the CPU time of
// [SweepZDD]; filling the book takes .3 ms at n = 10 and 4 ms at n = 14.
func (o *Oracle) openings(ctx context.Context, zdd *robdd.Diagram, assume []cnf.Lit) (backends.Valid, effort, error) {
	if found, known, err := o.book.Answer(ctx, assume); known || err != nil {
		return found, effort{}, cmp.Or(err, ctx.Err())
	}
	return o.sweepZDD(ctx, zdd, assume)
}

// Prepare implements [backends.Preparer]. For [Annotated] it asks a question about the top level, which reads and so
// annotates nearly the whole diagram.
func (o *Oracle) Prepare(ctx context.Context, method string) error {
	if method == Openings {
		return o.book.Fill(ctx)
	}
	if method != Annotated || o.annotated != nil || o.problem.NumVars() == 0 {
		return nil
	}
	top := cnf.Var(1)
	for v := top; int(v) <= o.problem.NumVars(); v++ {
		if o.compiled.made.LevelOf(robdd.Var(v)) < o.compiled.made.LevelOf(robdd.Var(top)) {
			top = v
		}
	}
	_, err := o.Valid(ctx, []cnf.Lit{top.Neg()}, Annotated)
	return err
}
