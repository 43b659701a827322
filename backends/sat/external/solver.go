package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"queens/backends"
	"queens/encode/cnf"
	"queens/system"
)

// Solver is an external solver: a program and how it is asked.
type Solver struct {
	Name    string // of the program
	Package string // of Debian that has it
	path    string
	dialect dialect
}

// dialect is what solvers differ in.
type dialect struct {
	quiet []string // flags for no more output than the answer
	// resultFile says that the answer goes to a file, in MiniSat's own format.
	resultFile bool
	// brave holds the flags for the union of all models, where there are any.
	brave []string
	// proof holds the flags for a proof in text, where proofs are plain DRUP.
	proof []string
}

// known lists the solvers, in the order they are offered.
var known = []Solver{
	{Name: "cadical", Package: "cadical", dialect: dialect{quiet: []string{"-q"}, proof: []string{"--no-binary"}}},
	{Name: "minisat", Package: "minisat", dialect: dialect{quiet: []string{"-verb=0"}, resultFile: true}},
	{Name: "picosat", Package: "picosat"},
	{Name: "clasp", Package: "clasp", dialect: dialect{
		quiet: []string{"--verbose=0"},
		brave: []string{"--verbose=0", "--quiet=1", "--enum-mode=brave", "-n", "0"},
	}},
	{Name: "cryptominisat5", Package: "cryptominisat", dialect: dialect{quiet: []string{"--verb", "0"}}},
}

// Names returns the names of the solvers that can be asked, installed or not.
func Names() []string {
	names := make([]string, len(known))
	for i, s := range known {
		names[i] = s.Name
	}
	return names
}

// Find returns the solver of a name. The error tells an unknown name, and names
// the Debian package of a solver that is not on the PATH.
func Find(name string) (Solver, error) {
	i := slices.IndexFunc(known, func(s Solver) bool { return s.Name == name })
	if i < 0 {
		return Solver{}, fmt.Errorf("external solver %q: expected one of %s", name, strings.Join(Names(), ", "))
	}
	s := known[i]
	path, err := exec.LookPath(s.Name)
	if err != nil {
		return Solver{}, fmt.Errorf("external solver %s: not found on the PATH; its Debian package is %s", s.Name, s.Package)
	}
	s.path = path
	return s, nil
}

// Exit codes of SAT solvers, as in the SAT competitions.
const (
	exitSat   = 10
	exitUnsat = 20
	exitAll   = 30 // clasp's own: satisfiable, and all models have been seen
)

// solve writes the formula to a file and runs the solver on it. After Sat, value
// holds the model, value[v-1] for variable v, checked against the formula. The
// error is the context's, or says what the solver did instead of answering.
func (s Solver) solve(ctx context.Context, f *cnf.Formula) (status backends.Status, value []bool, err error) {
	temporary, err := system.NewTemp("queens-" + s.Name)
	if err != nil {
		return backends.Unknown, nil, fmt.Errorf("asking %s: %w", s.Name, err)
	}
	defer temporary.Remove()
	input, result := filepath.Join(temporary.Dir, "problem.cnf"), filepath.Join(temporary.Dir, "result")
	if err := writeFormula(input, f); err != nil {
		return backends.Unknown, nil, fmt.Errorf("asking %s: %w", s.Name, err)
	}
	words := append(slices.Clone(s.dialect.quiet), input)
	if s.dialect.resultFile {
		words = append(words, result)
	}
	output, code, err := s.run(ctx, words)
	if err != nil {
		return backends.Unknown, nil, err
	}
	switch code {
	case exitUnsat:
		return backends.Unsat, nil, nil
	case exitSat, exitAll:
	default:
		return backends.Unknown, nil, fmt.Errorf("asking %s: it ended with code %d: %s", s.Name, code, firstLine(output))
	}
	if s.dialect.resultFile {
		if output, err = os.ReadFile(result); err != nil {
			return backends.Unknown, nil, fmt.Errorf("asking %s: reading its model: %w", s.Name, err)
		}
		// "SAT", then the literals: the same as value lines but for their "v".
		output = append([]byte("v "), bytes.TrimPrefix(output, []byte("SAT\n"))...)
	}
	value = make([]bool, f.Vars)
	if err := s.values(output, value); err != nil {
		return backends.Unknown, nil, err
	}
	if !f.Eval(value) {
		return backends.Unknown, nil, fmt.Errorf("asking %s: its model does not satisfy the formula", s.Name)
	}
	return backends.Sat, value, nil
}

// values reads the lines that begin with v into value.
func (s Solver) values(output []byte, value []bool) error {
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] != "v" {
			continue
		}
		for _, word := range words[1:] {
			l, err := strconv.Atoi(word)
			if err != nil || l > len(value) || -l > len(value) {
				return fmt.Errorf("asking %s: literal %q in its model of %d variables", s.Name, word, len(value))
			}
			if l > 0 {
				value[l-1] = true
			}
		}
	}
	return lines.Err()
}

// run runs the solver in a process tree of its own, and kills the tree when the
// context ends.
func (s Solver) run(ctx context.Context, words []string) (output []byte, code int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("asking %s: %w", s.Name, err)
	}
	cmd := exec.CommandContext(ctx, s.path, words...)
	cmd.WaitDelay = time.Second // for a child that left the group and holds the output open
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	tree, err := system.Start(cmd, 0)
	if err != nil {
		return nil, 0, fmt.Errorf("asking %s: %w", s.Name, err)
	}
	err = cmd.Wait()
	tree.Close()
	if ctx.Err() != nil {
		return nil, 0, fmt.Errorf("asking %s: %w", s.Name, ctx.Err())
	}
	var ended *exec.ExitError
	switch {
	case err == nil, errors.As(err, &ended) && ended.Exited():
		return stdout.Bytes(), cmd.ProcessState.ExitCode(), nil
	case errors.As(err, &ended):
		return nil, 0, fmt.Errorf("asking %s: %w: %s", s.Name, err, firstLine(stderr.Bytes()))
	}
	return nil, 0, fmt.Errorf("asking %s: %w", s.Name, err)
}

func writeFormula(name string, f *cnf.Formula) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := f.WriteDIMACS(file, nil, nil); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func firstLine(output []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(output), []byte("\n"))
	if len(line) == 0 {
		return "no output"
	}
	return string(line)
}
