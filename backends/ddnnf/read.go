package ddnnf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
)

// Read reads a problem's d-DNNF from a file of another compiler, as c2d or d4 writes it, and makes it smooth. Variables
// have their numbers in the problem's file; the problem's fixed literals are set. Errors name the place, as file:line, and
// wrap a *backends.LimitError where memory does not suffice. Read refuses a file that is not decomposable, but believes the
// rest: that it is the d-DNNF of this problem ([Graph.Breaks]), and that no solution is in it twice.
//
// Time and memory are those of a set of variables for each node that is still in use: a bit for each variable.
func Read(ctx context.Context, r io.Reader, file string, p encode.Problem, maxBytes int64) (*Graph, error) {
	f := reader{file: file, problem: p, ids: map[int]int32{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		f.line++
		if f.line%pauses == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] == "c" {
			continue
		}
		if err := f.read(words); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, f.line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, f.line+1, err)
	}
	root, err := f.root()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s := smoother{reader: &f, builder: builder{Graph: Graph{problem: p}}, limit: maxBytes}
	possible := true
	if s.value, possible = s.assumed(p.Fixed); !possible {
		s.value = make(values, p.NumVars())
	}
	g, err := s.graph(ctx, root)
	if err == nil && !possible {
		g = &Graph{problem: p}
	}
	return g, err
}

// reader holds the nodes of a file.
type reader struct {
	file    string
	problem encode.Problem
	line    int
	nodes   []given
	header  []int         // of c2d: nodes, edges, variables; nil for d4
	edges   int           // so far
	ids     map[int]int32 // of d4: nodes by their number
}

// given is a node of a file: a disjunction, or a conjunction of literals and nodes.
type given struct {
	or, ends bool // ends: it has no edges
	line     int
	lits     []cnf.Lit
	children []int32
}

// formats says how files begin.
const formats = "the line nnf NODES EDGES VARIABLES of c2d, or a node of d4: o, a, t or f, its number, and 0"

// read takes in a line.
func (f *reader) read(words []string) error {
	var numbers []int
	kind := words[0]
	if n, err := strconv.ParseInt(kind, 10, 32); err == nil {
		kind, numbers = "", append(numbers, int(n))
	}
	if !slices.Contains([]string{"", "nnf", "L", "A", "O", "o", "a", "t", "f"}, kind) {
		return fmt.Errorf("%.20q: expected %s", kind, formats)
	}
	for _, word := range words[1:] {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return fmt.Errorf("%.20q: expected a number of 32 bits", word)
		}
		numbers = append(numbers, int(n))
	}
	switch {
	case kind == "nnf" && len(f.nodes) == 0 && f.header == nil:
		if len(numbers) != 3 || slices.Min(numbers) < 0 {
			return fmt.Errorf("expected the line nnf NODES EDGES VARIABLES")
		}
		f.header = numbers
		return nil
	case f.header != nil:
		return f.c2d(kind, numbers)
	}
	return f.d4(kind, numbers)
}

// c2d takes in a node of c2d's format: L LITERAL, A COUNT CHILDREN or O VARIABLE COUNT CHILDREN.
func (f *reader) c2d(kind string, numbers []int) error {
	node := given{or: kind == "O", line: f.line}
	switch {
	case kind == "L" && len(numbers) == 1:
		l, err := f.literal(numbers[0])
		if err != nil {
			return err
		}
		node.lits, numbers = []cnf.Lit{l}, nil
	case kind == "A" && len(numbers) > 0 && numbers[0] == len(numbers)-1:
		numbers = numbers[1:]
	case kind == "O" && len(numbers) > 1 && numbers[1] == len(numbers)-2:
		numbers = numbers[2:]
	default:
		return fmt.Errorf("expected L LITERAL, A COUNT CHILDREN or O VARIABLE COUNT CHILDREN")
	}
	for _, child := range numbers {
		if child < 0 || child >= len(f.nodes) {
			return fmt.Errorf("child %d: expected a node of a line before, 0 to %d", child, len(f.nodes)-1)
		}
		node.children = append(node.children, int32(child))
	}
	f.nodes, f.edges = append(f.nodes, node), f.edges+len(numbers)
	return nil
}

// d4 takes in a line of d4's format: a node, KIND NUMBER 0 with the kinds o, a, t (true) and f (false), or an edge,
// FROM TO LITERALS 0, which makes literals true.
func (f *reader) d4(kind string, numbers []int) error {
	if kind != "" {
		if !slices.Contains([]string{"o", "a", "t", "f"}, kind) || len(numbers) != 2 || numbers[0] < 1 || numbers[1] != 0 {
			return fmt.Errorf("expected %s", formats)
		}
		if _, twice := f.ids[numbers[0]]; twice {
			return fmt.Errorf("there are two nodes %d", numbers[0])
		}
		f.ids[numbers[0]] = int32(len(f.nodes))
		f.nodes = append(f.nodes, given{or: kind == "o" || kind == "f", ends: kind == "t" || kind == "f", line: f.line})
		return nil
	}
	if len(numbers) < 3 || numbers[len(numbers)-1] != 0 {
		return fmt.Errorf("expected an edge: the numbers of two nodes, literals, and 0")
	}
	from, is := f.ids[numbers[0]]
	to, both := f.ids[numbers[1]]
	if !is || !both || f.nodes[from].ends {
		return fmt.Errorf("an edge from %d to %d: expected nodes of lines before, the first of which is o or a", numbers[0], numbers[1])
	}
	if numbers = numbers[2 : len(numbers)-1]; len(numbers) > 0 {
		with := given{line: f.line, children: []int32{to}}
		for _, number := range numbers {
			l, err := f.literal(number)
			if err != nil {
				return err
			}
			with.lits = append(with.lits, l)
		}
		to = int32(len(f.nodes))
		f.nodes = append(f.nodes, with)
	}
	f.nodes[from].children = append(f.nodes[from].children, to)
	return nil
}

// literal returns the literal that a number in the file stands for.
func (f *reader) literal(number int) (cnf.Lit, error) {
	v, is := f.problem.Numbered(cnf.Var(max(number, -number)))
	switch {
	case number == 0:
		return 0, errors.New("literal 0: expected the number of a variable, with - for not")
	case f.header != nil && max(number, -number) > f.header[2]:
		return 0, fmt.Errorf("literal %d: expected one of variables 1 to %d", number, f.header[2])
	case is:
		return v.Lit(number > 0), nil
	case f.problem.Projected:
		return 0, fmt.Errorf("literal %d: expected one of the %d variables that count in the problem", number, f.problem.NumVars())
	}
	return 0, fmt.Errorf("literal %d: %s has no such variable", number, f.problem)
}

// root returns the root, once all lines are read.
func (f *reader) root() (int32, error) {
	if f.header == nil {
		root, is := f.ids[1]
		if !is {
			return 0, fmt.Errorf("expected a d-DNNF, as c2d or d4 writes it: there is no node 1, which is the root for d4")
		}
		return root, nil
	}
	if len(f.nodes) != f.header[0] || f.edges != f.header[1] || len(f.nodes) == 0 {
		return 0, fmt.Errorf("it has %d nodes and %d edges, and its first line says %d and %d: is it complete?", len(f.nodes), f.edges,
			f.header[0], f.header[1])
	}
	return int32(len(f.nodes) - 1), nil
}

// uses returns by node how many edges of nodes that the root reaches lead to it, and how many nodes are reached.
func (f *reader) uses(root int32) (uses []int32, reached int) {
	uses = make([]int32, len(f.nodes))
	for stack := []int32{root}; len(stack) > 0; reached++ {
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, child := range f.nodes[last].children {
			if uses[child]++; uses[child] == 1 && child != root {
				stack = append(stack, child)
			}
		}
	}
	return uses, reached
}

// smoother makes a graph of a file's nodes. Each child of a disjunction gets the variables that it lacks, as free ones.
type smoother struct {
	*reader
	builder
	limit int64
	value values     // that the problem fixes
	made  []int32    // by node
	vars  [][]uint64 // by node: a bit for each variable below it; nil once no parent needs it any more
	held  int64      // bytes of vars
}

// graph returns the graph.
func (s *smoother) graph(ctx context.Context, root int32) (*Graph, error) {
	left, reached := s.uses(root)
	nodes := []int32{root}
	for i := 0; i < len(nodes) && left[root] == 0; i++ { // parents first
		for _, child := range s.nodes[nodes[i]].children {
			if left[child]--; left[child] == 0 {
				nodes = append(nodes, child)
			}
		}
	}
	if len(nodes) < reached {
		on := slices.IndexFunc(left, func(n int32) bool { return n > 0 })
		return nil, fmt.Errorf("%s:%d: the node is among those below it", s.file, s.nodes[on].line)
	}
	s.made, s.vars = make([]int32, len(s.nodes)), make([][]uint64, len(s.nodes))
	left, _ = s.uses(root)
	for i, node := range slices.Backward(nodes) {
		s.vars[node] = make([]uint64, (s.problem.NumVars()+63)/64)
		s.held += 8 * int64(len(s.vars[node]))
		if i%1024 == 0 {
			want := s.Bytes() + 4*int64(cap(s.table)) + s.held
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if s.limit > 0 && want > s.limit {
				return nil, fmt.Errorf("reading %s: %w", s.file, limitError(s.limit, want))
			}
		}
		var err error
		if s.nodes[node].or {
			s.made[node], err = s.disjunction(node)
		} else {
			s.made[node], err = s.conjunction(node)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", s.file, s.nodes[node].line, err)
		}
		for _, child := range s.nodes[node].children {
			if left[child]--; left[child] == 0 {
				s.held -= 8 * int64(len(s.vars[child]))
				s.vars[child] = nil
			}
		}
	}
	if s.made[root] == none {
		return s.under(none), nil
	}
	all := make([]uint64, len(s.vars[root]))
	for v := range s.problem.NumVars() {
		all[v/64] |= 1 << (v % 64)
	}
	return s.under(s.completed(s.made[root], s.vars[root], all)), nil
}

// conjunction returns a node for a conjunction; none if a fixed literal contradicts it.
func (s *smoother) conjunction(node int32) (int32, error) {
	given, vars := &s.nodes[node], s.vars[node]
	possible := true
	for _, l := range given.lits {
		at, bit := (l.Var()-1)/64, uint64(1)<<((l.Var()-1)%64)
		if vars[at]&bit != 0 {
			return none, fmt.Errorf("variable %d is in a conjunction twice: the file is not decomposable", s.problem.Number(l.Var()))
		}
		vars[at] |= bit
		possible = possible && s.value.literal(l) >= 0
	}
	lits := slices.Clone(given.lits)
	slices.SortFunc(lits, func(a, b cnf.Lit) int { return int(a.Var() - b.Var()) })
	nodes := []int32{s.counted(len(lits), len(lits), lits)}
	for _, child := range given.children {
		for at, word := range s.vars[child] {
			if common := vars[at] & word; common != 0 {
				v := cnf.Var(64*at + bits.TrailingZeros64(common) + 1)
				return none, fmt.Errorf("variable %d is in a conjunction twice: the file is not decomposable", s.problem.Number(v))
			}
			vars[at] |= word
		}
		possible = possible && s.made[child] != none
		nodes = append(nodes, s.made[child])
	}
	if !possible {
		return none, nil
	}
	return s.both(nodes), nil
}

// disjunction returns a node for a disjunction; none if no child has a solution.
func (s *smoother) disjunction(node int32) (int32, error) {
	vars := s.vars[node]
	for _, child := range s.nodes[node].children {
		for at, word := range s.vars[child] {
			vars[at] |= word
		}
	}
	var nodes []int32
	for _, child := range s.nodes[node].children {
		if s.made[child] == none {
			continue
		}
		made := s.completed(s.made[child], s.vars[child], vars)
		if slices.Contains(nodes, made) {
			return none, fmt.Errorf("a disjunction has the same solutions twice: the file is not deterministic")
		}
		nodes = append(nodes, made)
	}
	return s.either(nodes), nil
}

// completed returns a node with the variables of a set that it lacks. They are free, but for those that the problem fixes.
func (s *smoother) completed(node int32, has, all []uint64) int32 {
	var free, fixed []cnf.Lit
	for at, word := range all {
		for lacks := word &^ has[at]; lacks != 0; lacks &= lacks - 1 {
			l := cnf.Var(64*at + bits.TrailingZeros64(lacks) + 1).Pos()
			switch s.value[l.Var()-1] {
			case 0:
				free = append(free, l)
			case 1:
				fixed = append(fixed, l)
			default:
				fixed = append(fixed, l.Not())
			}
		}
	}
	return s.both([]int32{node, s.counted(0, len(free), free), s.counted(len(fixed), len(fixed), fixed)})
}
