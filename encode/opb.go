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

// ReadOPB reads a file in OPB, the linear format of the pseudo-Boolean competitions (Roussel and
// Manquinho, Input/output format and solver requirements for the competitions of pseudo-Boolean solvers,
// 2012), as a problem, with the variable order given by its comments, as [ReadCNF] does. Coefficients
// must be 1 or -1, and a constraint, >=, <= or =, must require at least, at most or exactly one true
// literal or one false literal, all literals, or none. Variables are x1, x2 and so on, and ~x1 is a
// negation; "* 1 NAME" above the constraints names x1. Errors name the place as file:line, the line on
// which the constraint begins.
func ReadOPB(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	o := &opbReader{line: 1, apart: strings.NewReplacer(">=", " >= ", "<=", " <= ", "=", " = ")}
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, cnf.LongestLine)
	scan.Split(splitOPB)
	for err == nil && scan.Scan() {
		if text := scan.Text(); text == "\n" {
			o.line++
		} else if err = o.read(text); err == nil {
			o.line += strings.Count(text, "\n")
		}
	}
	if err == nil {
		err = scan.Err()
	}
	if err != nil {
		return Problem{}, nil, fmt.Errorf("%s:%d: %w", file, o.line, err)
	}
	p = Problem{Family: "opb", Constraints: o.constraints}
	p.Names, order, p.Note = named(o.vars, o.comments, file)
	return asBoard(p), whole(order, o.vars), nil
}

// splitOPB is a [bufio.SplitFunc] for comment lines, constraints with their ";", and the ends of
// lines between them.
func splitOPB(data []byte, atEOF bool) (advance int, token []byte, err error) {
	text := bytes.TrimLeft(data, " \t\r")
	blank := len(data) - len(text)
	end := 0
	switch {
	case len(text) == 0:
		return blank, nil, nil
	case text[0] == '*':
		end = bytes.IndexByte(text, '\n')
	case text[0] != '\n':
		end = bytes.IndexByte(text, ';') + 1
	default:
		end = 1
	}
	if end <= 0 {
		if !atEOF {
			return blank, nil, nil
		}
		end = len(text)
	}
	return blank + end, text[:end], nil
}

type opbReader struct {
	line        int               // on which the current comment or constraint begins
	apart       *strings.Replacer // puts spaces around operators
	vars        int
	comments    []cnf.Comment
	constraints []Constraint
}

// farBound is larger than any sum, since a line bounds the number of terms, but far from overflow.
const farBound = 2 * cnf.LongestLine

// read processes a comment line or a constraint.
func (o *opbReader) read(text string) error {
	if text, comment := strings.CutPrefix(text, "*"); comment {
		if c, ok := cnf.ParseComment(text, o.line); ok && o.constraints == nil && c.Var <= cnf.MaxVar {
			o.comments = append(o.comments, c)
		}
		if words := strings.Fields(text); len(words) > 1 && words[0] == "#variable=" {
			vars, err := strconv.Atoi(words[1])
			if err != nil || vars < 0 || vars > cnf.MaxVar {
				return fmt.Errorf("%q variables: expected a whole number from 0 to %d", words[1], cnf.MaxVar)
			}
			o.vars = max(o.vars, vars)
		}
		return nil
	}
	text, complete := strings.CutSuffix(text, ";")
	words := strings.Fields(o.apart.Replace(text))
	at := slices.IndexFunc(words, func(word string) bool { return word == ">=" || word == "<=" || word == "=" })
	switch {
	case strings.HasPrefix(text, "min:") || strings.HasPrefix(text, "max:"):
		return fmt.Errorf("%s an objective: supported are constraints only", text[:4])
	case !complete:
		return fmt.Errorf("the file ends within a constraint: expected ; after it")
	case at < 0 || at != len(words)-2:
		return fmt.Errorf("a constraint without a bound: expected terms, then >=, <= or =, then a number")
	}
	bound, err := strconv.Atoi(words[at+1])
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("bound %q: expected a whole number", words[at+1])
	}
	bound = min(max(bound, -farBound), farBound)
	lits := make([]cnf.Lit, 0, at/2)
	for term := range slices.Chunk(words[:at], 2) {
		l, shift, err := o.term(term)
		if err != nil {
			return err
		}
		lits = append(lits, l)
		bound += shift
	}
	slices.Sort(lits)
	for i, l := range lits {
		if i > 0 && lits[i-1] == l {
			return fmt.Errorf("a weighted sum: variable x%d occurs twice, and supported are the coefficients 1 and -1", l.Var())
		}
	}
	rest := slices.DeleteFunc(slices.Clone(lits), func(l cnf.Lit) bool {
		_, both := slices.BinarySearch(lits, l.Not())
		return both
	})
	bound -= (len(lits) - len(rest)) / 2 // x + not x is 1
	return o.constraint(rest, words[at], bound)
}

// term returns the literal of a coefficient and a variable. The term equals the literal minus shift: -l
// is (not l) - 1.
func (o *opbReader) term(words []string) (l cnf.Lit, shift int, err error) {
	c, err := strconv.Atoi(words[0])
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange) || len(words) < 2:
		return 0, 0, fmt.Errorf("%q: expected a coefficient and a variable, as in +1 x1 or -1 ~x1", strings.Join(words, " "))
	case c != 1 && c != -1:
		return 0, 0, fmt.Errorf("a weighted sum, with coefficient %s: supported are 1 and -1", words[0])
	}
	name, not := strings.CutPrefix(words[1], "~")
	number, is := strings.CutPrefix(name, "x")
	v, err := strconv.Atoi(number)
	if !is || err != nil || v < 1 || v > cnf.MaxVar {
		return 0, 0, fmt.Errorf("variable %q: expected x1 to x%d, or ~x1", words[1], cnf.MaxVar)
	}
	o.vars = max(o.vars, v)
	if not {
		v = -v
	}
	return cnf.Lit(c * v), (1 - c) / 2, nil
}

// constraint adds the constraint that at least, at most or exactly k of sorted literals are true.
func (o *opbReader) constraint(lits []cnf.Lit, operator string, k int) error {
	if operator == "<=" {
		lits, k = negated(lits), len(lits)-k
	}
	name := fmt.Sprintf("line %d", o.line)
	exactly := operator == "="
	switch {
	case k > len(lits) || k < 0 && exactly: // false
		o.add(AtLeastOne(name))
	case k == len(lits):
		o.units(name, lits)
	case k <= 0 && !exactly: // true
	case k == 0:
		o.units(name, negated(lits))
	case exactly && k == 1:
		o.add(ExactlyOne(name, lits...))
	case exactly && k == len(lits)-1:
		o.add(ExactlyOne(name, negated(lits)...))
	case k == 1:
		o.add(asWritten(name, lits)) // -x -y >= -1 is an at-most-one
	case k == len(lits)-1:
		o.add(AtMostOne(name, negated(lits)...))
	default:
		return fmt.Errorf("%s %d of %d literals: supported are at least, at most and exactly one true or one false, "+
			"all and none", map[bool]string{false: "at least", true: "exactly"}[exactly], k, len(lits))
	}
	return nil
}

func (o *opbReader) units(name string, lits []cnf.Lit) {
	for _, l := range lits {
		o.add(AtLeastOne(name, l))
	}
}

func (o *opbReader) add(c Constraint) { o.constraints = append(o.constraints, c) }

// negated returns the negations of sorted literals, sorted.
func negated(lits []cnf.Lit) []cnf.Lit {
	not := make([]cnf.Lit, len(lits))
	for i, l := range lits {
		not[len(lits)-1-i] = l.Not()
	}
	return not
}

// WriteOPB writes the problem in OPB, its fixed literals as constraints, for [ReadOPB] and
// for any pseudo-Boolean solver. order holds every variable once; comments give names and
// order.
func (p Problem) WriteOPB(w io.Writer, order []cnf.Var) error {
	if p.Auxiliary > 0 {
		return fmt.Errorf("writing %s in OPB: the format cannot say that %d of its variables do not count", p, p.Auxiliary)
	}
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
		switch {
		case c.Least == c.Most && len(c.Lits) > 1:
			write(1, c.Lits, "=", c.Least)
		case c.Least > 0:
			write(1, c.Lits, ">=", c.Least)
		default:
			write(-1, c.Lits, ">=", -c.Most)
		}
	}
	for _, l := range p.Fixed {
		write(1, []cnf.Lit{l}, ">=", 1)
	}
	return b.Flush()
}
