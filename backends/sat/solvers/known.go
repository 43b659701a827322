package solvers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"queens/internal/system/program"
)

// known is a solver that can be chosen by name.
type known struct {
	name    string
	command string // command for one query on a DIMACS file; see [Find]
	debian  string // the Debian package that has it; empty if none does
	bridge  bool   // bench/bridges has a bridge to its library
	mute    bool   // the program cannot report its version
}

// bridgePrefix begins the names of the bridges: programs that speak the line protocol
// for a library.
const bridgePrefix = "queens-sat-"

// resultFile stands, in a command with [program.FormulaFile], for a file for the answer of solvers that write one,
// such as MiniSat.
const resultFile = "{result}"

// list returns the known solvers; menus and help keep this sequence.
func list() []known {
	return []known{
		{"minisat", "minisat -verb=0 {cnf} {result}", "minisat", true, true},
		{"cadical", "cadical -q {cnf}", "cadical", true, false},
		{"cryptominisat", "cryptominisat5 --verb 0 {cnf}", "cryptominisat", true, false},
		{"picosat", "picosat {cnf}", "picosat", true, false},
		{"lingeling", "lingeling -q {cnf}", "", false, false},
		{"kissat", "kissat -q {cnf}", "", false, false},
		{"glucose", "glucose -model -verb=0 {cnf}", "", false, true},
		{"clasp", "clasp --verbose=0 {cnf}", "clasp", false, false},
	}
}

// Names returns the names of the known solvers, installed or not.
func Names() []string {
	var names []string
	for _, k := range list() {
		names = append(names, k.name)
	}
	return names
}

// ofProgram returns the known solver whose program a path is.
func ofProgram(path string) (known, bool) {
	all := list()
	i := slices.IndexFunc(all, func(k known) bool {
		return strings.Fields(k.command)[0] == strings.TrimSuffix(filepath.Base(path), ".exe")
	})
	if i < 0 {
		return known{}, false
	}
	return all[i], true
}

// Solver is an outside solver: a command and how to use it.
type Solver struct {
	Name    string
	Command string // a command line; with {cnf} if the program reads DIMACS
	Version string // empty if the program reports it: see [Client.Version]
	words   []string
}

// Warm reports whether the solver starts only once, and so keeps its learned clauses.
func (s Solver) Warm() bool { return !strings.Contains(s.Command, program.FormulaFile) }

// IsCommand reports whether the text is a command rather than the name of a solver.
func IsCommand(text string) bool { return strings.ContainsAny(text, " /{\\") }

// Find returns the solver for a name or a command. A name stands for the bridge to the
// solver's library if there is one, in the folder that QUEENS_BRIDGES names, in
// bin/bridges, in bridges beside this program or on the PATH; otherwise for the program
// on the PATH. A command has {cnf}
// for the file with the formula, and optionally {result} for the file that the answer
// is written to; a command without {cnf} speaks the line protocol. The error says that
// a name is unknown, or which Debian package or make target provides a solver that is
// not installed.
func Find(text string) (Solver, error) {
	if IsCommand(text) {
		return fromCommand(text, text)
	}
	all := list()
	i := slices.IndexFunc(all, func(k known) bool { return k.name == text })
	if i < 0 {
		return Solver{}, fmt.Errorf("SAT solver %q: expected gini, %s, or a command as in \"kissat -q {cnf}\"", text,
			strings.Join(Names(), ", "))
	}
	k := all[i]
	if k.bridge {
		if path := bridge(bridgePrefix + k.name); path != "" {
			return Solver{Name: k.name, Command: bridgePrefix + k.name, words: []string{path}}, nil
		}
	}
	s, err := fromCommand(k.name, k.command)
	if err != nil {
		how := "there is no Debian package for it"
		if k.debian != "" {
			how = "its Debian package is " + k.debian
		}
		if k.bridge {
			how += ", and make bridges builds the bridge that keeps its library running"
		}
		return Solver{}, fmt.Errorf("SAT solver %s: %s is not on the PATH; %s", k.name, strings.Fields(k.command)[0],
			how)
	}
	return s, nil
}

func fromCommand(name, command string) (Solver, error) {
	words, err := program.Find(command)
	if err != nil {
		return Solver{}, fmt.Errorf("SAT solver %q: %w", name, err)
	}
	return Solver{Name: name, Command: command, words: words}, nil
}

// Describe returns a solver under a name of the user's choice: see [Find] for the
// command. version is for programs that do not report theirs; it may be empty.
func Describe(name, command, version string) (Solver, error) {
	s, err := fromCommand(name, command)
	s.Version = version
	return s, err
}

// bridge returns the path of a bridge; empty if it is not installed.
func bridge(name string) string {
	folders := []string{os.Getenv("QUEENS_BRIDGES"), filepath.Join("bin", "bridges")}
	if own, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Join(filepath.Dir(own), "bridges"))
	}
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			if path, err = filepath.Abs(path); err == nil {
				return path
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
