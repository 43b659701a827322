package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
	"queens/internal/param"
	"queens/internal/system"
	"queens/order"
)

// flags are a command's flags: the problem, what is fixed in it, and the choice of a back-end.
type flags struct {
	ask.Setup
	place, block, assume string
	instance             string      // a file in a format of CSPLib
	exclude              int         // number of its diagonals that stay empty; -1 for all
	file, nnf            string      // a saved diagram, a compiled d-DNNF
	provable             bool        // read the file so that proofs refer to its clauses
	whole                bool        // count over all variables of a file, even if it declares a projection
	fileOrder            order.Order // the order that the problem's file gives; nil for none
}

// registerProblem adds the flags that choose the problem.
func (f *flags) registerProblem(cmd *cobra.Command) {
	f.Problem = ask.Queens
	cmd.Flags().VarP(size{&f.N}, "size", "n", "size of the board, or of the --problem")
	nameFlag(cmd, (*string)(&f.Problem), "problem", "family of problems", f.Problem.Values())
	for _, format := range encode.Formats() {
		cmd.Flags().Func(format.Name, "take the problem from this `file` in "+format.Doc, func(file string) error {
			f.Problem = ask.ProblemName(format.Name + ":" + file)
			return nil
		})
	}
	cmd.MarkFlagsMutuallyExclusive(append(formatFlags(), "problem")...)
	cmd.MarkFlagsMutuallyExclusive(append(formatFlags(), "size")...)
}

// formatFlags returns the flags that name a file.
func formatFlags() (names []string) {
	for _, format := range encode.Formats() {
		names = append(names, format.Name)
	}
	return names
}

// on returns the function that runs a command: it reads the problem, shows what is being done with it, and
// calls do.
func (f *flags) on(
	doing string, do func(context.Context, console, encode.Problem) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		ctx, c := cmd.Context(), consoleOf(cmd)
		if _, file := f.Problem.File(); file != "" {
			working(ctx, "reading %s", filepath.Base(file)) // the line has room for the name and the time
		}
		var notes strings.Builder // not into the progress line
		reader := c
		reader.err = &notes
		p, err := f.problem(reader)
		workOf(ctx).hide()
		fmt.Fprint(c.err, notes.String())
		if err != nil {
			return err
		}
		working(ctx, "%s %s", doing, p)
		return do(ctx, c, p)
	}
}

// problem returns the problem with the placed and blocked cells and the assumptions fixed.
func (f *flags) problem(c console) (p encode.Problem, err error) {
	queens, blocked, err := f.readInstance()
	if err == nil {
		err = f.Sized()
		for flag, file := range map[string]string{"nnf": f.nnf, "diagram-file": f.file} {
			if err != nil && file != "" {
				return p, invalid("flag --%s needs %s or -n", flag, encode.EachFormat("--NAME", ", "))
			}
		}
	}
	if err == nil {
		p, f.fileOrder, err = f.read()
	}
	if err != nil {
		return p, exit(badInput, flagged(err))
	}
	if p.Note != "" {
		fmt.Fprintln(c.err, "harness: note:", p.Note)
	}
	for _, list := range []struct{ flag, text string }{{"place", f.place}, {"block", f.block}, {"assume", f.assume}} {
		lits, err := literals(p, list.text, list.flag == "assume")
		if err != nil {
			return p, invalid("flag --%s: %w", list.flag, err)
		}
		for _, l := range lits {
			if list.flag == "block" {
				l = l.Not()
			}
			p = p.With(l)
		}
	}
	for _, l := range append(encode.Literals(f.N, queens, true), encode.Literals(f.N, blocked, false)...) {
		if !slices.Contains(p.Fixed, l) { // a cell may be in --place or --block, too
			p = p.With(l)
		}
	}
	return p, nil
}

// The size limits of files, in bytes: a problem, a table of orders, a board.
const (
	mostProblem  = 256 << 20
	mostTable    = 64 << 20
	mostInstance = 16 << 20
)

// read builds the problem or reads its file, and reads the order file that --order names, if any. File names
// are literal here; the patterns of configurations do not apply.
func (f *flags) read() (p encode.Problem, own order.Order, err error) {
	if format, path := f.Problem.File(); path == "" {
		p, own, err = f.Read()
	} else {
		of, _ := encode.FormatNamed(format)
		read := of.Read
		switch {
		case f.whole && of.Whole != nil:
			read = of.Whole
		case f.provable && of.Provable != nil:
			read = of.Provable
		}
		var content io.Reader
		if content, path, err = readInput(path, mostProblem); err == nil {
			if p, own, err = read(content, path); err != nil {
				err = fmt.Errorf("%w%s", err, otherFormat(format, path))
			}
		}
	}
	if err == nil {
		var named order.Order
		if named, err = f.Order.Read(p.Names); named != nil {
			own = named
		}
	}
	return p, own, err
}

// otherFormat suggests the flag of another format, if a file that could not be read has that one's ending; otherwise "".
func otherFormat(format, path string) string {
	for _, other := range encode.Formats() {
		if other.Name != format && strings.HasSuffix(path, other.Ending) {
			return fmt.Sprintf("; did you mean --%s?", other.Name)
		}
	}
	return ""
}

// readInput reads a text file without its byte order mark; see [system.ReadInput].
func readInput(path string, most int64) (content io.Reader, name string, err error) {
	text, name, err := system.ReadInput(path, most)
	return bytes.NewReader(bytes.TrimPrefix(text, []byte(param.ByteOrderMark))), name, err
}

// readInstance returns the queens and the empty cells of --instance, and sets the board size to its size.
func (f *flags) readInstance() (queens, blocked []board.Cell, err error) {
	if f.instance == "" && f.exclude > 0 {
		return nil, nil, errors.New("flag --exclude: expected --instance FILE as well")
	}
	if f.instance == "" {
		return nil, nil, nil
	}
	content, name, err := readInput(f.instance, mostInstance)
	if err != nil {
		return nil, nil, err
	}
	in, err := csplib.Read(content, name)
	if err != nil {
		return nil, nil, err
	}
	f.N = in.N
	if f.exclude < 0 {
		f.exclude = len(in.Diagonals)
	}
	blocked, err = in.Blocked(f.exclude)
	return in.Queens, blocked, err
}

// literals parses a comma-separated list of variables, each named once. If signed is set, it is a list of
// literals: names or numbers, with - for not.
func literals(p encode.Problem, list string, signed bool) (lits []cnf.Lit, err error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		name, negative := strings.CutPrefix(word, "-")
		l, err := p.Literal(word)
		if !signed {
			var v cnf.Var
			v, err = p.Names.Var(name)
			l = v.Pos()
		}
		switch {
		case err != nil:
			return nil, err
		case negative && !signed:
			return nil, fmt.Errorf("%q: expected a name; --assume takes -%s", word, name)
		case slices.Contains(lits, l):
			return nil, fmt.Errorf("%s is given twice", p.Word(l))
		case slices.Contains(lits, l.Not()):
			return nil, fmt.Errorf("%s and %s contradict each other", p.Word(l.Not()), p.Word(l))
		}
		lits = append(lits, l)
	}
	return lits, nil
}

// about begins the report of a command about a problem.
func (f *flags) about(p encode.Problem) about {
	a := about{Problem: p.Family, N: p.N, Placed: p.VarNames(p.FixedVars(true)), Blocked: p.VarNames(p.FixedVars(false))}
	format, path := f.Problem.File()
	if file := a.of(format); file != nil {
		*file = path
	}
	return a
}

// checkKnown compares the number of solutions with the published one. It does nothing if there is no
// published number or if variables are fixed.
func (f *flags) checkKnown(p encode.Problem, count string) error {
	if known, source := f.Known(); known != "" && known != count && len(p.Fixed) == 0 {
		return exit(wrongAnswer, fmt.Errorf("%s: %s solutions, but %s has %s", p, count, source, known))
	}
	return nil
}
