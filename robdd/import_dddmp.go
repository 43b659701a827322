package robdd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// IsDDDMP reports whether a file begins as text in DDDMP does.
func IsDDDMP(content *bufio.Reader) bool {
	begin, _ := content.Peek(len(".ver"))
	return string(begin) == ".ver"
}

// ReadDDDMP reads an ROBDD in DDDMP-2.0, text mode: the dialect of CUDD, with complement edges, and that of OxiDD, with two
// terminals. named returns the variable with a name, or 0; a file without names means variable i+1 by number i. The diagram
// has vars variables: those that the file's nodes may have stand on top, in the file's order. The nodes may take at most
// maxBytes bytes; 0 means no limit. Errors name the line of the file.
func ReadDDDMP(ctx context.Context, content io.Reader, file string, vars int, named func(string) Var, maxBytes int64) (
	*Diagram, error) {
	x := &importer{vars: vars, named: named, header: map[string][]string{}}
	lines := bufio.NewScanner(content)
	lines.Buffer(nil, 64<<20) // a line may hold the names of all variables
	var err error
	for err == nil && !x.ended && lines.Scan() {
		if x.line++; x.line%(1<<12) == 0 {
			err = ctx.Err()
		}
		if words := strings.Fields(lines.Text()); err == nil && len(words) > 0 {
			err = x.read(words, maxBytes)
		}
	}
	if err == nil {
		if err = lines.Err(); err == nil && !x.ended {
			err = errors.New("the file ends before .end")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, x.line, err)
	}
	return x.m.Freeze(x.root), nil
}

// importer is the state of reading.
type importer struct {
	vars    int
	named   func(string) Var
	line    int
	header  map[string][]string // words after each key
	varinfo int
	support []Var    // by level
	extra   []string // by the place in support: what a node says of its variable beside the place; empty: anything
	m       *Manager // nil before the nodes
	nodes   []pair   // by id-1
	root    Func
	ended   bool
}

// pair is a function and its complement: a complement edge leads to the second.
type pair struct{ f, not Func }

// read reads a line.
func (x *importer) read(words []string, maxBytes int64) error {
	switch {
	case x.m != nil && words[0] == ".end":
		return x.end()
	case x.m != nil:
		return x.node(words)
	case words[0] == ".nodes":
		return x.begin(maxBytes)
	}
	known := []string{".ver", ".mode", ".varinfo", ".dd", ".nnodes", ".nvars", ".nsuppvars", ".suppvarnames", ".orderedvarnames",
		".ids", ".permids", ".auxids", ".nroots", ".rootids", ".rootnames"}
	if !slices.Contains(known, words[0]) {
		return fmt.Errorf("%q: expected one of %s, or .nodes", words[0], strings.Join(known, ", "))
	}
	if x.header[words[0]] != nil {
		return fmt.Errorf("a second line %s", words[0])
	}
	x.header[words[0]] = words[1:]
	for key, want := range map[string]string{".ver": "DDDMP-2.0", ".mode": "A"} {
		if words[0] == key && strings.Join(words[1:], " ") != want {
			return fmt.Errorf("%s: expected %s %s", strings.Join(words, " "), key, want)
		}
	}
	return nil
}

// numbers returns the numbers after a key, each in a range; there must be count of them.
func (x *importer) numbers(key string, count, least, most int) ([]int, error) {
	words := x.header[key]
	if len(words) != count {
		return nil, fmt.Errorf("%s has %d values: expected %d", key, len(words), count)
	}
	list := make([]int, count)
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < least || n > most {
			return nil, fmt.Errorf("%s %s: expected a number from %d to %d", key, word, least, most)
		}
		list[i] = n
	}
	return list, nil
}

// begin checks the header, and makes the manager.
func (x *importer) begin(maxBytes int64) (err error) {
	numbers := func(key string, count, least, most int) (list []int) {
		if err == nil {
			list, err = x.numbers(key, count, least, most)
		}
		return append(list, make([]int, max(0, count-len(list)))...)
	}
	for _, key := range []string{".ver", ".mode"} {
		if x.header[key] == nil {
			return fmt.Errorf(".nodes without %s before it", key)
		}
	}
	x.varinfo = numbers(".varinfo", 1, 0, 4)[0]
	vars := numbers(".nvars", 1, 0, MaxVars)[0]
	size := numbers(".nsuppvars", 1, 0, vars)[0]
	numbers(".nnodes", 1, 1, maxNodes+2)
	ids, levels := numbers(".ids", size, 0, vars-1), numbers(".permids", size, 0, vars-1)
	if numbers(".nroots", 1, 0, MaxVars)[0] != 1 && err == nil {
		err = fmt.Errorf(".nroots %s: expected a single root", x.header[".nroots"][0])
	}
	numbers(".rootids", 1, -maxNodes-2, maxNodes+2)
	if err != nil {
		return err
	}
	names, ordered := x.header[".suppvarnames"], x.header[".orderedvarnames"]
	switch {
	case names != nil && len(names) != size:
		return fmt.Errorf(".suppvarnames has %d values: expected %d", len(names), size)
	case ordered != nil && len(ordered) != vars:
		return fmt.Errorf(".orderedvarnames has %d values: expected %d", len(ordered), vars)
	}
	place := make([]int, size)
	for i := range place {
		place[i] = i
	}
	slices.SortFunc(place, func(a, b int) int { return levels[a] - levels[b] })
	seen := map[Var]bool{}
	for at, i := range place {
		if i > 0 && ids[i] <= ids[i-1] || at > 0 && levels[i] == levels[place[at-1]] {
			return errors.New("expected ascending .ids, and different .permids")
		}
		v, name := Var(ids[i]+1), strconv.Itoa(ids[i])
		if ordered != nil {
			name = ordered[levels[i]]
		}
		if names != nil {
			name = names[i]
		}
		if names != nil || ordered != nil {
			v = x.named(name)
		}
		if v < 1 || int(v) > x.vars || seen[v] {
			return fmt.Errorf("variable %s is none of the problem's, or stands here twice", name)
		}
		seen[v] = true
		x.support = append(x.support, v)
		extra := [5]string{strconv.Itoa(ids[i]), strconv.Itoa(levels[i])}
		if names != nil || ordered != nil {
			extra[3] = name
		}
		x.extra = append(x.extra, extra[x.varinfo])
	}
	order := slices.Clone(x.support)
	for v := Var(1); int(v) <= x.vars; v++ {
		if !seen[v] {
			order = append(order, v)
		}
	}
	x.m, err = NewManager(order, Config{MaxBytes: maxBytes})
	return err
}

// node reads a node: id [extra] place THEN ELSE.
func (x *importer) node(words []string) error {
	want := 5
	if x.varinfo == 4 {
		want = 4
	}
	if len(words) != want && !(len(words) == 4 && words[2] == "0" && words[3] == "0") {
		return fmt.Errorf("%d words: expected a node of %d, or .end", len(words), want)
	}
	if words[0] != strconv.Itoa(len(x.nodes)+1) {
		return fmt.Errorf("node %s: expected id %d", words[0], len(x.nodes)+1)
	}
	then, other := words[len(words)-2], words[len(words)-1]
	if then == "0" && other == "0" {
		switch words[1] {
		case "T", "1":
			x.nodes = append(x.nodes, pair{True, False})
		case "F":
			x.nodes = append(x.nodes, pair{False, True})
		default:
			return fmt.Errorf("terminal %q: expected T, F or 1", words[1])
		}
		return nil
	}
	place, err := strconv.Atoi(words[len(words)-3])
	switch {
	case err != nil || place < 0 || place >= len(x.support):
		return fmt.Errorf("%q: expected the place of the variable, from 0 to %d", words[len(words)-3], len(x.support)-1)
	case x.varinfo != 4 && x.extra[place] != "" && words[1] != x.extra[place]:
		return fmt.Errorf("variable %s at place %d: expected %s there", words[1], place, x.extra[place])
	case then[0] == '-':
		return fmt.Errorf("THEN %s: only ELSE is complemented", then)
	}
	high, err := x.edge(then)
	if err != nil {
		return err
	}
	low, err := x.edge(other)
	if err != nil {
		return err
	}
	var p pair
	if p.f, err = x.m.Mk(x.support[place], low.f, high.f); err == nil {
		p.not, err = x.m.Mk(x.support[place], low.not, high.not)
	}
	x.nodes = append(x.nodes, p)
	return err
}

// edge returns the function at the end of an edge: a node's id, negative for the complement.
func (x *importer) edge(word string) (p pair, err error) {
	id, err := strconv.Atoi(word)
	if at := max(id, -id); err != nil || at < 1 || at > len(x.nodes) {
		return p, fmt.Errorf("node %q: expected one of the %d before, or its complement", word, len(x.nodes))
	}
	if p = x.nodes[max(id, -id)-1]; id < 0 {
		p = pair{p.not, p.f}
	}
	return p, nil
}

// end takes the root.
func (x *importer) end() error {
	if n := strconv.Itoa(len(x.nodes)); x.header[".nnodes"][0] != n {
		return fmt.Errorf("%s nodes: the header says %s", n, x.header[".nnodes"][0])
	}
	root, err := x.edge(x.header[".rootids"][0])
	x.root, x.ended = root.f, true
	return err
}
