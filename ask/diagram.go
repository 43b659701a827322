package ask

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"unicode"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/ddnnf"
	"queens/backends/mdd"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/order/optimize"
	"queens/robdd"
)

// Every way to a diagram is in this file. Whoever wants one compiles it ([Compile], [CompileMDD], rule by rule
// [Grow]) or loads it ([Load], [LoadBoard]), and asks it by its oracle ([Oracle], [OracleMDD]). A [Sizer] knows
// the sizes of a board's diagrams under any order without building them.

type (
	// Compiled is a problem as an ROBDD or a ZDD.
	Compiled = bdd.Compiled
	// CompiledMDD is a problem as a multi-valued diagram.
	CompiledMDD = mdd.Diagram
	// CompiledDDNNF is a problem as a d-DNNF.
	CompiledDDNNF = ddnnf.Graph
)

// Compile returns the problem's diagram, converted to the chosen kind as well: r.Diagram if it is set, or
// else a new one. It ignores c.Backend.
func Compile(ctx context.Context, p encode.Problem, c Choice, r Resources) (*Compiled, error) {
	if c = diagramChoice(c, p); c.Diagram == MultiValued || c.Diagram == Decomposable {
		return nil, wrong("diagram", "back-end bdd builds an ROBDD or a ZDD, not a %s", c.Diagram.Title())
	}
	compiled := r.Diagram
	if compiled == nil {
		var err error
		if compiled, err = build(ctx, p, c, r); err != nil {
			return nil, err
		}
	}
	_, err := c.Diagram.Of(ctx, compiled)
	return compiled, err
}

// diagramChoice fills in the empty fields that say how to build a diagram.
func diagramChoice(c Choice, p encode.Problem) Choice {
	if c.Diagram == "" {
		c.Diagram = DiagramName(best(describe(Diagram), c).Kind)
	}
	if c.Construction == "" {
		c.Construction = DefaultConstruction(p)
	}
	if c.Workers == 0 {
		c.Workers = processors()
	}
	return c
}

// Constructions lists the ways to build a diagram.
func Constructions() []bdd.Construction { return bdd.Constructions() }

// Reorderings lists the ways to change the order while a diagram is built.
func Reorderings() []bdd.Reordering { return bdd.Reorderings() }

// DefaultConstruction returns the construction that suits a problem.
func DefaultConstruction(p encode.Problem) ConstructionName {
	return ConstructionName(bdd.Default(p).Name)
}

// Named returns the construction with the name.
func (c ConstructionName) Named() (bdd.Construction, error) { return bdd.ConstructionNamed(string(c)) }

// Makes returns an error if the construction does not build a problem's diagram of a kind.
func (c ConstructionName) Makes(d DiagramName, p encode.Problem) error {
	construction, err := c.Named()
	if err == nil {
		err = construction.Check(p)
	}
	if err == nil && d == MultiValued {
		err = mdd.Takes(p)
	}
	return err
}

// Kind returns the kind of diagram that the choice's method reads, and whose nodes its work counts; empty if
// its back-end has no diagram.
func (c Choice) Kind() DiagramName { return DiagramName(best(describe(c.Backend), c).Kind) }

// Nodes returns the number of nodes of the diagram that the chosen method reads; 0 if the back-end has none.
func (s *Opened) Nodes() int {
	if d, has := s.Backend.(interface{ Nodes(method string) int }); has {
		return d.Nodes(string(s.Choice.Method))
	}
	return 0
}

// Of converts a compiled problem's diagram to this kind, which must not be multi-valued.
func (d DiagramName) Of(ctx context.Context, c *Compiled) (*robdd.Diagram, error) {
	kind, err := robdd.ParseKind(string(d))
	if err != nil {
		return nil, wrong("diagram", "%v", err)
	}
	return c.As(ctx, kind)
}

// processors returns the number of processors that this process may use.
func processors() int { return runtime.GOMAXPROCS(0) }

// build builds the diagram in the chosen order, by the chosen construction. A formula's construction starts with
// the literals that are certain: a published model of 1,179 variables with 327 of them took 14 s, and takes .1 s.
func build(ctx context.Context, p encode.Problem, c Choice, r Resources) (*Compiled, error) {
	o, name, options, err := recipe(ctx, p, c, r)
	if err != nil {
		return nil, err
	}
	known := p
	if p.Place == nil {
		known = p.With(p.Certain()...)
	}
	compiled, err := bdd.Compile(ctx, known, o, options)
	if err != nil {
		return nil, err
	}
	compiled.Problem, compiled.OrderName = p, string(name)
	return compiled, nil
}

// CompileMDD returns the problem's multi-valued diagram, whose lines follow the chosen order.
func CompileMDD(ctx context.Context, p encode.Problem, c Choice, r Resources) (*CompiledMDD, error) {
	if c.Sift.Changes() {
		return nil, wrong("sift", "the levels of a multi-valued diagram keep their order")
	}
	o, name, options, err := recipe(ctx, p, diagramChoice(c, p), r)
	if err != nil {
		return nil, err
	}
	if err := mdd.Takes(p); err != nil {
		return nil, wrong("problem", "%v", err)
	}
	d, err := mdd.Compile(ctx, p, o, options)
	if err != nil {
		return nil, err
	}
	d.OrderName = string(name)
	return d, nil
}

// recipe returns the chosen order with its name, and how to compile.
func recipe(ctx context.Context, p encode.Problem, c Choice, r Resources) (
	o order.Order, name OrderName, options bdd.Options, err error,
) {
	if err = compilable(p); err != nil {
		return nil, "", options, wrong("problem", "%v", err)
	}
	construction, err := c.Construction.Named()
	if err == nil {
		err = construction.Check(p)
	}
	if err != nil {
		return nil, "", options, wrong("construction", "%v", err)
	}
	if c.Sift.Changes() && !construction.Dynamic {
		return nil, "", options, wrong("sift", "construction %s does not change its order", construction.Name)
	}
	o, name, err = c.Order.For(ctx, p, r.Order)
	return o, name, bdd.Options{
		Construction: construction.Name, Sift: string(c.Sift), Workers: c.Workers, MaxBytes: r.Bytes, More: r.more, Progress: r.Progress,
		Trace: r.Trace,
	}, err
}

// compilable returns an error for a problem that is too large to compile.
func compilable(p encode.Problem) error {
	if err := bdd.CheckSize(p); err != nil {
		return fmt.Errorf("%s: %w; sat takes any size", p, err)
	}
	return nil
}

// Load reads a saved diagram of a problem; see [bdd.Loaded]. bytes limits its memory; 0 means no limit. Of text in DDDMP,
// which another program may have written, it believes nothing: see [CheckDiagram]. Its variables have the problem's names,
// as [Exported] writes them, or else its numbers.
func Load(ctx context.Context, file string, p encode.Problem, bytes int64) (*Compiled, error) {
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		if content := bufio.NewReader(f); robdd.IsDDDMP(content) {
			names := map[string]robdd.Var{}
			for v := range p.NumVars() {
				name := p.VarName(cnf.Var(v + 1))
				names[Exported(name)], names[name] = robdd.Var(v+1), robdd.Var(v+1)
			}
			d, err := robdd.ReadDDDMP(ctx, content, file, p.NumVars(), func(name string) robdd.Var { return names[name] }, bytes)
			if err != nil {
				return nil, bdd.Limited(err)
			}
			return bdd.Foreign(p, d, bytes), nil
		}
	}
	d, meta, err := robdd.Load(ctx, file, bytes)
	if err != nil {
		return nil, bdd.Limited(err)
	}
	return bdd.Loaded(p, d, meta, bytes)
}

// Exported returns a variable's name for files of other tools: underscores replace all characters except letters and digits.
func Exported(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, name)
}

// LoadBoard reads a saved diagram of queens on an empty board, whose size, at most most, the file tells. It also
// returns the name of the order under which the diagram was saved.
func LoadBoard(ctx context.Context, file string, most int, bytes int64) (c *Compiled, saved string, err error) {
	d, meta, err := robdd.Load(ctx, file, bytes)
	if err != nil {
		return nil, "", bdd.Limited(err)
	}
	n := int(math.Sqrt(float64(d.Vars())))
	if n < 1 || n*n != d.Vars() || n > most {
		return nil, "", fmt.Errorf("loading diagram %s: %d variables: expected a square board of size 1 to %d",
			file, d.Vars(), most)
	}
	p, err := encode.Queens(n, nil, nil)
	if err == nil {
		c, err = bdd.Loaded(p, d, meta, bytes)
	}
	if err != nil {
		return nil, "", fmt.Errorf("loading diagram %s: %w", file, err)
	}
	return c, meta[bdd.MetaOrder], nil
}

// Oracle returns the back-end that answers from a compiled diagram: it counts, lists and samples.
func Oracle(c *Compiled) *bdd.Oracle { return bdd.New(c) }

// OracleMDD returns the back-end that answers from a multi-valued diagram.
func OracleMDD(d *CompiledMDD) *mdd.Oracle { return mdd.New(d) }

// Grow returns a diagram that is built rule by rule, up to a number of nodes; see [bdd.Growing].
func Grow(o order.Order, mostNodes int) (*bdd.Growing, error) { return bdd.Grow(o, mostNodes) }

// Sizer lists the solutions of queens on an empty board of size n, and returns what computes the sizes of the
// board's diagrams from them.
func Sizer(ctx context.Context, n int) (*optimize.Sizer, error) {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, wrong("n", "%v", err)
	}
	return optimize.NewSizer(p.NumVars(), search.New(p).Solutions(ctx, nil))
}

// openMDD opens the back-end that answers from the problem's multi-valued diagram.
func openMDD(ctx context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
	d, err := CompileMDD(ctx, p, c, r)
	if err != nil {
		return nil, err
	}
	return OracleMDD(d), nil
}

// CompileDDNNF returns the problem as a d-DNNF: r.DDNNF if it is set, or else a new one.
func CompileDDNNF(ctx context.Context, p encode.Problem, r Resources) (*CompiledDDNNF, error) {
	if r.DDNNF != nil {
		return r.DDNNF, nil
	}
	return ddnnf.Compile(ctx, p, ddnnf.Options{MaxBytes: r.Bytes, Progress: r.Progress})
}

// OracleDDNNF returns the back-end that answers from a d-DNNF; see [ddnnf.New].
func OracleDDNNF(g *CompiledDDNNF, r Resources) *ddnnf.Oracle { return ddnnf.New(g, r.Bytes) }

// openDDNNF opens the back-end that answers from the problem's d-DNNF.
func openDDNNF(ctx context.Context, p encode.Problem, _ Choice, r Resources) (backends.Backend, error) {
	g, err := CompileDDNNF(ctx, p, r)
	if err != nil {
		return nil, err
	}
	return OracleDDNNF(g, r), nil
}

// openDiagram opens the back-end that answers from the problem's diagram.
func openDiagram(ctx context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
	compiled, err := Compile(ctx, p, c, r)
	if err != nil {
		return nil, err
	}
	return Oracle(compiled), nil
}
