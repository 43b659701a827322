package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
)

// statesOf are the states of a variable: true in all solutions, in none, and in some.
var statesOf = []string{"forced", "never", "open"}

// state returns the variables in a state, those without a name apart if others have one.
func (r *validReport) state(p encode.Problem, state string) (vars, numerals []cnf.Var) {
	vars = map[string][]cnf.Var{"forced": r.forced, "never": r.never, "open": r.valid, "valid": r.valid}[state]
	named := p.Named()
	return slices.DeleteFunc(slices.Clone(vars), func(v cnf.Var) bool {
		if _, forced := slices.BinarySearch(r.forced, v); forced && state == "open" {
			return true
		}
		if named && p.Numeral(v) {
			numerals = append(numerals, v)
			return true
		}
		return false
	}), numerals
}

// printLists lists the variables of a problem that is no board, the shortest list first, and counts those without a name
// if others have one. Of a model it lists first what follows from what is assumed.
func (r *validReport) printLists(w io.Writer, p encode.Problem) {
	titles := map[string]string{"forced": "in all", "never": "in none", "open": "open"}
	lists := map[string][]cnf.Var{}
	var numerals []string
	for _, state := range statesOf {
		vars, bare := r.state(p, state)
		lists[state] = vars
		if len(bare) > 0 {
			numerals = append(numerals, fmt.Sprintf("%d %s", len(bare), titles[state]))
		}
	}
	if r.alone != nil {
		for _, follows := range []struct{ state, title string }{{"forced", "forced"}, {"never", "ruled out"}} {
			var decided []cnf.Var
			lists[follows.state] = slices.DeleteFunc(lists[follows.state], func(v cnf.Var) bool {
				_, possible := slices.BinarySearch(r.alone.Valid, v)
				_, core := slices.BinarySearch(r.alone.Forced, v)
				if core || !possible {
					return false
				}
				decided = append(decided, v)
				return true
			})
			fmt.Fprintf(w, "%s by what is assumed: %s\n", follows.title, cmp.Or(strings.Join(p.VarNames(decided), " "), "none"))
		}
	}
	if features(p) || r.alone != nil {
		titles["forced"], titles["never"] = "core features, in all", "dead features, in none"
	}
	shortest := slices.Clone(statesOf)
	slices.SortStableFunc(shortest, func(a, b string) int { return cmp.Compare(len(lists[a]), len(lists[b])) })
	for _, state := range shortest {
		fmt.Fprintf(w, "%s: %s\n", titles[state], cmp.Or(strings.Join(p.VarNames(lists[state]), " "), "none"))
	}
	if len(numerals) > 0 {
		fmt.Fprintf(w, "without a name: %s\n", strings.Join(numerals, ", "))
	}
}

// printOnly lists the cells or variables in a state, one a line, and notes how many more have no name.
func (r *validReport) printOnly(w, notes io.Writer, p encode.Problem, state string) error {
	if !r.Satisfiable {
		fmt.Fprintf(notes, "harness: note: no solution%s\n", explainUnsat(p))
	}
	vars, numerals := r.state(p, state)
	if len(numerals) > 0 {
		fmt.Fprintf(notes, "harness: note: %d more without a name\n", len(numerals))
	}
	for _, name := range p.VarNames(vars) {
		if _, err := fmt.Fprintln(w, name); err != nil {
			return err
		}
	}
	return nil
}
