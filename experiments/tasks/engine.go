package tasks

import (
	"cmp"
	"context"
	"time"

	"queens/ask"
	"queens/backends/bdd"
	engines "queens/backends/bdd/packages"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
	"queens/order"
)

// EngineName is the name of a diagram package, or its command.
type EngineName string

var _ param.Patterned = EngineName("")

// ours is the built-in engine, which runs in this process.
const ours EngineName = "queens"

// Values lists the engines that a configuration need not describe.
func (EngineName) Values() []string { return []string{string(ours)} }

// Pattern accepts the command of any engine, and names defined in a configuration.
func (EngineName) Pattern() (expression, title string) {
	return `.`, "a name from engines, or a command with {cnf} or {ops}, as in bin/engines/buddy {ops}"
}

// ownWay stands for the construction of an engine that reads the problem itself.
const ownWay ask.ConstructionName = "own"

// outsideResult is the part of [CompileResult] and of the measurements that an outside engine
// reports: its own memory replaces that of the run's process.
type outsideResult struct {
	Nodes        int     `json:"nodes"`
	PeakNodes    *uint64 `json:"peak_nodes"`
	Solutions    string  `json:"solutions"`
	EngineIs     string  `json:"engine_is"`
	PeakRSSBytes *uint64 `json:"peak_rss_bytes"`
}

// Equip implements experiments.Equipped.
func (t *Compile) Equip(programs program.Descriptions) error {
	return cmp.Or(t.Asked.Equip(programs),
		checkProgram("engine", "engine", string(t.Engine), programs["engine"], t.Engine.Values()))
}

// outside returns the engine, given by its name or its command.
func (t *Compile) outside() engines.Engine {
	command := string(t.Engine)
	if described, ok := t.programs["engine"][command]; ok {
		command = described.Command
	}
	return engines.Engine{Name: string(t.Engine), Command: command}
}

// isOurs reports whether the built-in engine builds the diagram.
func (t *Compile) isOurs() bool { return t.Engine == ours }

// program names the outside engine.
func (t *Compile) program() *program.Needed {
	if t.isOurs() {
		return nil
	}
	return &program.Needed{Parameter: "engine", Name: string(t.Engine),
		Find: t.outside().Check, Check: func(context.Context) error { return t.outside().Check() }}
}

// references returns the diagram of an outside engine, built by ours.
func (t *Compile) references() []Compile {
	if t.isOurs() {
		return nil
	}
	p, err := t.Build()
	if err != nil {
		return nil
	}
	other := *t
	other.Engine, other.Construction = ours, ask.ConstructionName(bdd.Default(p).Name)
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
