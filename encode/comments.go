package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"queens/encode/cnf"
)

// named returns the names that a file's comments give to its variables, and the variables in the order of
// the comments. No solver reads comments, so none is an error. Remarks are comments that contradict each
// other, by two names for a variable or two variables for a name, plain ones of a file that has others, and
// several words that name the only variable. The note says so; it is empty if there are none.
func named(vars int, comments []cnf.Comment, file string) (names List, order []cnf.Var, note string) {
	comments = slices.Clone(comments)
	comments = slices.DeleteFunc(comments, func(c cnf.Comment) bool { return int(c.Var) > vars })
	marked := slices.ContainsFunc(comments, func(c cnf.Comment) bool { return c.Plain == 0 })
	alone := !slices.ContainsFunc(comments, func(c cnf.Comment) bool { return c.Var != comments[0].Var })
	isRemark := func(c cnf.Comment) bool { return c.Plain > 0 && marked || c.Plain > 1 && alone }
	names = make(List, vars)
	renamed := make([]bool, vars)    // by variable: it has two names
	variable := map[string]cnf.Var{} // by name
	shared := make(map[string]bool)  // names of two variables
	unprintable := func(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }
	for i, c := range comments {
		if isRemark(c) {
			continue
		}
		if number, err := strconv.Atoi(c.Name); err == nil && number != int(c.Var) && 0 <= number && number <= vars {
			c.Name = "_" + c.Name // so that it is not the number of another variable, or the end of a clause
			comments[i] = c
		}
		if v, known := variable[c.Name]; known && v != c.Var {
			shared[c.Name] = true
		}
		variable[c.Name] = c.Var
		if own := names[c.Var-1]; own != "" && own != c.Name {
			renamed[c.Var-1] = true
		}
		names[c.Var-1] = c.Name
	}
	remarks := slices.DeleteFunc(slices.Clone(comments), func(c cnf.Comment) bool {
		return !isRemark(c) && !renamed[c.Var-1] && !shared[c.Name] && !unprintable(c.Name)
	})
	for _, c := range remarks {
		if !isRemark(c) {
			names[c.Var-1] = ""
		}
	}
	seen := make([]bool, vars)
	for _, c := range comments {
		if names[c.Var-1] != "" && !seen[c.Var-1] {
			seen[c.Var-1] = true
			order = append(order, c.Var)
		}
	}
	if len(remarks) == 0 {
		return names, order, ""
	}
	c := remarks[0]
	why := fmt.Sprintf("the name %q has a control character", c.Name)
	if isRemark(c) {
		why = "others have another form"
		if !marked {
			why = "several words, and no other variable has a name"
		}
	} else if renamed[c.Var-1] {
		why = fmt.Sprintf("variable %d is given two names", c.Var)
	} else if shared[c.Name] {
		why = fmt.Sprintf("the name %q is given to two variables", c.Name)
	}
	note = fmt.Sprintf("%s:%d: a comment that names nothing: %s", file, c.Line, why)
	if more := len(remarks) - 1; more > 0 {
		note += fmt.Sprintf("; and %d more like it", more)
	}
	return names, order, note
}
