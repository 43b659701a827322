package ddnnf

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"queens/encode"
	"queens/encode/cnf"
)

// Write writes the graph in the format of the compiler c2d, with the variables' numbers in the problem's file (Darwiche,
// "New advances in compiling CNF into decomposable negation normal form", ECAI 2004; its manual has the format). A leaf
// that counts becomes nodes that decide one literal after the other: from 1 to n of n literals take some 3n nodes, from m
// to k at most some 3n(k+1). Free variables are left out, as c2d does, so the file is not smooth. If only some of the
// problem's variables count, the file has only those.
func (g *Graph) Write(w io.Writer) error {
	b := writer{problem: g.problem, literals: map[cnf.Lit]int32{}, always: none}
	root := none
	made := make([]int32, g.Len()) // by node: its number in the file
	for i, k := range g.kinds {
		switch k {
		case leaf:
			least, most, lits := g.leaf(i)
			made[i] = b.counted(int(least), int(most), lits)
		case and, or:
			children := make([]int32, 0, len(g.of(i)))
			for _, child := range g.of(i) {
				children = append(children, made[child])
			}
			if k == or {
				made[i] = b.either(0, children...)
			} else {
				made[i] = b.both(children...)
			}
		}
		root = made[i]
	}
	if root == none {
		b.node("O 0 0")
	} else if root < b.nodes-1 {
		b.node("A 1", root) // the root is the last node
	}
	last := cnf.Var(0)
	for v := range cnf.Var(g.problem.NumVars()) {
		last = max(last, g.problem.Number(v+1))
	}
	if _, err := fmt.Fprintf(w, "nnf %d %d %d\n", b.nodes, b.edges, last); err != nil {
		return err
	}
	_, err := b.lines.WriteTo(w)
	return err
}

// writer writes nodes.
type writer struct {
	problem  encode.Problem
	lines    bytes.Buffer
	nodes    int32
	edges    int
	literals map[cnf.Lit]int32
	always   int32 // the node that is always true; none if there is none yet
}

// node writes a line and returns the node's number.
func (b *writer) node(text string, children ...int32) int32 {
	b.lines.WriteString(text)
	for _, child := range children {
		b.lines.WriteByte(' ')
		b.lines.Write(strconv.AppendInt(b.lines.AvailableBuffer(), int64(child), 10))
	}
	b.lines.WriteByte('\n')
	b.edges += len(children)
	b.nodes++
	return b.nodes - 1
}

// literal returns the node of a literal.
func (b *writer) literal(l cnf.Lit) int32 {
	node, has := b.literals[l]
	if !has {
		node = b.node("L " + strconv.Itoa(int(b.problem.InFile(l))))
		b.literals[l] = node
	}
	return node
}

// both returns a conjunction of nodes.
func (b *writer) both(nodes ...int32) int32 {
	rest := nodes[:0]
	for _, node := range nodes {
		if node != b.always {
			rest = append(rest, node)
		}
	}
	switch len(rest) {
	case 0:
		if b.always == none {
			b.always = b.node("A 0")
		}
		return b.always
	case 1:
		return rest[0]
	}
	return b.node("A "+strconv.Itoa(len(rest)), rest...)
}

// either returns a disjunction of nodes that decides a variable; 0 for none.
func (b *writer) either(decided cnf.Var, nodes ...int32) int32 {
	return b.node(fmt.Sprintf("O %d %d", decided, len(nodes)), nodes...)
}

// counted returns a node that says that from least to most of some literals are true.
func (b *writer) counted(least, most int, lits []int32) int32 {
	type rest struct{ from, least, most int }
	known := map[rest]int32{}
	var of func(rest) int32
	of = func(r rest) int32 {
		open := lits[r.from:]
		r.least, r.most = max(r.least, 0), min(r.most, len(open))
		node, has := known[r]
		switch {
		case has:
			return node
		case r.least == len(open), r.most == 0: // all are true, or all are false; perhaps there are none
			var all []int32
			for _, l := range open {
				if all = append(all, b.literal(cnf.Lit(l))); r.most == 0 {
					all[len(all)-1] = b.literal(cnf.Lit(-l))
				}
			}
			node = b.both(all...)
		case r.least == 0 && r.most == len(open):
			node = b.both()
		default:
			l := cnf.Lit(open[0])
			with := b.both(b.literal(l), of(rest{r.from + 1, r.least - 1, r.most - 1}))
			without := b.both(b.literal(l.Not()), of(rest{r.from + 1, r.least, r.most}))
			node = b.either(b.problem.Number(l.Var()), with, without)
		}
		known[r] = node
		return node
	}
	return of(rest{0, least, most})
}
