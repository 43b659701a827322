package robdd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// needTool skips a test when an outside tool is missing, or fails it when
// NO_SKIP=1.
func needTool(t testing.TB, have bool, pkg string) {
	if !have {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatalf("missing: install the Debian package %s", pkg)
		}
		t.Skipf("skipped: install the Debian package %s", pkg)
	}
}

func exported(t testing.TB, d *Diagram, format Format) string {
	var out bytes.Buffer
	require.NoError(t, d.Export(&out, format, numbered("queens")))
	return out.String()
}

// ints reads the numbers of a line after a leading word.
func ints(t testing.TB, line string) []int {
	var out []int
	for _, f := range strings.Fields(line) {
		n, err := strconv.Atoi(f)
		require.NoError(t, err, line)
		out = append(out, n)
	}
	return out
}

// evalDDDMP reads either dialect by the format's description alone and evaluates
// the function at an assignment.
func evalDDDMP(t testing.TB, text string) func(assignment int) bool {
	keys, nodes := map[string]string{}, map[int][]string{}
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		key, rest, _ := strings.Cut(line, " ")
		switch {
		case key == ".nodes":
			in = true
		case key == ".end":
			in = false
		case in:
			fields := strings.Split(line, " ")
			id := ints(t, fields[0])[0]
			require.Equal(t, len(nodes)+1, id, "ids are consecutive from 1")
			nodes[id] = fields[1:]
		default:
			keys[key] = rest
		}
	}
	require.False(t, in, "no .end")
	require.Equal(t, keys[".nnodes"], strconv.Itoa(len(nodes)))
	ids, levels := ints(t, keys[".ids"]), ints(t, keys[".permids"])
	require.Len(t, ids, len(levels))
	require.Equal(t, keys[".nsuppvars"], strconv.Itoa(len(ids)))
	// Position in the support sorted by level -> variable id.
	position := func(i int) int {
		rank := 0
		for j := range levels {
			if levels[j] < levels[i] {
				rank++
			}
		}
		return rank
	}
	variable := map[int]int{}
	for i, id := range ids {
		variable[position(i)] = id
	}
	plain := keys[".varinfo"] == "4"
	root := ints(t, keys[".rootids"])[0]
	numbers, terminal := map[int][]int{}, map[int]string{}
	for id, fields := range nodes {
		extra := fields[0]
		if !plain {
			fields = fields[1:]
		}
		if fields[0] == "F" || fields[0] == "T" || extra == "T" {
			terminal[id] = extra
			continue
		}
		n := ints(t, strings.Join(fields, " "))
		require.Len(t, n, 3)
		if !plain {
			require.Positive(t, n[1], "THEN is never complemented")
			require.Equal(t, strconv.Itoa(variable[n[0]]), extra, "extra is the variable's id")
		}
		require.Less(t, max(n[1], n[2], -n[2]), id, "children first")
		numbers[id] = n
	}
	return func(assignment int) bool {
		id, value := root, true
		for {
			if id < 0 {
				id, value = -id, !value
			}
			if terminal[id] != "" {
				return value == (terminal[id] == "T")
			}
			n := numbers[id]
			if id = n[2]; assignment>>variable[n[0]]&1 != 0 {
				id = n[1]
			}
		}
	}
}

func evalBuDDy(t testing.TB, text string) func(assignment int) bool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	header := ints(t, lines[0])
	if len(header) == 3 {
		require.Equal(t, []int{0, 0}, header[:2])
		return func(int) bool { return header[2] == 1 }
	}
	require.Len(t, lines, header[0]+2)
	require.Len(t, ints(t, lines[1]), header[1])
	nodes, root := map[int][]int{}, 0
	for _, line := range lines[2:] {
		n := ints(t, line)
		for _, child := range n[2:] {
			require.True(t, child < 2 || nodes[child] != nil, "children earlier")
		}
		nodes[n[0]], root = n, n[0]
	}
	return func(assignment int) bool {
		id := root
		for id > 1 {
			id = nodes[id][2+assignment>>nodes[id][1]&1]
		}
		return id == 1
	}
}

func evalDDJSON(t testing.TB, text string) func(assignment int) bool {
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &all))
	var levelOf map[string]int
	require.NoError(t, json.Unmarshal(all["level_of_var"], &levelOf))
	var roots map[string]any
	require.NoError(t, json.Unmarshal(all["roots"], &roots))
	variable := map[int]int{}
	for name, level := range levelOf {
		v, err := strconv.Atoi(name[1:])
		require.NoError(t, err)
		variable[level] = v - 1
	}
	nodes := map[float64][]any{}
	for key, raw := range all {
		if id, err := strconv.Atoi(key); err == nil {
			var node []any
			require.NoError(t, json.Unmarshal(raw, &node))
			high, isNode := node[2].(float64)
			require.True(t, node[2] == "T" || isNode && high > 0, "high is regular")
			nodes[float64(id)] = node
		}
	}
	return func(assignment int) bool {
		next, value := roots["queens"], true
		for {
			switch id := next.(type) {
			case string:
				return value == (id == "T")
			case float64:
				if id < 0 {
					id, value = -id, !value
				}
				node := nodes[id]
				next = node[1+assignment>>variable[int(node[0].(float64))]&1]
			}
		}
	}
}

var dotEdge = regexp.MustCompile(`^\tn(\d+) -> n(\d+)( \[style=dashed\])?;$`)
var dotNode = regexp.MustCompile(` n(\d+) \[label="(?:x(\d+)|[01])"`)

func evalDOT(t testing.TB, text string) func(assignment int) bool {
	at := pathDOT(t, text)
	return func(assignment int) bool {
		id, _ := at(assignment)
		return id == 1
	}
}

// pathDOT reads a drawn diagram. The function returns the terminal that an assignment leads to, and which variables the nodes
// on the way have.
func pathDOT(t testing.TB, text string) func(assignment int) (terminal, met int) {
	edges, variable, root := map[[2]int]int{}, map[int]int{}, -1
	for line := range strings.Lines(text) {
		for _, m := range dotNode.FindAllStringSubmatch(line, -1) {
			id, _ := strconv.Atoi(m[1])
			if root < 0 {
				root = id
			}
			if m[2] != "" {
				variable[id], _ = strconv.Atoi(m[2])
			}
		}
		if m := dotEdge.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			from, _ := strconv.Atoi(m[1])
			to, _ := strconv.Atoi(m[2])
			if m[3] == "" {
				edges[[2]int{from, 1}] = to
			} else {
				edges[[2]int{from, 0}] = to
			}
		}
	}
	return func(assignment int) (id, met int) {
		for id = root; id > 1; {
			bit := variable[id] - 1
			met |= 1 << bit
			id = edges[[2]int{id, assignment >> bit & 1}]
		}
		return id, met
	}
}

// TestExportsMeanTheSame reads every format back with a reader written from the
// format's description and compares the functions at all assignments.
func TestExportsMeanTheSame(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	readers := map[Format]func(testing.TB, string) func(int) bool{
		DDDMP: evalDDDMP, DDDMPPlain: evalDDDMP, BuDDy: evalBuDDy, DDJSON: evalDDJSON, DOT: evalDOT,
	}
	for range 60 {
		n := r.IntN(6)
		d, table := randomDiagram(t, r, n)
		if r.IntN(2) == 0 {
			d = d.Convert(ZDD)
		}
		for _, format := range Formats() {
			text := exported(t, d, format)
			eval := readers[format](t, text)
			if format == DOT && d.Kind() == ZDD { // a variable without a node on the way is false
				at := pathDOT(t, text)
				eval = func(assignment int) bool {
					id, met := at(assignment)
					return id == 1 && assignment&^met == 0
				}
			}
			for a, want := range table {
				require.Equal(t, want, eval(a), "%s at %b of\n%s", format, a, text)
			}
		}
	}
	q := queensDiagram(t, 4)
	for format, read := range readers {
		eval, count := read(t, exported(t, q, format)), 0
		for a := range 1 << 16 {
			if eval(a) {
				count++
			}
		}
		require.Equal(t, 2, count, format)
	}
}

func TestExportErrors(t *testing.T) {
	d := queensDiagram(t, 4)
	var out bytes.Buffer
	require.ErrorContains(t, d.Export(&out, "aiger", numbered("f")), `"aiger": unknown format`)
	require.ErrorContains(t, d.Export(&out, DDDMP, Names{Var: func(Var) string { return "q 1" }}), "has a space")
	require.ErrorContains(t, d.Export(&out, DDDMP, Names{Var: func(Var) string { return "q" }}), "both called")
	require.ErrorContains(t, d.Export(&out, DOT, numbered("a b")), "has a space")
}

// numbered names variables x1, x2, ...
func numbered(diagram string) Names {
	return Names{Diagram: diagram, Var: func(v Var) string { return fmt.Sprintf("x%d", v) }}
}

// TestComplementEdges checks that complement edges save one node of a queens diagram
// (the last cell's own literal, which n = 6 never needs), and half of a parity's
// nodes.
func TestComplementEdges(t *testing.T) {
	for _, n := range []int{5, 7, 8} {
		d := queensDiagram(t, n)
		form, err := d.complementForm()
		require.NoError(t, err)
		require.Len(t, form.low, d.Len()-1)
	}
	table := make([]bool, 1<<6)
	for a := range table {
		for b := a; b > 0; b &= b - 1 {
			table[a] = !table[a]
		}
	}
	m, err := NewManager(natural(6), Config{})
	require.NoError(t, err)
	d := m.Freeze(fromTable(t, m, table))
	require.Equal(t, 11, d.Len())
	form, err := d.complementForm()
	require.NoError(t, err)
	require.Len(t, form.low, 6)
}

// The program reads the order from the file's second line first: bdd_load keeps the
// existing order.
const buddyProgram = `
#include <bdd.h>
#include <stdio.h>
int main(int argc, char **argv) {
	int i, nodes, vars, level, order[256];
	BDD f = bddfalse;
	FILE *in = fopen(argv[1], "r");
	if (argc != 2 || !in || fscanf(in, "%d %d", &nodes, &vars) != 2 || vars > 256) return 2;
	for (i = 0; i < vars; i++) {
		if (fscanf(in, "%d", &level) != 1) return 2;
		order[level] = i;
	}
	fclose(in);
	bdd_init(100000, 10000);
	bdd_setvarnum(vars);
	bdd_setvarorder(order);
	i = bdd_fnload(argv[1], &f);
	if (i < 0) { fprintf(stderr, "%s\n", bdd_errstring(i)); return 1; }
	bdd_addref(f);
	printf("%d %.0f\n", bdd_nodecount(f), bdd_satcount(f));
	return 0;
}
`

// buddyNoise is what BuDDy prints on standard output when it reorders.
var buddyNoise = regexp.MustCompile(`(?m)^Garbage collection.*\n`)

// TestBuDDyLoads makes the BuDDy library load our files and count nodes and
// solutions.
func TestBuDDyLoads(t *testing.T) {
	_, err := exec.LookPath("gcc")
	needTool(t, err == nil, "gcc")
	_, err = os.Stat("/usr/include/bdd.h")
	needTool(t, err == nil, "libbdd-dev")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "load.c"), filepath.Join(dir, "load")
	require.NoError(t, os.WriteFile(source, []byte(buddyProgram), 0o644))
	out, err := exec.Command("gcc", "-o", program, source, "-lbdd").CombinedOutput()
	require.NoError(t, err, "%s", out)
	files := 0
	for _, c := range []struct{ n, solutions int }{{4, 2}, {6, 4}, {8, 92}} {
		order := natural(c.n * c.n)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		m, err := NewManager(order, Config{})
		require.NoError(t, err)
		f := queensAnyOrder(t, m, c.n)
		for _, d := range []*Diagram{queensDiagram(t, c.n), m.Freeze(f)} {
			path := filepath.Join(dir, fmt.Sprintf("%d.buddy", files))
			require.NoError(t, os.WriteFile(path, []byte(exported(t, d, BuDDy)), 0o644))
			out, err := exec.Command(program, path).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, fmt.Sprintf("%d %d\n", d.Len(), c.solutions), buddyNoise.ReplaceAllString(string(out), ""))
			files++
		}
	}
}

// TestGraphvizReads makes Graphviz lay out a diagram, and checks that every node and
// edge is in its output.
func TestGraphvizReads(t *testing.T) {
	_, err := exec.LookPath("dot")
	needTool(t, err == nil, "graphviz")
	d := queensDiagram(t, 5)
	cmd := exec.Command("dot", "-Tplain")
	cmd.Stdin = strings.NewReader(exported(t, d, DOT))
	out, err := cmd.Output()
	require.NoError(t, err)
	count := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		count[kind]++
		if kind == "edge" && strings.Contains(rest, "dashed") {
			count["dashed"]++
		}
	}
	require.Equal(t, d.Len()+2, count["node"])
	require.Equal(t, 2*d.Len(), count["edge"])
	require.Equal(t, d.Len(), count["dashed"])
}
