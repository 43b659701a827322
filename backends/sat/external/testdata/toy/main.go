// Command toy is a SAT solver that tries all assignments, and speaks the line protocol
// of docs/bring-your-own.md.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	var vars int
	var clauses [][]int
	fmt.Println("solver toy 1.0")
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "new":
			fmt.Sscan(rest, &vars)
			clauses = nil
		case "add":
			clauses = append(clauses, literals(rest))
		case "solve":
			assumed := literals(rest)
			if model := search(vars, clauses, assumed, []int{}); model != nil {
				fmt.Println("sat", strings.Trim(fmt.Sprint(model), "[]"), 0)
			} else {
				fmt.Println("unsat", strings.Trim(fmt.Sprint(assumed), "[]"), 0)
			}
		}
	}
}

// search extends a model that has a literal for each variable up to len(model).
func search(vars int, clauses [][]int, assumed, model []int) []int {
	for _, clause := range clauses {
		if fails(clause, model) {
			return nil
		}
	}
	for _, l := range assumed {
		if fails([]int{l}, model) {
			return nil
		}
	}
	if len(model) == vars {
		return append([]int{}, model...)
	}
	v := len(model) + 1
	for _, l := range []int{-v, v} {
		if found := search(vars, clauses, assumed, append(model, l)); found != nil {
			return found
		}
	}
	return nil
}

// fails reports whether all literals of the clause are false in the model.
func fails(clause, model []int) bool {
	for _, l := range clause {
		if v := max(l, -l); v > len(model) || model[v-1] == l {
			return false
		}
	}
	return true
}

func literals(text string) (list []int) {
	for _, word := range strings.Fields(text) {
		var l int
		if fmt.Sscan(word, &l); l != 0 {
			list = append(list, l)
		}
	}
	return list
}
