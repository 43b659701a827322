package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
	"queens/order"
	"queens/param"
)

// question is what the flags of a command ask: about a problem with some variables fixed, by the
// back-end that a choice describes.
type question struct {
	ask.Question
	place, block, assume string
	diagonals            string      // a file in the format of CSPLib prob079
	exclude              int         // the number of its diagonals that stay empty; -1 for all
	file                 string      // of a saved diagram
	trace                bool        // see ask.Resources
	fileOrder            order.Order // that the problem's file gives; nil for none
}

// register adds the flags for the problem and what is fixed in it, and those of [registerChoice].
func (q *question) register(cmd *cobra.Command, want ask.Ability, fields ...string) {
	q.registerProblem(cmd)
	cmd.Flags().StringVar(&q.place, "place", "", "cells with queens, comma-separated, as in a1,c2")
	cmd.Flags().StringVar(&q.block, "block", "", "cells that stay empty, comma-separated")
	cmd.Flags().StringVar(&q.assume, "assume", "",
		"literals assumed true, comma-separated: names or numbers of variables, with - for not, as in a1,-b2 or 3,-5")
	cmd.Flags().StringVar(&q.diagonals, "diagonals", "",
		"board with diagonals that stay empty, from this file in the format of CSPLib prob079, in place of -n")
	cmd.Flags().IntVar(&q.exclude, "exclude", -1, "number of these diagonals, from the first on; -1 for all")
	for _, other := range []string{"cnf", "opb", "problem", "size"} {
		cmd.MarkFlagsMutuallyExclusive("diagonals", other)
	}
	q.registerChoice(cmd, want, fields...)
}

// registerProblem adds the flags that say which problem it is.
func (q *question) registerProblem(cmd *cobra.Command) {
	q.Problem = ask.Queens
	cmd.Flags().IntVarP(&q.N, "size", "n", 0, "size of the board, or of the --problem")
	nameFlag(cmd, (*string)(&q.Problem), "problem", "family of problems", q.Problem.Values())
	for format, usage := range map[string]string{"cnf": "DIMACS CNF", "opb": "OPB, the pseudo-Boolean format"} {
		cmd.Flags().Func(format, "take the problem from this `file` in "+usage, func(file string) error {
			q.Problem = ask.ProblemName(format + ":" + file)
			return nil
		})
	}
	cmd.MarkFlagsMutuallyExclusive("cnf", "opb", "problem")
	cmd.MarkFlagsMutuallyExclusive("cnf", "opb", "size")
}

// registerChoice adds --memory and the flags for the named fields of the choice, whose names, help
// and values they have. The back-end must have the wanted abilities.
func (q *question) registerChoice(cmd *cobra.Command, want ask.Ability, fields ...string) {
	v := reflect.ValueOf(&q.Choice).Elem()
	for _, field := range param.Fields(q.Choice) {
		if !slices.Contains(fields, field.Name) {
			continue
		}
		usage := strings.TrimSuffix(field.Doc(), ".")
		if !strings.HasPrefix(usage, "SAT") {
			usage = strings.ToLower(usage[:1]) + usage[1:]
		}
		switch value := field.Of(v).Addr().Interface().(type) {
		case *bool:
			cmd.Flags().BoolVar(value, field.Name, false, usage)
		case *int:
			cmd.Flags().IntVar(value, field.Name, 0, usage+" (default: all)")
		case param.Enumerated:
			names := value.Values()
			if field.Name == "backend" {
				names = ask.Names(ask.Able(want))
			}
			usage += ": " + strings.Join(names, ", ")
			if p, more := value.(param.Patterned); more {
				_, title := p.Pattern()
				usage += ", or " + title
			}
			if field.Of(v).IsZero() {
				usage += " (default: what suits the problem)"
			}
			text := field.Of(v).Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string)
			cmd.Flags().StringVar(text, field.Name, *text, usage)
			complete(cmd, field.Name, names)
		}
	}
	addMemory(cmd)
}

// registerFile adds --diagram-file, for commands that ask a diagram.
func (q *question) registerFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&q.file, "diagram-file", "",
		"load the diagram from this file, written by compile -o, instead of building it")
	for _, other := range []string{"construction", "order", "workers"} {
		cmd.MarkFlagsMutuallyExclusive("diagram-file", other)
	}
}

// backendHelp lists back-ends and, if they are asked what is possible, their methods.
func backendHelp(list []ask.Backend, methods bool) string {
	var text strings.Builder
	for _, b := range list {
		fmt.Fprintf(&text, "  %-10s %s\n", b.Name, b.Doc)
		if methods {
			fmt.Fprintf(&text, "  %-10s   (%s)\n", "", strings.Join(b.Methods(), ", "))
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// on makes the function that runs a command: it reads the problem, says what is done with it, and
// does it.
func (q *question) on(
	doing string, do func(*cobra.Command, encode.Problem) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		p, err := q.problem()
		if err != nil {
			return err
		}
		working(cmd, "%s %s", doing, p)
		return do(cmd, p)
	}
}

// problem returns the problem with the placed and blocked cells and the assumptions fixed.
func (q *question) problem() (p encode.Problem, err error) {
	excluded, err := q.excluded()
	if err == nil {
		err = q.Sized()
	}
	if err == nil {
		p, q.fileOrder, err = q.Read()
	}
	if err != nil {
		return p, exit(badInput, flagged(err))
	}
	for _, list := range []struct {
		flag, text string
		sign       cnf.Lit
	}{{"place", q.place, 1}, {"block", q.block, -1}} {
		vars, err := p.ParseVars(list.text)
		if err != nil {
			return p, invalid("flag --%s: %w", list.flag, err)
		}
		for _, v := range vars {
			p = p.With(list.sign * v.Pos())
		}
	}
	for _, l := range encode.Literals(q.N, excluded, false) {
		if !slices.Contains(p.Fixed, l) { // it may also be blocked by name
			p = p.With(l)
		}
	}
	assumed, err := literals(p, q.assume)
	if err != nil {
		return p, invalid("flag --assume: %w", err)
	}
	return p.With(assumed...), nil
}

// excluded returns the cells of the diagonals that stay empty, and takes the size of their board.
func (q *question) excluded() ([]board.Cell, error) {
	if q.diagonals == "" && q.exclude > 0 {
		return nil, errors.New("flag --exclude: expected --diagonals FILE as well")
	}
	if q.diagonals == "" {
		return nil, nil
	}
	file, err := os.Open(q.diagonals)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := csplib.Read(file, q.diagonals)
	if err != nil {
		return nil, err
	}
	q.N = in.N
	if q.exclude < 0 {
		q.exclude = len(in.Diagonals)
	}
	return in.Blocked(q.exclude)
}

// literals parses a list of literals. A word that is not the name of a variable may be its number.
func literals(p encode.Problem, list string) (lits []cnf.Lit, err error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(list, ",") {
		name, negative := strings.CutPrefix(strings.TrimSpace(word), "-")
		v, err := p.Names.Var(name)
		if number, wrong := strconv.Atoi(name); err != nil && wrong == nil && 1 <= number && number <= p.NumVars() {
			v, err = cnf.Var(number), nil
		}
		if err != nil {
			return nil, err
		}
		if negative {
			lits = append(lits, v.Neg())
		} else {
			lits = append(lits, v.Pos())
		}
	}
	return lits, nil
}

// flagged turns an error about a field of a question into one about the flag.
func flagged(err error) error {
	field := (*param.Error)(nil)
	switch {
	case !errors.As(err, &field):
		return err
	case field.Field == "problem": // which the text names
		return invalid("%s", field.Text)
	case field.Field == "n":
		return invalid("flag -%w", field)
	}
	return invalid("flag --%w", field)
}

// named writes literals as --assume takes them.
func named(p encode.Problem, lits []cnf.Lit) []string {
	names := make([]string, len(lits))
	for i, l := range lits {
		if names[i] = p.VarName(l.Var()); l < 0 {
			names[i] = "-" + names[i]
		}
	}
	return names
}

// about begins the JSON of a command's report: the problem.
type about struct {
	Problem string   `json:"problem"`
	N       int      `json:"n"`
	CNF     string   `json:"cnf,omitempty"`
	OPB     string   `json:"opb,omitempty"`
	Placed  []string `json:"placed"`
	Blocked []string `json:"blocked"`
}

func (q *question) about(p encode.Problem) about {
	a := about{Problem: p.Family, N: p.N, Placed: p.VarNames(p.FixedVars(true)), Blocked: p.VarNames(p.FixedVars(false))}
	switch format, path := q.Problem.File(); format {
	case "cnf":
		a.CNF = path
	case "opb":
		a.OPB = path
	}
	return a
}

// title returns the problem's name in text output: "n = 8", "latin n = 4", "file.cnf".
func (a about) title() string {
	switch {
	case a.CNF+a.OPB != "":
		return a.CNF + a.OPB
	case a.Problem == string(ask.Queens):
		return fmt.Sprintf("n = %d", a.N)
	}
	return fmt.Sprintf("%s n = %d", a.Problem, a.N)
}
