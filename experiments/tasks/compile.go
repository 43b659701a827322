package tasks

import (
	"cmp"
	"context"
	"math/big"
	"sync/atomic"
	"time"

	"queens/ask"
	engines "queens/backends/bdd/packages"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
	"queens/order"
	"queens/robdd"
)

// Compile builds the diagram of a problem once.
type Compile struct {
	Asked
	// Diagram package; queens is the built-in one. A program that reads the problem itself
	// ignores the construction.
	Engine EngineName `json:"engine"`
	// Other compiler of d-DNNFs, in place of ours.
	Compiler CompilerName `json:"compiler,omitempty"`
}

// CompileResult is what a Compile run found.
type CompileResult struct {
	// Internal nodes of the plain reduced diagram: no terminals, no complement edges. The
	// parameter diagram says of which kind. Of a d-DNNF, which is smooth, all nodes.
	Nodes int `json:"nodes"`
	// Nodes of the chain-reduced BDD (Bryant, TACAS 2018) of the same function, without
	// terminals; empty for a ZDD.
	ChainReduced *int `json:"chain_reduced_nodes"`
	// Nodes created during construction, including those discarded since.
	NodesCreated uint64 `json:"nodes_created"`
	// Largest number of nodes held at once, including garbage.
	PeakNodes uint64 `json:"peak_nodes"`
	// Largest number of nodes in the diagram after a step of the construction, excluding
	// garbage.
	HeldNodes *int `json:"held_nodes"`
	// Distinct sets of free cells visited by the construction free-set; 0 for other
	// constructions.
	States uint64 `json:"states"`
	// Number of times the variable order was changed during the construction.
	Siftings int `json:"siftings"`
	// Peak memory of nodes, states, tables and caches.
	PeakBytes uint64 `json:"peak_bytes" role:"measurement"`
	// Name and version that an outside diagram package reports, and its command; empty for the
	// built-in one.
	EngineIs string `json:"engine_is"`
	// Number of solutions, counted on the ZDD or the multi-valued diagram.
	Solutions string `json:"solutions"`
	// Number of nodes at each level, from the top.
	Widths []int `json:"widths"`
	// Number of nodes after each construction step; of more than 64 steps, after 64 evenly
	// spaced ones.
	Growth []int `json:"growth"`
	// Edges of a multi-valued diagram or a d-DNNF; empty for others, which have two at each node.
	Edges *int `json:"edges,omitempty"`
	// Bytes that a d-DNNF takes here, another compiler's as well.
	Bytes *int64 `json:"bytes,omitempty" role:"measurement"`
	// The part of build_seconds in which the file of another compiler is read and made smooth.
	ReadSeconds *float64 `json:"read_seconds,omitempty" role:"measurement"`
	// Nodes divided by the number of solutions; empty if there are none.
	NodesPerSolution *float64 `json:"nodes_per_solution,omitempty"`
}

// maxGrowth bounds the length of Growth in a record: pairwise has one step per conflict.
const maxGrowth = 64

func compileKind() *experiments.TaskKind {
	return experiments.Kind[Compile]{
		Name:       "compile",
		Doc:        "Builds the diagram of a problem, or its d-DNNF, and counts its solutions.",
		Parameters: []string{"problem", "n", "order", "construction", "diagram", "engine", "workers", "sift", "compiler"},
		AtMost:     map[string]int64{"n": 64},
		Default:    compileDefaults(),
		Result:     CompileResult{},
		Agree:      []string{"nodes"}, // the reduced diagram under an order is unique
		Ways:       ways(),
		Normalise:  (*Compile).normalise,
		Program:    (*Compile).program,
		Known:      func(t *Compile) experiments.Known { return known(&t.Setup) },
		References: (*Compile).references,
		Title:      func(t *Compile) string { return cmp.Or(string(t.Compiler), string(t.Engine)) },
		Run:        (*Compile).run,
	}.Erase()
}

func compileDefaults() Compile {
	return Compile{Engine: ours, Asked: Asked{last: new(atomic.Pointer[built]), Setup: ask.Setup{Problem: ask.Queens, Choice: ask.Choice{
		Order: ask.RowMajor, Construction: ask.FreeSet, Diagram: ask.ROBDD, Sift: ask.OrderKept, Workers: 1,
	}}}}
}

// normalise rejects a reordering if the construction has no steps between which the order may change, and orders and constructions
// that do not suit the family or the engine. For a file, free-set, the default, becomes the default
// construction of the file's problem. An outside engine that reads operations supports the constructions that
// can list them; any other engine has only its own construction.
func (t *Compile) normalise() error {
	if t.Diagram == ask.Decomposable {
		return t.normaliseDDNNF()
	}
	if _, other := t.Compiler.find(nil); other {
		return &param.Unsuited{}
	}
	t.Compiler = ""
	if e := t.outside(); !t.isOurs() {
		t.Workers = 1
		if t.Sift.Changes() || !e.Makes(string(t.Diagram)) {
			return &param.Unsuited{}
		}
		if !e.ReadsOperations() {
			t.Construction = ownWay
			return t.suits(func(p encode.Problem) error { return countsOnly(p, "the engine") })
		}
	} else if t.FromFile() && t.Construction == compileDefaults().Construction {
		t.Construction = "constraint-wise" // takes any problem, even that of a missing file
		if p, err := t.Build(); err == nil {
			t.Construction = ask.DefaultConstruction(p)
		} else if !t.Problem.Gone() {
			return err
		}
	}
	c, err := t.Construction.Named()
	if err != nil {
		return nil // the check of the specification reports it
	}
	if c.Dynamic {
		t.Workers = 1 // operations on diagrams run one after another
	} else if !t.isOurs() {
		return &param.Unsuited{}
	}
	if t.Sift.Changes() && (!c.Dynamic || t.Diagram == ask.MultiValued) {
		return &param.Unsuited{}
	}
	return t.suits(func(p encode.Problem) error { return t.Construction.Makes(t.Diagram, p) })
}

// run builds the diagram and counts its solutions.
func (t *Compile) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	if t.Diagram == ask.Decomposable {
		return t.runDDNNF(ctx, m)
	}
	var problem encode.Problem
	vars, err := experiments.Measured(m, experiments.Encode, func() (o order.Order, err error) {
		if problem, err = t.Build(); err == nil {
			o, _, err = t.Order.For(ctx, problem, nil)
		}
		return o, err
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	if !t.isOurs() {
		return t.runOutside(ctx, m, problem, vars)
	}
	choice := t.Choice
	choice.Order = "" // the order is made
	if t.Diagram == ask.MultiValued {
		return t.runMDD(ctx, m, problem, choice, vars)
	}
	compiled, err := experiments.Measured(m, experiments.Build, func() (*ask.Compiled, error) {
		return ask.Compile(ctx, problem, choice, ask.Resources{Order: vars, Trace: true})
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	solutions, err := experiments.Measured(m, experiments.Count, func() (*big.Int, error) {
		return ask.Oracle(compiled).Count(ctx, nil)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	result, err := NewCompileResult(ctx, compiled, t.Diagram, solutions, true)
	return experiments.Finding{Answer: result.Solutions, Values: result}, err
}

// runMDD builds the multi-valued diagram and counts its solutions.
func (t *Compile) runMDD(ctx context.Context, m *experiments.Meter, p encode.Problem, c ask.Choice, o order.Order) (
	experiments.Finding, error) {
	d, err := experiments.Measured(m, experiments.Build, func() (*ask.CompiledMDD, error) {
		return ask.CompileMDD(ctx, p, c, ask.Resources{Order: o})
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	solutions, err := experiments.Measured(m, experiments.Count, func() (*big.Int, error) {
		return ask.OracleMDD(d).Count(ctx, nil)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	result := NewMDDResult(d, solutions)
	return experiments.Finding{Answer: result.Solutions, Values: result}, nil
}

// NewMDDResult describes a multi-valued diagram, how it was compiled, and the number of its solutions.
func NewMDDResult(d *ask.CompiledMDD, solutions *big.Int) CompileResult {
	stats, edges := d.Stats(), d.Edges()
	return CompileResult{
		Nodes: d.Len(), Edges: &edges, NodesPerSolution: perSolution(d.Len(), solutions),
		NodesCreated: stats.NodesCreated, PeakNodes: stats.PeakNodes, States: stats.States, PeakBytes: stats.PeakBytes,
		Solutions: solutions.String(), Widths: d.Widths(), Growth: []int{},
	}
}

// NewDDNNFResult describes a d-DNNF, and the number of its solutions.
func NewDDNNFResult(g *ask.CompiledDDNNF, solutions *big.Int) CompileResult {
	edges, bytes := g.Edges(), g.Bytes()
	return CompileResult{
		Nodes: g.Len(), Edges: &edges, Bytes: &bytes, Solutions: solutions.String(), Widths: []int{}, Growth: []int{},
		NodesPerSolution: perSolution(g.Len(), solutions),
	}
}

// perSolution divides a number of nodes by the number of solutions; it returns nil if there are no solutions.
func perSolution(nodes int, solutions *big.Int) *float64 {
	if solutions.Sign() == 0 {
		return nil
	}
	ratio, _ := new(big.Rat).SetFrac(big.NewInt(int64(nodes)), solutions).Float64()
	return &ratio
}

// NewCompileResult describes a diagram of one kind, how it was compiled, and the number of its solutions.
// Figures that take longer than building a small diagram are included only if traced is set.
func NewCompileResult(ctx context.Context, c *ask.Compiled, kind ask.DiagramName, solutions *big.Int, traced bool) (
	CompileResult, error) {
	d, err := kind.Of(ctx, c)
	if err != nil {
		return CompileResult{}, err
	}
	stats := c.Stats()
	result := CompileResult{
		Nodes: d.Len(), NodesCreated: stats.NodesCreated, PeakNodes: stats.PeakNodes,
		States: stats.States, Siftings: stats.Siftings, PeakBytes: stats.PeakBytes,
		Solutions: solutions.String(), Widths: d.Widths(), Growth: []int{},
		NodesPerSolution: perSolution(d.Len(), solutions),
	}
	if !traced {
		return result, nil
	}
	if d.Kind() == robdd.BDD {
		nodes := d.ChainReduced()
		result.ChainReduced = &nodes
	}
	held := 0
	for _, step := range stats.Growth {
		held = max(held, step.Nodes)
	}
	result.HeldNodes = &held
	for i := range min(len(stats.Growth), maxGrowth) {
		step := stats.Growth[len(stats.Growth)-1]
		if last := min(len(stats.Growth), maxGrowth) - 1; i < last {
			step = stats.Growth[i*(len(stats.Growth)-1)/last]
		}
		result.Growth = append(result.Growth, step.Nodes)
	}
	return result, nil
}

// Equip implements experiments.Equipped.
func (t *Compile) Equip(programs program.Descriptions) error {
	return cmp.Or(t.Asked.Equip(programs),
		checkProgram("engine", "engine", string(t.Engine), programs["engine"], t.Engine.Values()[:1], t.Engine.Values()),
		checkProgram("compiler", "compiler", string(t.Compiler), programs["compiler"], t.Compiler.Values()[:1], t.Compiler.Values()))
}

// outside returns the engine, given by its name or its command.
func (t *Compile) outside() engines.Engine {
	by, _ := t.programs.OnFile("engine", string(t.Engine))
	return engines.Engine{Name: by.Name, Command: by.Command}
}

// isOurs reports whether the built-in engine builds the diagram.
func (t *Compile) isOurs() bool { return t.Engine == ours }

// program names the outside engine or compiler.
func (t *Compile) program() *program.Needed {
	if c, other := t.Compiler.find(t.programs); other {
		return &program.Needed{Parameter: "compiler", Name: c.Name, Find: c.Check, Is: c.Is}
	}
	if t.isOurs() {
		return nil
	}
	return &program.Needed{Parameter: "engine", Name: string(t.Engine), Find: t.outside().Check}
}

// references returns the same diagram built by our engine, for a diagram of an outside engine.
func (t *Compile) references() []Compile {
	if t.isOurs() {
		return nil
	}
	p, err := t.Build()
	if err != nil {
		return nil
	}
	other := *t
	other.Engine, other.Construction = ours, ask.DefaultConstruction(p)
	return []Compile{other}
}

// runOutside has an outside engine build the diagram and count its solutions.
func (t *Compile) runOutside(ctx context.Context, m *experiments.Meter, p encode.Problem,
	o order.Order) (experiments.Finding, error) {
	in, err := experiments.Measured(m, experiments.Encode, func() (*engines.Input, error) {
		return t.outside().Prepare(p, o, string(t.Construction), string(t.Diagram))
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	defer in.Close()
	a, err := experiments.Measured(m, experiments.Build, func() (engines.Answer, error) {
		return in.Build(ctx)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	m.Told(experiments.Build, time.Duration(*a.BuildSeconds*float64(time.Second)))
	return experiments.Finding{Answer: a.Solutions, Values: outsideResult{
		Nodes: *a.Nodes, PeakNodes: a.PeakNodes, Solutions: a.Solutions,
		EngineIs: a.Engine + " (" + t.outside().Command + ")", PeakRSSBytes: a.Bytes,
	}}, nil
}
