package tasks

import (
	"bytes"
	"fmt"
	"strings"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/order"
)

// Family is the name of a family of problems.
type Family string

// queens is the default family.
const queens Family = "queens"

// Values lists the families.
func (Family) Values() []string {
	return texts(encode.Families(), func(f encode.Family) string { return f.Name })
}

// problem builds the family's problem of size n.
func (f Family) problem(n int) (encode.Problem, error) {
	family, err := encode.FamilyNamed(string(f))
	if err != nil {
		return encode.Problem{}, err
	}
	return family.Build(n)
}

// known returns the published number of solutions and its source; both are empty if it is
// unknown.
func (f Family) known(n int) (count, source string) {
	family, err := encode.FamilyNamed(string(f))
	if err != nil {
		return "", ""
	}
	known, ok := family.Known(n)
	if !ok {
		return "", ""
	}
	return known.String(), family.Source[strings.LastIndexByte(family.Source, ' ')+1:] // A000170
}

// orderOf makes a named order for a problem, or reads it from its file.
func orderOf(name Order, p encode.Problem) (order.Order, error) {
	if file, isFile := strings.CutPrefix(string(name), orderFile); isFile {
		content, pin, err := experiments.PinFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading order file: %w", err)
		}
		return order.Read(bytes.NewReader(content), pin[:strings.LastIndexByte(pin, '#')], p.Names)
	}
	named, err := order.ByName(string(name))
	if err != nil {
		return nil, err
	}
	return named.For(p)
}

// orderOfBoard makes a named order for an empty board of queens.
func orderOfBoard(name Order, n int) (order.Order, error) {
	p, err := queens.problem(n)
	if err != nil {
		return nil, err
	}
	return orderOf(name, p)
}

// suits reports whether the order exists for the family's problem of size n and every check
// accepts that problem.
func (f Family) suits(n int, o Order, checks ...func(encode.Problem) error) bool {
	if f == queens {
		return true // everything here supports queens
	}
	p, err := f.problem(n)
	if err != nil {
		return false
	}
	if _, err := orderOf(o, p); err != nil {
		return false
	}
	for _, check := range checks {
		if check(p) != nil {
			return false
		}
	}
	return true
}

// judgedBy is what judges solutions, for the record's checked_by: the board's own rules, or the
// problem's constraints.
const judgedBy = "board"

// judged returns the judge if there was a solution to judge.
func judged(any bool) string {
	if any {
		return judgedBy
	}
	return ""
}

// queensOf returns the cells with a queen in a model.
func queensOf(n int, model []cnf.Lit) []board.Cell {
	var cells []board.Cell
	for _, l := range model {
		if l.Positive() && int(l.Var()) <= n*n {
			cells = append(cells, encode.VarCell(n, l.Var()))
		}
	}
	return cells
}
