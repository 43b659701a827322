package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"queens/encode/cnf"
)

// named returns the names that a file's comments give to its variables, and the variables in the order of
// the comments. No solver reads comments, so none is an error. A comment is a remark that names nothing
//   - if its form, plain or with a sign, is not that of most comments;
//   - if it contradicts another: a variable has two names, or a name two variables;
//   - if its name is not UTF-8 or has a control character;
//   - if it may be a parameter: "n = 3" names variable 3 only where variables 1 and 2 are named like it;
//   - if it has several words, and no other variable has a name.
//
// The note tells of the first remark, and counts them; it is empty if there are none.
func named(vars int, comments []cnf.Comment, file string) (names List, order []cnf.Var, note string) {
	comments = slices.Clone(comments)
	comments = slices.DeleteFunc(comments, func(c cnf.Comment) bool { return int(c.Var) > vars })
	plain := 0
	for _, c := range comments {
		if c.Form == cnf.Plain {
			plain++
		}
	}
	unusual := func(c cnf.Comment) bool { return (c.Form == cnf.Plain) != (2*plain > len(comments)) }
	one, alone := cnf.Var(0), true // no other variable has a name of the usual form
	for _, c := range comments {
		if !unusual(c) {
			alone = alone && (one == 0 || one == c.Var)
			one = c.Var
		}
	}
	gap := unnamed(comments)
	parameter := func(c cnf.Comment) bool { return c.Form == cnf.Assigned && (alone || gap != 0) }
	isRemark := func(c cnf.Comment) bool {
		return unusual(c) || parameter(c) || alone && c.Form == cnf.Plain && c.Words > 1
	}
	last := make(List, vars)                            // the last name of each variable
	renamed := make([]bool, vars)                       // by variable: it has two names
	variable := make(map[string]cnf.Var, len(comments)) // by name
	shared := map[string]bool{}                         // names of two variables
	for i := range comments {
		c := &comments[i]
		if isRemark(*c) {
			continue
		}
		if number, err := strconv.Atoi(c.Name); err == nil && number != int(c.Var) && 0 <= number && number <= vars {
			c.Name = "_" + c.Name // so that it is not the number of another variable, or the end of a clause
		}
		if v, known := variable[c.Name]; known && v != c.Var {
			shared[c.Name] = true
		}
		variable[c.Name] = c.Var
		renamed[c.Var-1] = renamed[c.Var-1] || last[c.Var-1] != "" && last[c.Var-1] != c.Name
		last[c.Var-1] = c.Name
	}
	names = make(List, vars)
	remarks := 0
	for _, c := range comments {
		why := ""
		switch {
		case unusual(c):
			why = "others have another form"
		case parameter(c) && alone:
			why = "it may be a parameter, and no other variable has a name"
		case parameter(c):
			why = fmt.Sprintf("it may be a parameter: variable %d has no name", gap)
		case isRemark(c):
			why = "several words, and no other variable has a name"
		case renamed[c.Var-1]:
			why = fmt.Sprintf("variable %d is given two names", c.Var)
		case shared[c.Name]:
			why = fmt.Sprintf("the name %q is given to two variables", c.Name)
		case !utf8.ValidString(c.Name):
			why = fmt.Sprintf("the name %q is not UTF-8", c.Name)
		case strings.ContainsFunc(c.Name, unicode.IsControl):
			why = fmt.Sprintf("the name %q has a control character", c.Name)
		case names[c.Var-1] == "":
			names[c.Var-1] = c.Name
			order = append(order, c.Var)
		}
		if why == "" {
			continue
		}
		if remarks++; remarks == 1 {
			note = fmt.Sprintf("%s:%d: a comment that names nothing: %s", file, c.Line, why)
		}
	}
	if remarks > 1 {
		note += fmt.Sprintf("; and %d more like it", remarks-1)
	}
	return names, order, note
}

// unnamed returns the first variable that no comment "NAME = VARIABLE" names, although one names a later variable; 0 if
// there is none. A writer of names numbers the variables as they come; parameters of a generator have any values.
func unnamed(comments []cnf.Comment) cnf.Var {
	var assigned []cnf.Var
	for _, c := range comments {
		if c.Form == cnf.Assigned {
			assigned = append(assigned, c.Var)
		}
	}
	slices.Sort(assigned)
	for i, v := range slices.Compact(assigned) {
		if int(v) != i+1 {
			return cnf.Var(i + 1)
		}
	}
	return 0
}
