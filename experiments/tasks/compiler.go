package tasks

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"time"

	"queens/ask"
	"queens/backends/compilers"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
)

// CompilerName is the name of another compiler of d-DNNFs, or its command; empty for none.
type CompilerName string

var _ param.Patterned = CompilerName("")

// Values lists the compilers that a configuration need not describe.
func (CompilerName) Values() []string { return []string{program.None} }

// Pattern accepts the command of any compiler, and names defined in a configuration.
func (CompilerName) Pattern() (expression, title string) {
	return `.`, "a name from compilers, or a command with {cnf} and {nnf}, as in d4 -dDNNF {cnf} -out={nnf}"
}

// find returns the compiler, and whether there is one.
func (n CompilerName) find(programs program.Descriptions) (c compilers.Compiler, is bool) {
	c.OnFile, is = programs.OnFile("compiler", string(n))
	return c, is
}

// normaliseDDNNF sets the fields that compiling a d-DNNF does not use to their defaults.
func (t *Compile) normaliseDDNNF() error {
	if !t.isOurs() || t.Sift.Changes() {
		return &param.Unsuited{}
	}
	t.Choice = compileDefaults().Choice
	t.Diagram, t.Construction = ask.Decomposable, ownWay
	if _, other := t.Compiler.find(nil); !other {
		t.Compiler = ""
		return t.suits(nil)
	}
	return t.suits(func(p encode.Problem) error {
		return countsOnly(p, "a compiler")
	})
}

// countsOnly returns an error if a problem's clauses have auxiliary variables, which a program would count.
func countsOnly(p encode.Problem, program string) error {
	if p.HasAuxiliary() {
		return fmt.Errorf("%s would count auxiliary variables of the clauses", program)
	}
	return nil
}

// runDDNNF compiles a d-DNNF, or has another compiler do it, and counts its solutions. What was compiled is then checked.
func (t *Compile) runDDNNF(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	p, err := experiments.Measured(m, experiments.Encode, func() (encode.Problem, error) { return t.Build() })
	if err != nil {
		return experiments.Finding{}, err
	}
	compiler, other := t.Compiler.find(t.programs)
	var g *ask.CompiledDDNNF
	var reading float64
	name := "ddnnf"
	err = m.Time(experiments.Build, func() (err error) {
		if !other {
			g, err = ask.CompileDDNNF(ctx, p, ask.Resources{})
			return err
		}
		name = compiler.Name
		return compiler.Compile(ctx, p, func(file *os.File) (err error) {
			start := time.Now()
			g, err = ask.ReadDDNNF(ctx, file, "its file", p, ask.Resources{})
			reading = time.Since(start).Seconds()
			return err
		})
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	solutions, err := experiments.Measured(m, experiments.Count, func() (*big.Int, error) {
		return ask.OracleDDNNF(g, ask.Resources{}).Count(ctx, nil)
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	if err := ask.CheckDDNNF(ctx, g, name); errors.As(err, new(*ask.Mismatch)) {
		return experiments.Finding{}, &experiments.Contradiction{By: ask.CheckedBy, Err: err}
	} else if err != nil {
		return experiments.Finding{}, err
	}
	result := NewDDNNFResult(g, solutions)
	if other {
		result.ReadSeconds = &reading
	}
	return experiments.Finding{Answer: result.Solutions, CheckedBy: ask.CheckedBy, Values: result}, nil
}
