package encode

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"queens/encode/amo"
	"queens/encode/cnf"
)

// ReadOPB reads a file in OPB, the linear format of the pseudo-Boolean competitions (Roussel and
// Manquinho, Input/output format and solver requirements for the competitions of pseudo-Boolean solvers,
// 2012), as a problem, with the variable order given by its comments, as [ReadCNF] does. It takes every
// linear constraint, >=, <= or =, and refuses objectives, products and soft constraints. A sum that counting some
// literals can express becomes such a constraint; clauses stand for one whose weights add up to more than [MostTotal]. Variables are x1,
// x2 and so on, and ~x1 is a negation; "* 1 NAME" above the constraints names x1. A file with another variable has
// identifiers, numbered as they come. A header, which is the first line, may not announce more constraints than follow, where
// each equation counts twice. Errors name the place as file:line, the line on which the constraint begins.
func ReadOPB(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	var begun bytes.Buffer
	p, order, err = readOPB(io.TeeReader(r, &begun), file, nil)
	if errors.Is(err, errIdentifier) {
		return readOPB(io.MultiReader(&begun, r), file, make(map[string]cnf.Var))
	}
	return p, order, err
}

// errIdentifier says that a file's variables are not x1, x2 and so on.
var errIdentifier = errors.New("an identifier")

// readOPB reads a file whose variables are identifiers, if names is not nil.
func readOPB(r io.Reader, file string, names map[string]cnf.Var) (p Problem, order []cnf.Var, err error) {
	o := &opbReader{line: 1, announced: -1, names: names, apart: strings.NewReplacer(">=", " >= ", "<=", " <= ", "=", " = ")}
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, cnf.LongestLine)
	scan.Split(splitOPB)
	for err == nil && scan.Scan() {
		if text := scan.Text(); text == "\n" {
			o.line++
		} else if err = o.next(text); err == nil {
			o.line += strings.Count(text, "\n")
		}
	}
	if err == nil {
		err = cnf.TooLong(scan.Err())
	}
	if err == nil && o.announced > o.read+o.equalities {
		o.line = max(o.line-1, 1)
		err = fmt.Errorf("the file ends after %d constraints: #constraint= says %d", o.read, o.announced)
	}
	if err != nil {
		return Problem{}, nil, fmt.Errorf("%s:%d: %w", file, o.line, err)
	}
	p = Problem{Family: "opb", Constraints: o.constraints}
	if o.names != nil {
		o.vars, o.comments = len(o.names), o.identified()
	}
	p.Names, order, p.Note = named(o.vars, o.comments, file)
	p = p.without(amo.Sequential, func(c *Constraint) bool { return c.Total() > MostTotal })
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
	announced   int                // how many constraints the header says there are; -1 for none
	read        int                // constraints
	equalities  int                // some writers count them twice
	names       map[string]cnf.Var // identifiers; nil if variables are x1, x2 and so on
	comments    []cnf.Comment
	constraints []Constraint
}

// next processes a comment line or a constraint.
func (o *opbReader) next(text string) error {
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
			if at := slices.Index(words, "#constraint="); o.line == 1 && 0 < at && at < len(words)-1 {
				if o.announced, err = strconv.Atoi(words[at+1]); err != nil || o.announced < 0 {
					return fmt.Errorf("%q constraints: expected a whole number, 0 or more", words[at+1])
				}
			}
		}
		return nil
	}
	text, complete := strings.CutSuffix(text, ";")
	text = strings.TrimSpace(text)
	words := strings.Fields(o.apart.Replace(text))
	at := slices.IndexFunc(words, func(word string) bool { return word == ">=" || word == "<=" || word == "=" })
	switch {
	case complete && (text == "min:" || text == "max:"): // an empty objective
		return nil
	case strings.HasPrefix(text, "min:") || strings.HasPrefix(text, "max:"):
		return fmt.Errorf("%s an objective: supported are constraints only", text[:4])
	case strings.HasPrefix(text, "soft:") || strings.HasPrefix(text, "["):
		return fmt.Errorf("a soft constraint: supported are constraints that must hold")
	case !complete:
		return fmt.Errorf("the file ends within a constraint: expected ; after it")
	case at < 0 || at != len(words)-2:
		return fmt.Errorf("a constraint without a bound: expected terms, then >=, <= or =, then a number")
	}
	bound, err := strconv.ParseInt(words[at+1], 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("bound %q: expected a whole number", words[at+1])
	}
	sum := linear{make([]term, 0, at/2), min(max(bound, -farBound), farBound)}
	for rest := words[:at]; len(rest) > 0; rest = rest[2:] {
		t, err := o.term(rest)
		if err != nil {
			return err
		}
		sum.terms = append(sum.terms, t)
	}
	if words[at] == "<=" { // -sum >= -bound
		for i := range sum.terms {
			sum.terms[i].weight = -sum.terms[i].weight
		}
		sum.bound = -sum.bound
	}
	o.constraints = append(o.constraints, sum.constraints(fmt.Sprintf("line %d", o.line), words[at] == "=")...)
	if o.read++; words[at] == "=" {
		o.equalities++
	}
	return nil
}

// term returns the literal and the weight that the first two words stand for.
func (o *opbReader) term(words []string) (t term, err error) {
	weight, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || len(words) < 2 {
		return t, fmt.Errorf("%q: expected a coefficient and a variable, as in +1 x1 or -1 ~x1", words[0])
	}
	if err != nil || weight > farWeight || weight < -farWeight {
		return t, fmt.Errorf("coefficient %s: supported are -%d to %d", words[0], farWeight, farWeight)
	}
	name, not := strings.CutPrefix(words[1], "~")
	v, err := o.variable(name)
	if err != nil {
		return t, err
	}
	if len(words) > 2 && isIdentifier(strings.TrimPrefix(words[2], "~")) {
		return t, fmt.Errorf("a product, %s %s: supported are sums of literals", words[1], words[2])
	}
	if not {
		v = -v
	}
	return term{cnf.Lit(v), weight}, nil
}

// variable returns the variable of a name, x1 or an identifier.
func (o *opbReader) variable(name string) (v int, err error) {
	if o.names == nil {
		if number, is := strings.CutPrefix(name, "x"); is {
			v, err = strconv.Atoi(number)
		}
		switch {
		case err == nil && 0 < v && v <= cnf.MaxVar:
			o.vars = max(o.vars, v)
			return v, nil
		case isIdentifier(name) && (name[0] != 'x' || err != nil):
			return 0, errIdentifier
		}
		return 0, fmt.Errorf("variable %q: expected x1 to x%d, or an identifier, or one of them after ~", name, cnf.MaxVar)
	}
	known, is := o.names[name]
	switch {
	case is:
		return int(known), nil
	case !isIdentifier(name):
		return 0, fmt.Errorf("variable %q: expected an identifier", name)
	}
	v = len(o.names) + 1
	o.names[name] = cnf.Var(v)
	return v, nil
}

// isIdentifier reports whether a word may name a variable: it begins with a letter or _, and has no sign of the format.
func isIdentifier(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return (unicode.IsLetter(first) || first == '_') && !strings.ContainsAny(word, "~+*,:") && utf8.ValidString(word)
}

// identified returns the identifiers as comments that name variables.
func (o *opbReader) identified() []cnf.Comment {
	var comments []cnf.Comment
	for name, v := range o.names {
		comments = append(comments, cnf.Comment{Var: v, Name: name, Form: cnf.Marked, Words: 1})
	}
	slices.SortFunc(comments, func(a, b cnf.Comment) int { return cmp.Compare(a.Var, b.Var) })
	return comments
}

// ErrProjected says that OPB cannot hold a problem with auxiliary variables.
var ErrProjected = errors.New("OPB cannot say that only some variables count, and the formula has others")

// WriteOPB writes the problem in OPB, its fixed literals as constraints, for [ReadOPB] and
// for any pseudo-Boolean solver. A constraint with two different bounds becomes two. order holds every
// variable once; comments give names and order. A problem with auxiliary variables is [ErrProjected].
func (p Problem) WriteOPB(w io.Writer, order []cnf.Var) error {
	if p.Auxiliary > 0 {
		return ErrProjected
	}
	b := bufio.NewWriter(w)
	lines := len(p.Constraints) + len(p.Fixed)
	for _, c := range p.Constraints {
		if c.isRange() {
			lines++
		}
	}
	fmt.Fprintf(b, "* #variable= %d #constraint= %d\n", p.NumVars(), lines)
	for _, v := range order {
		fmt.Fprintf(b, "* %d %s\n", v, p.VarName(v))
	}
	// A negative literal is written as 1 - x, which every reader knows.
	write := func(sign int, c Constraint, operator string, bound int) {
		for k, l := range c.Lits {
			of := sign * c.Weight(k)
			if l < 0 {
				bound -= of
				of = -of
			}
			fmt.Fprintf(b, "%+d x%d ", of, l.Var())
		}
		fmt.Fprintf(b, "%s %d ;\n", operator, bound)
	}
	for _, c := range p.Constraints {
		switch {
		case c.Least == c.Most && (len(c.Lits) > 1 || c.Weights != nil):
			write(1, c, "=", c.Least)
		case c.isRange():
			write(1, c, ">=", c.Least)
			write(-1, c, ">=", -c.Most)
		case c.Least > 0:
			write(1, c, ">=", c.Least)
		default:
			write(-1, c, ">=", -c.Most)
		}
	}
	for _, l := range p.Fixed {
		write(1, AtLeastOne("", l), ">=", 1)
	}
	return b.Flush()
}

// isRange reports whether a constraint needs a line for each of its two bounds.
func (c Constraint) isRange() bool { return 0 < c.Least && c.Least != c.Most && c.Limits() }
