package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"queens/backends/bdd"
	"queens/encode"
	"queens/encode/amo"
	"queens/internal/system/program"
	"queens/order"
)

// The placeholders in an engine's command: the file with the problem, the file with a construction's
// operations, and the kind of diagram, bdd or zdd.
const (
	problemFile    = program.FormulaFile
	operationsFile = "{ops}"
	diagramKind    = "{diagram}"
)

// Engine is a diagram package, run as a command.
type Engine struct {
	Name    string
	Command string
}

// Check returns an error if the command is malformed or its program cannot be found.
func (e Engine) Check() error {
	if e.ReadsOperations() == strings.Contains(e.Command, problemFile) {
		return fmt.Errorf("engine %s: its command %q: expected %s or %s for its input file", e.Name, e.Command,
			problemFile, operationsFile)
	}
	if _, err := program.Find(e.Command); err != nil {
		return fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return nil
}

// ReadsOperations reports whether the engine repeats the operations of a construction;
// otherwise it reads the problem and builds the diagram in its own way.
func (e Engine) ReadsOperations() bool { return strings.Contains(e.Command, operationsFile) }

// Makes reports whether the engine makes diagrams of a kind. Every engine makes bdd; one whose command
// has the placeholder for the kind makes any.
func (e Engine) Makes(kind string) bool {
	return kind == "bdd" || strings.Contains(e.Command, diagramKind)
}

// Input is a file with a problem in the form that an engine reads.
type Input struct {
	engine Engine
	dir    string
	words  []string
}

// Prepare writes the file that the engine reads: the operations of the construction, or the problem as
// clauses without auxiliary variables, with the variable order. The caller must close the input.
func (e Engine) Prepare(p encode.Problem, o order.Order, construction, kind string) (in *Input, err error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if p.Auxiliary > 0 || !e.ReadsOperations() && p.HasAuxiliary() {
		return nil, fmt.Errorf("engine %s: the clauses of %s have auxiliary variables, which it would count", e.Name, p)
	}
	p.Numbers = nil // a file's numbers may have gaps, and a package would count the missing variables
	write := func(w io.Writer) error { return p.WriteDIMACS(w, amo.Pairwise, o) }
	if e.ReadsOperations() {
		ops, err := bdd.OperationsOf(p, o, construction)
		if err != nil {
			return nil, err
		}
		write = ops.Write
	}
	words, err := program.Find(e.Command)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	dir, err := os.MkdirTemp("", "queens-bdd-")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "problem")
	values := strings.NewReplacer(problemFile, name, operationsFile, name, diagramKind, kind)
	for i := 1; i < len(words); i++ {
		words[i] = values.Replace(words[i])
	}
	in = &Input{e, dir, words}
	if err := writeFile(name, write); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Close removes the input's directory.
func (in *Input) Close() error { return os.RemoveAll(in.dir) }

// Answer is an engine's report on what it has built. Optional values that it left out
// are nil.
type Answer struct {
	Engine       string   `json:"engine"` // name, version, and what it was built with
	Nodes        *int     `json:"nodes"`  // as [robdd] counts them: internal, of the plain diagram
	PeakNodes    *uint64  `json:"peak_nodes"`
	Solutions    string   `json:"solutions"`
	Bytes        *uint64  `json:"bytes"` // its peak resident memory
	BuildSeconds *float64 `json:"build_seconds"`
}

// Build runs the engine on the input. If the program does not answer, the error says what it did
// instead.
func (in *Input) Build(ctx context.Context) (Answer, error) {
	ended, err := program.Run(ctx, in.words)
	if err == nil && ended.Code != 0 {
		err = program.WithLast(fmt.Errorf("it ended with code %d", ended.Code), ended.Last())
	}
	var a Answer
	if err == nil {
		a, err = read(ended.Stdout)
		if err != nil {
			err = program.WithLast(err, program.LastLine(ended.Stderr))
		}
	}
	if err != nil {
		return Answer{}, fmt.Errorf("asking %s: %w", in.engine.Name, err)
	}
	return a, nil
}

// read decodes the last line that an engine printed.
func read(output []byte) (a Answer, err error) {
	output = bytes.TrimSpace(output)
	line := output[bytes.LastIndexByte(output, '\n')+1:]
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("it answered %q: expected a line of JSON", program.Clip(string(line)))
	}
	count, ok := new(big.Int).SetString(a.Solutions, 10)
	switch {
	case !strings.ContainsAny(a.Engine, "0123456789"):
		return a, fmt.Errorf("it does not report its version: expected name and version as engine, found %q", a.Engine)
	case !ok || count.Sign() < 0 || count.String() != a.Solutions:
		return a, fmt.Errorf("its answer has %q as solutions: expected a number in decimal digits",
			program.Clip(a.Solutions))
	case a.Nodes == nil || *a.Nodes < 0:
		return a, errors.New("its answer has no number of nodes")
	case a.BuildSeconds == nil || *a.BuildSeconds < 0:
		return a, errors.New("its answer has no build_seconds")
	}
	return a, nil
}
