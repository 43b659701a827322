package encode

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"queens/encode/cnf"
)

// ReadOPB reads a file in OPB, the linear format of the pseudo-Boolean competitions (Roussel
// and Manquinho, Input/output format and solver requirements for the competitions of
// pseudo-Boolean solvers, 2012), as a problem, and the variable order that its comments give,
// as [ReadCNF] does. Coefficients are 1 or -1, and a constraint, >=, <= or =, must ask for at
// least, at most or exactly one true literal, or one false, or for all or none. Variables are
// x1, x2 and so on, ~x1 is a negation; "* 1 NAME" above the constraints names x1. Errors name
// the place as file:line.
func ReadOPB(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	o := &opbReader{words: cnf.NewWords(r)}
	switch err = o.read(); {
	case err == io.EOF && o.line > 0:
		err = fmt.Errorf("the file ends within a constraint: expected ; after it")
	case err == io.EOF:
		err = nil
	}
	if err != nil {
		return Problem{}, nil, fmt.Errorf("%s:%d: %w", file, o.words.Line(), err)
	}
	p = Problem{Family: "opb", Constraints: o.constraints}
	if p.Names, order, err = named(o.vars, o.comments, file); err != nil {
		return Problem{}, nil, err
	}
	return asBoard(p), order, nil
}

type opbReader struct {
	words       *cnf.Words
	vars        int
	comments    []cnf.Comment
	constraints []Constraint

	// The constraint that is being read: a sum of literals, whose coefficients are 1.
	line        int // on which it begins, 0 between constraints
	coefficient int // for the next variable, 0 if there is none yet
	lits        []cnf.Lit
	shift       int // what the sum has more than the file's
	operator    string
	bound       string
}

// read reads up to the end of the file, where it returns io.EOF.
func (o *opbReader) read() error {
	for {
		word, first, err := o.words.Next()
		if err != nil {
			return err
		}
		if first && word[0] == '*' {
			err = o.comment(string(word))
		} else {
			err = o.take(word)
		}
		if err != nil {
			return err
		}
	}
}

// comment takes the rest of a comment line.
func (o *opbReader) comment(word string) error {
	text, err := o.words.Rest()
	text = word[1:] + text
	if c, ok := cnf.ParseComment(text, o.words.Line()); ok && o.constraints == nil && c.Var <= cnf.MaxVar {
		o.comments = append(o.comments, c)
	}
	if words := strings.Fields(text); err == nil && len(words) > 1 && words[0] == "#variable=" {
		o.vars, err = opbVariable(words[1])
	}
	return err
}

// take takes a word, which may hold operators and ";" without white space around them.
func (o *opbReader) take(word []byte) error {
	for len(word) > 0 {
		end := bytes.IndexAny(word, "<>=;:")
		switch {
		case end < 0:
			end = len(word)
		case end == 0:
			if end = 1; len(word) > 1 && word[1] == '=' {
				end = 2
			}
		}
		if err := o.part(string(word[:end])); err != nil {
			return err
		}
		word = word[end:]
	}
	return nil
}

// part takes a part of a constraint: a coefficient, a variable, the operator, the bound or ";".
func (o *opbReader) part(text string) error {
	first := o.line == 0
	if first {
		o.line = o.words.Line()
	}
	variable := strings.TrimPrefix(text, "~")
	switch {
	case text == ";":
		return o.end()
	case first && (text == "min" || text == "max"):
		return fmt.Errorf("%s: an objective: supported are constraints only", text)
	case strings.ContainsAny(text, "<>=:"):
		if text != ">=" && text != "<=" && text != "=" || o.operator != "" {
			return fmt.Errorf("%q: expected >=, <= or =, once", text)
		}
		o.operator = text
		return nil
	case o.operator != "":
		if o.bound != "" {
			return fmt.Errorf("%q: expected ; after the bound %s", text, o.bound)
		}
		o.bound = text
		return nil
	case variable[:min(1, len(variable))] == "x":
		return o.variable(text, variable[1:])
	}
	c, err := strconv.Atoi(text)
	switch {
	case err != nil || o.coefficient != 0:
		return fmt.Errorf("%q: expected a variable, as in x1 or ~x1", text)
	case c != 1 && c != -1:
		return fmt.Errorf("coefficient %s: supported are 1 and -1", text)
	}
	o.coefficient = c
	return nil
}

var errRepeated = errors.New("a literal occurs twice in the constraint: supported are the coefficients 1 and -1")

// variable takes a variable, which may be negated.
func (o *opbReader) variable(text, number string) error {
	v, err := opbVariable(number)
	switch {
	case err != nil || v == 0:
		return fmt.Errorf("variable %q: expected x1 to x%d", text, cnf.MaxVar)
	case o.coefficient == 0:
		return fmt.Errorf("%q: expected a coefficient before it, 1 or -1", text)
	case len(o.lits) == 2*max(o.vars, v): // found before the file is read to its end
		return errRepeated
	}
	o.vars = max(o.vars, v)
	l := cnf.Lit(v)
	if o.coefficient < 0 { // -l is (not l) - 1
		o.shift++
	}
	if (text[0] == '~') != (o.coefficient < 0) {
		l = -l
	}
	o.lits = append(o.lits, l)
	o.coefficient = 0
	return nil
}

// end takes the constraint that ends here.
func (o *opbReader) end() error {
	bound, err := strconv.Atoi(o.bound)
	switch {
	case o.coefficient != 0:
		return fmt.Errorf("a coefficient without a variable")
	case o.operator == "":
		return fmt.Errorf("a constraint without a bound: expected terms, then >=, <= or =, then a number")
	case err != nil:
		return fmt.Errorf("bound %q: expected a whole number", o.bound)
	}
	slices.Sort(o.lits)
	if len(slices.Compact(slices.Clone(o.lits))) < len(o.lits) {
		return errRepeated
	}
	bound += o.shift
	var lits []cnf.Lit
	for _, l := range o.lits {
		if _, both := slices.BinarySearch(o.lits, l.Not()); !both {
			lits = append(lits, l)
		} else if l > 0 { // x + not x is 1
			bound--
		}
	}
	switch o.operator {
	case ">=":
		err = o.atLeast(lits, bound)
	case "<=":
		err = o.atLeast(negated(lits), len(lits)-bound)
	case "=":
		err = o.exactly(lits, bound)
	}
	o.line, o.lits, o.shift, o.operator, o.bound = 0, o.lits[:0], 0, "", ""
	return err
}

// atLeast adds the constraint that at least k of the literals are true.
func (o *opbReader) atLeast(lits []cnf.Lit, k int) error {
	switch {
	case k <= 0:
	case k > len(lits): // false
		o.add(AtLeastOne, nil)
	case k == 1:
		o.add(AtLeastOne, lits)
	case k == len(lits):
		o.units(lits)
	case k == len(lits)-1:
		o.add(AtMostOne, negated(lits))
	default:
		return unsupported("at least", k, len(lits))
	}
	return nil
}

// exactly adds the constraint that exactly k of the literals are true.
func (o *opbReader) exactly(lits []cnf.Lit, k int) error {
	switch {
	case k < 0 || k > len(lits): // false
		o.add(AtLeastOne, nil)
	case k == 0:
		o.units(negated(lits))
	case k == len(lits):
		o.units(lits)
	case k == 1:
		o.add(ExactlyOne, lits)
	case k == len(lits)-1:
		o.add(ExactlyOne, negated(lits))
	default:
		return unsupported("exactly", k, len(lits))
	}
	return nil
}

func unsupported(bound string, k, of int) error {
	return fmt.Errorf("%s %d of %d literals: supported are at least, at most and exactly one true or one false, "+
		"all and none", bound, k, of)
}

func (o *opbReader) units(lits []cnf.Lit) {
	for _, l := range lits {
		o.add(AtLeastOne, []cnf.Lit{l})
	}
}

func (o *opbReader) add(bound Bound, lits []cnf.Lit) {
	if len(lits) == 2 && lits[1] < 0 && bound == AtLeastOne { // what is written as -x -y >= -1
		bound, lits = AtMostOne, negated(lits)
	}
	o.constraints = append(o.constraints, Constraint{Name: fmt.Sprintf("line %d", o.line), Bound: bound, Lits: lits})
}

// negated returns the negations of sorted literals, sorted.
func negated(lits []cnf.Lit) []cnf.Lit {
	not := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		not[len(lits)-1-i] = l.Not()
	}
	return not
}

// opbVariable parses the number of a variable.
func opbVariable(text string) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > cnf.MaxVar {
		return 0, fmt.Errorf("%q variables: expected a whole number from 0 to %d", text, cnf.MaxVar)
	}
	return v, nil
}

// WriteOPB writes the problem in OPB, its fixed literals as constraints, for [ReadOPB] and
// for any pseudo-Boolean solver. order holds every variable once; comments give names and
// order.
func (p Problem) WriteOPB(w io.Writer, order []cnf.Var) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "* #variable= %d #constraint= %d\n", p.NumVars(), len(p.Constraints)+len(p.Fixed))
	for _, v := range order {
		fmt.Fprintf(b, "* %d %s\n", v, p.VarName(v))
	}
	// A negative literal is written as 1 - x, which every reader knows.
	write := func(sign int, lits []cnf.Lit, operator string, bound int) {
		for _, l := range lits {
			of := sign
			if l < 0 {
				of, bound = -sign, bound-sign
			}
			fmt.Fprintf(b, "%+d x%d ", of, l.Var())
		}
		fmt.Fprintf(b, "%s %d ;\n", operator, bound)
	}
	for _, c := range p.Constraints {
		switch c.Bound {
		case AtLeastOne:
			write(1, c.Lits, ">=", 1)
		case AtMostOne:
			write(-1, c.Lits, ">=", -1)
		case ExactlyOne:
			write(1, c.Lits, "=", 1)
		}
	}
	for _, l := range p.Fixed {
		write(1, []cnf.Lit{l}, ">=", 1)
	}
	return b.Flush()
}
