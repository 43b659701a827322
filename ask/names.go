package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"queens/backends/bdd"
	"queens/backends/sat"
	"queens/backends/sat/solvers"
	"queens/encode"
	"queens/encode/amo"
	"queens/order"
	"queens/param"
	"queens/robdd"
	"queens/system/program"
)

// The types of a Choice's fields. Their values come from the packages that own them, so a new
// order or encoding is available everywhere at once.

// texts returns the text of each item of a list.
func texts[T any](list []T, text func(T) string) []string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = text(item)
	}
	return words
}

// BackendName is the name of a back-end.
type BackendName string

// Values lists the back-ends.
func (BackendName) Values() []string { return Names(All()) }

// MethodName is a back-end's method for finding what is possible.
type MethodName string

// bestMethod stands for the back-end's best method.
const bestMethod = "default"

// Values lists the methods of all back-ends.
func (MethodName) Values() []string {
	names := []string{bestMethod}
	for _, b := range All() {
		for _, m := range b.Methods() {
			if !slices.Contains(names, m) {
				names = append(names, m)
			}
		}
	}
	return names
}

// OrderName is the name of a variable order, or file: and the path of an order file, in which {n}
// stands for the size of the problem.
type OrderName string

var (
	_ param.Patterned = OrderName("")
	_ param.Pinned    = OrderName("")
)

// Values lists the named orders.
func (OrderName) Values() []string {
	return texts(order.All(), func(o order.Named) string { return o.Name })
}

// Pattern accepts any seed and any order file.
func (OrderName) Pattern() (expression, title string) {
	return "^((force|random):[0-9]{1,19}|file:.+)$", "force:SEED, random:SEED or file:PATH"
}

// orderFile is the prefix of the name of an order read from a file.
const orderFile = "file:"

// Pin implements [param.Pinned].
func (o OrderName) Pin() ([]string, error) {
	if strings.Contains(string(o), param.SizeInName) { // pinned for each size
		return []string{string(o)}, nil
	}
	pin, err := o.pin(0)
	return []string{pin}, err
}

// isFile reports whether the order is read from a file.
func (o OrderName) isFile() bool { return strings.HasPrefix(string(o), orderFile) }

// Pinned returns the name with the hash of its file's content, if it names a file, which must hold
// the problem's variables. A pinned file that has gone or changed is left to the run.
func (o OrderName) Pinned(p encode.Problem) (OrderName, error) {
	if !o.isFile() {
		return o, nil
	}
	pin, err := o.pin(p.N)
	if err != nil && param.Unpinned(string(o)) != string(o) {
		return o, nil
	}
	if _, _, err := o.For(p, nil); err != nil {
		return o, err
	}
	return OrderName(pin), nil
}

// pin adds the hash of an order file for problems of size n.
func (o OrderName) pin(n int) (string, error) {
	file, isFile := strings.CutPrefix(string(o), orderFile)
	if !isFile {
		return string(o), nil
	}
	_, _, pin, err := param.PinFile(file, n)
	return orderFile + pin, err
}

// OfBoard returns the order for an empty board of queens of size n.
func (o OrderName) OfBoard(n int) (order.Order, error) {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, wrong("n", "%v", err)
	}
	made, _, err := o.For(p, nil)
	return made, err
}

// For returns the order of a problem's variables, and its name for people, who want to know what
// an empty name or estimate stands for. The empty name is the order of the problem's own file, if
// it came with one; otherwise row-major for what lies on a board, and estimate for the rest.
func (o OrderName) For(p encode.Problem, own order.Order) (made order.Order, name OrderName, err error) {
	switch {
	case o == "" && own != nil:
		return own, "the file's", nil
	case o == "" && p.Place != nil:
		o = "row-major"
	case o == "":
		o = estimated
	}
	if o == estimated {
		made, from := order.Estimate(p)
		return made, estimated + ": " + OrderName(from), nil
	}
	if file, isFile := strings.CutPrefix(string(o), orderFile); isFile {
		content, path, _, err := param.PinFile(file, p.N)
		if err != nil {
			return nil, o, wrong("order", "reading order file: %v", err)
		}
		if made, err = order.Read(bytes.NewReader(content), path, p.Names); err != nil {
			return nil, o, wrong("order", "%v", err)
		}
		return made, o, nil
	}
	named, err := order.ByName(string(o))
	if err != nil {
		return nil, o, &param.Error{Field: "order", Text: param.Wrong(o, string(o))}
	}
	if made, err = named.For(p); err != nil {
		return nil, o, wrong("order", "%v", err)
	}
	return made, o, nil
}

// estimated is the order that chooses among others.
const estimated = "estimate"

// ConstructionName is the name of a way to build a diagram.
type ConstructionName string

// Values lists the constructions.
func (ConstructionName) Values() []string {
	return texts(bdd.Constructions(), func(c bdd.Construction) string { return c.Name })
}

// DiagramName is a kind of decision diagram.
type DiagramName string

// Of returns a compiled problem's diagram as this kind.
func (d DiagramName) Of(ctx context.Context, c *bdd.Compiled) (*robdd.Diagram, error) {
	kind, err := robdd.ParseKind(string(d))
	if err != nil {
		return nil, wrong("diagram", "%v", err)
	}
	return c.As(ctx, kind)
}

// Values lists the kinds.
func (DiagramName) Values() []string { return texts(robdd.Kinds(), robdd.Kind.String) }

// AMOName is the name of an at-most-one encoding.
type AMOName string

// Values lists the encodings.
func (AMOName) Values() []string {
	return texts(amo.All(), func(a amo.Encoding) string { return a.Name })
}

// FormulaName says what a SAT solver is asked about.
type FormulaName string

// Values lists the formulas.
func (FormulaName) Values() []string {
	return texts(sat.Formulas(), func(f sat.Formula) string { return string(f) })
}

// SolverName is the name of a SAT solver, or its command.
type SolverName string

var _ param.Patterned = SolverName("")

// gini is the SAT solver that is always available, in this process.
const gini = "gini"

// Values lists the known solvers, installed or not.
func (SolverName) Values() []string { return append([]string{gini}, solvers.Names()...) }

// Pattern accepts the command of any solver, and names defined in a configuration.
func (SolverName) Pattern() (expression, title string) {
	return `.`, "a name from solvers, or a command, as in kissat -q {cnf}; one without {cnf} speaks the line protocol"
}

// find returns the program that the name stands for, nil for gini.
func (s SolverName) find(programs program.Descriptions) (*solvers.Solver, error) {
	if s == "" || s == gini {
		return nil, nil
	}
	described, ok := programs["solver"][string(s)]
	if ok {
		found, err := solvers.Describe(string(s), described.Command, described.Version)
		return &found, err
	}
	found, err := solvers.Find(string(s))
	if err != nil {
		return nil, wrong("solver", "%v%s", err, param.DidYouMean(string(s), s.Values()))
	}
	return &found, nil
}

// Version returns the solver's version, and its command if it is an outside program. It fails if
// the program does not report its version.
func (s SolverName) Version(ctx context.Context, programs program.Descriptions) (string, error) {
	found, err := s.find(programs)
	switch {
	case err != nil:
		return "", err
	case found == nil:
		return "v1.0.4", nil
	}
	session := found.Open()
	defer session.Close()
	version, err := session.Version(ctx)
	return version + " (" + found.Command + ")", err
}

// EngineName is the name of a diagram package, or its command.
type EngineName string

var _ param.Patterned = EngineName("")

// Ours is the built-in engine, which runs in this process.
const Ours EngineName = "queens"

// Values lists the engines that a configuration need not describe.
func (EngineName) Values() []string { return []string{string(Ours)} }

// Pattern accepts the command of any engine, and names defined in a configuration.
func (EngineName) Pattern() (expression, title string) {
	return `.`, "a name from engines, or a command with {cnf} or {ops}, as in bin/engines/buddy {ops}"
}

// checkProgram returns an error for a value of a field that is neither a command, the name of a
// program that a configuration describes, nor one of the names known here, of which the first is built
// in and cannot be described.
func checkProgram(field, what, value string, described map[string]program.Description, known []string) error {
	if _, taken := described[known[0]]; taken {
		return wrong(field, "%ss.%s: the name is reserved: choose another", field, known[0])
	}
	names := append(slices.Sorted(maps.Keys(described)), known...)
	if value == "" || program.IsCommand(value) || slices.Contains(names, value) {
		return nil
	}
	return wrong(field, "%s %q: expected one of %s, a name from %ss, or a command%s",
		what, value, strings.Join(names, ", "), field, param.DidYouMean(value, names))
}

// ProblemName is the name of a family of problems, or cnf: or opb: and the path of a file, which may
// be a pattern in configurations.
type ProblemName string

var (
	_ param.Patterned = ProblemName("")
	_ param.Pinned    = ProblemName("")
)

// Queens is the default family.
const Queens ProblemName = "queens"

// Values lists the families.
func (ProblemName) Values() []string {
	return texts(encode.Families(), func(f encode.Family) string { return f.Name })
}

// Pattern accepts any file.
func (ProblemName) Pattern() (expression, title string) {
	return "^(cnf|opb):.+$", "cnf:FILE or opb:FILE"
}

// File returns the format and the path of the problem's file; the path is empty for a family.
func (n ProblemName) File() (format, path string) {
	format, path, _ = strings.Cut(string(n), ":")
	return format, path
}

// Gone reports whether the problem's file, named with the hash of its content, is not there.
func (n ProblemName) Gone() bool {
	_, path := n.File()
	bare := param.Unpinned(path)
	_, err := os.Stat(bare)
	return bare != path && errors.Is(err, fs.ErrNotExist)
}

// Pin implements [param.Pinned].
func (n ProblemName) Pin() (pins []string, err error) {
	format, path := n.File()
	if path == "" {
		return []string{string(n)}, nil
	}
	files := []string{path}
	if strings.ContainsAny(path, "*?[") {
		if files, err = filepath.Glob(path); err != nil || files == nil {
			return nil, fmt.Errorf("no file matches %s", path)
		}
	}
	for _, file := range files {
		_, _, pin, err := param.PinFile(file, 0)
		if err != nil {
			return nil, err
		}
		pins = append(pins, format+":"+filepath.ToSlash(pin))
	}
	return pins, nil
}

// read builds the problem of size n, or reads it from its file, which may give its variables an
// order.
func (n ProblemName) read(size int) (encode.Problem, order.Order, error) {
	format, path := n.File()
	if path == "" {
		family, err := encode.FamilyNamed(string(n))
		if err != nil {
			return encode.Problem{}, nil, &param.Error{Field: "problem", Text: param.Expected(string(n), n.Values(), "")}
		}
		p, err := family.Build(size)
		return p, nil, err
	}
	content, path, _, err := param.PinFile(path, 0)
	if err != nil {
		return encode.Problem{}, nil, wrong("problem", "%v", err)
	}
	read := encode.ReadCNF
	if format == "opb" {
		read = encode.ReadOPB
	}
	p, own, err := read(bytes.NewReader(content), path)
	if err != nil {
		return p, nil, wrong("problem", "%v", err)
	}
	return p, own, nil
}
