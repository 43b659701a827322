package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/board"
	"queens/encode/cnf"
	"queens/internal/param"
)

// Names holds the names of the variables 1 to Len. They are distinct, without white space or
// commas; none begins with "-" or is the number of another variable.
type Names interface {
	Len() int
	Name(cnf.Var) string
	// Var is the inverse of Name. The error says what was expected.
	Var(name string) (cnf.Var, error)
}

// Cells names variables after the cells of a board of size n, row by row: a1 is
// variable 1.
type Cells int

func (n Cells) Len() int              { return int(n) * int(n) }
func (n Cells) Name(v cnf.Var) string { return VarCell(int(n), v).String() }
func (n Cells) Var(name string) (cnf.Var, error) {
	c, err := board.ParseCell(name)
	if err == nil {
		err = board.CheckCells(int(n), []board.Cell{c})
	}
	return CellVar(int(n), c), err
}

// List names variable v by its entry v-1. An empty entry stands for the number
// itself: "17".
type List []string

func (l List) Len() int { return len(l) }
func (l List) Name(v cnf.Var) string {
	if name := l[v-1]; name != "" {
		return name
	}
	return strconv.Itoa(int(v))
}
func (l List) Var(name string) (cnf.Var, error) {
	for i, own := range l {
		if own == name && name != "" {
			return cnf.Var(i + 1), nil
		}
	}
	if v, err := strconv.Atoi(name); err == nil && 1 <= v && v <= len(l) && l[v-1] == "" {
		return cnf.Var(v), nil
	}
	return 0, misnamed{name, l}
}

// misnamed is the error for a name that no variable of a list has. Only Error looks for the name that was meant, which takes long.
type misnamed struct {
	name  string
	among List
}

func (m misnamed) Error() string {
	if len(m.among) == 0 {
		return fmt.Sprintf("variable %q: the problem has no variables", m.name)
	}
	names := make([]string, len(m.among))
	for i := range names {
		names[i] = m.among.Name(cnf.Var(i + 1))
	}
	expected := fmt.Sprintf("variable %q: expected one of %d names, such as %s", m.name, len(names), names[0])
	if strings.HasPrefix(m.name, "!") || strings.HasPrefix(m.name, "~") { // not, in other notations
		for i, name := range names {
			names[i] = "-" + name
		}
	}
	return expected + param.DidYouMean(m.name, names)
}

// VarName returns a variable's name for people and files. Auxiliary variables,
// those above the problem's own, are named by number, as in x65, unless the problem's
// file names them.
func (p Problem) VarName(v cnf.Var) string {
	if int(v) <= p.NumVars() {
		return p.Names.Name(v)
	}
	number := p.Number(v)
	if int(number) <= len(p.FileNames) && p.FileNames[number-1] != "" {
		return p.FileNames[number-1]
	}
	return fmt.Sprintf("x%d", number)
}

// Literal parses a literal: a variable's name, with - for not. A variable that no name fits may be given by its number
// in the problem's file, in an OPB file as x12, too. In a UVL file 12 is the name of the feature that is shown as _12.
func (p Problem) Literal(word string) (cnf.Lit, error) {
	name, not := strings.CutPrefix(word, "-")
	v, err := p.Names.Var(name)
	if err != nil {
		digits := name
		if p.Family == "opb" {
			digits = strings.TrimPrefix(name, "x")
		}
		switch number, wrong := strconv.ParseInt(digits, 10, 32); {
		case wrong == nil && p.Family == "uvl":
			if of, unknown := p.Names.Var("_" + name); unknown == nil {
				v, err = of, nil
			}
		case wrong == nil:
			if of, is := p.Numbered(cnf.Var(number)); is {
				v, err = of, nil
			}
		case slices.Contains(p.FileNames, name) && p.Projected:
			err = fmt.Errorf("variable %q: the file does not list it among the variables that count", name)
		}
	}
	return v.Lit(!not), err
}

// Word is the inverse of Literal.
func (p Problem) Word(l cnf.Lit) string {
	if l.Positive() {
		return p.VarName(l.Var())
	}
	return "-" + p.VarName(l.Var())
}

// Plural writes a number and a noun: "1 option", "2 options".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Numeral reports whether a variable has no name but a number: its own, or as in _16 one that its file gives to it although
// another variable has that number. A UVL file numbers no features: there a number is a name.
func (p Problem) Numeral(v cnf.Var) bool {
	digits := strings.TrimPrefix(p.VarName(v), "_")
	return p.Family != "uvl" && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Named reports whether any variable has a name: see [Problem.Numeral].
func (p Problem) Named() bool {
	for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
		if !p.Numeral(v) {
			return true
		}
	}
	return false
}

// Whole returns the problem with its auxiliary variables turned into ordinary ones.
func (p Problem) Whole() Problem {
	if p.Auxiliary > 0 {
		p.Names, p.Auxiliary = allNames{p}, 0
	}
	return p
}

// allNames names the auxiliary variables as well.
type allNames struct{ p Problem }

func (a allNames) Len() int              { return a.p.AllVars() }
func (a allNames) Name(v cnf.Var) string { return a.p.VarName(v) }
func (a allNames) Var(name string) (cnf.Var, error) {
	for v := cnf.Var(a.p.NumVars() + 1); int(v) <= a.Len(); v++ {
		if a.p.VarName(v) == name {
			return v, nil
		}
	}
	return a.p.Names.Var(name)
}

// VarNames returns the names of variables. The result is never nil, so JSON
// shows a list.
func (p Problem) VarNames(vars []cnf.Var) []string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = p.VarName(v)
	}
	return names
}
