package bdd

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Operations is the list of operations that a construction performs, recorded so that any other package
// can repeat them in the same sequence. A construction never inspects a function, so the list does not
// depend on the engine.
type Operations struct {
	problem encode.Problem
	order   order.Order
	list    []operation
}

// operation makes a function. Functions have numbers: 0 is false, 1 is true, and the results of
// operations follow from 2.
type operation struct {
	word string
	lits []cnf.Lit    // of a cube or a clause; for "node" its variable
	of   []robdd.Func // arguments: functions; for "node" the low and the high child
}

// firstMade is the number of the first operation's function.
const firstMade = 2

func (ops *Operations) made() robdd.Func { return robdd.Func(firstMade + len(ops.list) - 1) }

func (ops *Operations) add(op operation) robdd.Func {
	ops.list = append(ops.list, op)
	return ops.made()
}

// end makes sure that the result is the last function.
func (ops *Operations) end(result robdd.Func) {
	if len(ops.list) == 0 || result != ops.made() {
		ops.add(operation{word: "and", of: []robdd.Func{robdd.True, result}})
	}
}

// Write writes the list in the format that docs/do/package.md describes: the variable order in comments,
// as in DIMACS, "p ops VARIABLES OPERATIONS", the operations, one per line, and "free" after the last
// use of a function.
func (ops *Operations) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, v := range ops.order {
		fmt.Fprintf(b, "c %d %s\n", v, ops.problem.VarName(v))
	}
	fmt.Fprintf(b, "p ops %d %d\n", len(ops.order), len(ops.list))
	// By function: the last operation that uses it. The result is never freed.
	last := make([]int, firstMade+len(ops.list))
	for i, op := range ops.list {
		last[firstMade+i] = i
		for _, f := range op.of {
			last[f] = i
		}
	}
	last[ops.made()] = len(ops.list)
	for i, op := range ops.list {
		words := []string{op.word}
		for _, l := range op.lits {
			words = append(words, fmt.Sprint(l))
		}
		for _, f := range op.of {
			words = append(words, fmt.Sprint(f))
		}
		if op.word == "cube" || op.word == "clause" {
			words = append(words, "0")
		}
		fmt.Fprintln(b, strings.Join(words, " "))
		for j, f := range append(op.of, robdd.Func(firstMade+i)) {
			if f >= firstMade && last[f] == i && (j == 0 || f != op.of[0]) {
				fmt.Fprintf(b, "free %d\n", f)
			}
		}
	}
	return b.Flush()
}
