package main

import (
	"fmt"
	"slices"

	"queens/ask"
	"queens/encode"
	"queens/encode/cnf"
)

// named writes literals in the form that --assume accepts.
func named(p encode.Problem, lits []cnf.Lit) []string {
	names := make([]string, len(lits))
	for i, l := range lits {
		names[i] = p.Word(l)
	}
	return names
}

// about begins the JSON of a command's report: the problem.
type about struct {
	Problem string   `json:"problem"`
	N       int      `json:"n"`
	CNF     string   `json:"cnf,omitempty"`
	OPB     string   `json:"opb,omitempty"`
	UVL     string   `json:"uvl,omitempty"`
	Placed  []string `json:"placed"`
	Blocked []string `json:"blocked"`
}

// of returns the field for a problem's file in a format; nil if there is none.
func (a *about) of(format string) *string {
	return map[string]*string{"cnf": &a.CNF, "opb": &a.OPB, "uvl": &a.UVL}[format]
}

// title returns the problem's name in text output: "n = 8", "latin n = 4", "file.cnf".
func (a about) title() string {
	switch {
	case a.CNF+a.OPB+a.UVL != "":
		return a.CNF + a.OPB + a.UVL
	case a.Problem == string(ask.Queens):
		return fmt.Sprintf("n = %d", a.N)
	}
	return fmt.Sprintf("%s n = %d", a.Problem, a.N)
}

// solutions returns a number of solutions with its noun.
func solutions(count string) string {
	if count == "1" {
		return "1 solution"
	}
	return count + " solutions"
}

// trueNames returns the names of the variables that a solution makes true.
func trueNames(p encode.Problem, solution []cnf.Lit) []string {
	return p.VarNames(p.TrueVars(solution))
}

// explainUnsat completes the sentence that there is no solution with the reason, if it is obvious.
func explainUnsat(p encode.Problem) string {
	for _, v := range p.FixedVars(true) {
		if slices.Contains(p.FixedVars(false), v) {
			return ": " + p.VarName(v) + " is both placed and blocked"
		}
	}
	if p.IsQueens() {
		placed := p.Placed()
		for i, a := range placed {
			for _, b := range placed[:i] {
				if a.Attacks(b) {
					return fmt.Sprintf(": the queens on %s and %s attack each other", b, a)
				}
			}
		}
	}
	switch {
	case len(p.Fixed) == 0 && p.IsQueens():
		return ""
	case len(p.Fixed) == 0:
		return ": harness explain names constraints that contradict each other"
	case p.IsBoard():
		return ": the placement has no completion"
	}
	return " with all that is assumed"
}
