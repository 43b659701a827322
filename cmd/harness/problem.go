package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/bdd/robdd"
	"queens/choice"
	"queens/configure"
	"queens/encode"
	"queens/encode/cnf"
)

// problemFlags are the flags that describe the problem: a board of queens, another family,
// or a file.
type problemFlags struct {
	boardFlags
	family string
	cnf    string
	opb    string
	assume string

	cnfOrder []cnf.Var // the variable order in the file; nil if it has none
}

func (f *problemFlags) register(cmd *cobra.Command) {
	f.boardFlags.register(cmd)
	f.registerSource(cmd)
	cmd.Flags().StringVar(&f.assume, "assume", "",
		"literals assumed true, comma-separated: names or numbers of variables, with - for not, as in a1,-b2 or 3,-5")
	for _, other := range []string{"size", "problem", "diagonals", "exclude"} {
		cmd.MarkFlagsMutuallyExclusive("cnf", other)
		cmd.MarkFlagsMutuallyExclusive("opb", other)
	}
}

// registerSource registers the flags that say where the problem comes from.
func (f *problemFlags) registerSource(cmd *cobra.Command) {
	families().register(cmd, &f.family, "problem", encode.Families()[0].Name, "family of problems: %s")
	cmd.Flags().StringVar(&f.cnf, "cnf", "", "take the problem from this DIMACS CNF file")
	cmd.Flags().StringVar(&f.opb, "opb", "", "take the problem from this file in OPB, the pseudo-Boolean format")
	cmd.MarkFlagsMutuallyExclusive("cnf", "opb", "problem")
}

func families() choices {
	return describe(encode.Families(), func(f encode.Family) (string, string) { return f.Name, f.Doc })
}

// problem returns the problem that the flags describe, with the placed and blocked cells and
// the assumptions fixed.
func (f *problemFlags) problem() (encode.Problem, error) {
	p, err := f.unfixed()
	if err != nil {
		return encode.Problem{}, err
	}
	for _, list := range []struct {
		flag, text string
		positive   bool
	}{{"place", f.place, true}, {"block", f.block, false}} {
		if p.IsBoard() && f.family == "queens" {
			break // already fixed by unfixed
		}
		vars, err := p.ParseVars(list.text)
		if err != nil {
			return encode.Problem{}, invalid("flag --%s: %w", list.flag, err)
		}
		for _, v := range vars {
			l := v.Pos()
			if !list.positive {
				l = v.Neg()
			}
			p = p.With(l)
		}
	}
	assumed, err := assumptions(p, f.assume)
	if err != nil {
		return encode.Problem{}, invalid("flag --assume: %w", err)
	}
	return p.With(assumed...), nil
}

// unfixed returns the problem without the assumptions. Only a board of queens already has its
// placed and blocked cells fixed.
func (f *problemFlags) unfixed() (encode.Problem, error) {
	switch {
	case f.cnf != "":
		return f.read("cnf", f.cnf, encode.ReadCNF)
	case f.opb != "":
		return f.read("opb", f.opb, encode.ReadOPB)
	}
	family, err := encode.FamilyNamed(f.family)
	if err != nil {
		return encode.Problem{}, families().wrong("problem", f.family, err)
	}
	if family.Name == "queens" {
		return f.boardFlags.problem()
	}
	if f.diagonals != "" || f.exclude >= 0 {
		return encode.Problem{}, invalid("flag --diagonals: supported for queens only, not %s", family.Name)
	}
	if f.n == 0 {
		return encode.Problem{}, invalid("flag -n: expected the size, 1 or more")
	}
	p, err := family.Build(f.n)
	if err != nil {
		return encode.Problem{}, invalid("flag -n %d: %w", f.n, err)
	}
	return p, nil
}

// read reads the file that a flag names.
func (f *problemFlags) read(
	flag, name string, reader func(io.Reader, string) (encode.Problem, []cnf.Var, error),
) (encode.Problem, error) {
	file, err := openFile(name)
	if err != nil {
		return encode.Problem{}, invalid("flag --%s: %w", flag, err)
	}
	defer file.Close()
	p, order, err := reader(file, name)
	f.cnfOrder = order
	return p, exit(badInput, err)
}

// compileFor is how long a problem's diagram may take to build before a solver answers instead.
const compileFor = 5 * time.Second

// options opens the problem that the flags name, to be configured, with what they decide; nil for
// queens. The choice may name a back-end and an order.
func (f *problemFlags) options(ctx context.Context, c choice.Choice) (*configure.Options, []string, error) {
	if f.isQueens() {
		return nil, nil, nil
	}
	p, err := f.problem()
	if err != nil {
		return nil, nil, err
	}
	var decided []string
	for _, l := range p.Fixed {
		decided = append(decided, map[bool]string{true: "", false: "-"}[l.Positive()]+p.VarName(l.Var()))
	}
	p.Fixed = nil
	r := choice.Resources{Bytes: 1 << 30, FileOrder: f.cnfOrder}
	within, best := ctx, c.Backend == ""
	if best {
		c.Backend = "bdd"
		brief, cancel := context.WithTimeout(ctx, compileFor)
		defer cancel()
		within = brief
	}
	made, err := choice.Open(within, p, c, choice.Finds|choice.Valid, r)
	if best && ctx.Err() == nil && (within.Err() != nil || errors.As(err, new(*robdd.LimitError))) {
		made, err = choice.Open(ctx, p, choice.Choice{Backend: "sat"}, choice.Finds|choice.Valid, r)
	}
	if err != nil {
		return nil, nil, exit(badInput, err)
	}
	options := configure.NewOptions(p, made.Answers.(configure.Oracle))
	options.Title = filepath.Base(f.report(p).title())
	return options, decided, nil
}

// isQueens reports whether the flags describe a board of queens.
func (f *problemFlags) isQueens() bool { return f.cnf == "" && f.opb == "" && f.family == "queens" }

// assumptions parses a list of literals. A word that is not the name of a variable may be its
// number.
func assumptions(p encode.Problem, list string) ([]cnf.Lit, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var lits []cnf.Lit
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		name, negative := strings.CutPrefix(word, "-")
		v, err := p.Names.Var(name)
		if err != nil {
			if number, ok := number(name, p.NumVars()); ok {
				v, err = number, nil
			}
		}
		if err != nil {
			return nil, err
		}
		l := v.Pos()
		if negative {
			l = v.Neg()
		}
		lits = append(lits, l)
	}
	return lits, nil
}

// number parses the number of a variable, and reports whether it is in range.
func number(text string, vars int) (cnf.Var, bool) {
	v, err := strconv.Atoi(text)
	return cnf.Var(v), err == nil && 1 <= v && v <= vars
}

// problemReport is the part of a command's JSON that describes the problem.
type problemReport struct {
	Problem string   `json:"problem"`
	N       int      `json:"n"`
	CNF     string   `json:"cnf,omitempty"`
	OPB     string   `json:"opb,omitempty"`
	Placed  []string `json:"placed"`
	Blocked []string `json:"blocked"`
}

func (f *problemFlags) report(p encode.Problem) problemReport {
	return problemReport{
		Problem: p.Family, N: p.N, CNF: f.cnf, OPB: f.opb,
		Placed: p.VarNames(p.FixedVars(true)), Blocked: p.VarNames(p.FixedVars(false)),
	}
}

// title returns the problem's name in text output: "n = 8", "latin n = 4", "file.cnf".
func (r problemReport) title() string {
	switch {
	case r.CNF+r.OPB != "":
		return r.CNF + r.OPB
	case r.Problem == "queens":
		return fmt.Sprintf("n = %d", r.N)
	}
	return fmt.Sprintf("%s n = %d", r.Problem, r.N)
}

// must panics on an error that cannot occur, such as from a flag registered a line before.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
