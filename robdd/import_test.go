package robdd

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readDDDMP reads a file; x1, x2, ... name the variables.
func readDDDMP(text string, vars int) (*Diagram, error) {
	return ReadDDDMP(context.Background(), strings.NewReader(text), "f.dddmp", vars, func(name string) Var {
		n, _ := strconv.Atoi(strings.TrimPrefix(name, "x"))
		return Var(n)
	}, 0)
}

// valueOf walks down a diagram.
func valueOf(d *Diagram, assignment int) bool {
	id := d.Root()
	for id > 1 {
		level := 0
		for lo, hi := d.Level(level); id < lo || id >= hi; lo, hi = d.Level(level) {
			level++
		}
		if n := d.Node(id); assignment>>(d.VarAt(level)-1)&1 != 0 {
			id = n.High
		} else {
			id = n.Low
		}
	}
	return id == 1
}

// The files are written by hand, in the dialects of CUDD and of OxiDD; a formula says the values.
func TestDDDMPByHand(t *testing.T) {
	const head = ".ver DDDMP-2.0\n.mode A\n"
	formula := func(a int) bool { x1, x2, x4 := a&1 != 0, a&2 != 0, a&8 != 0; return x4 != (x1 && x2) } // x3 is free
	for name, text := range map[string]string{
		// x4 on top, then x1, x2. Node 3 is x1 and x2; the root is not (x4 ? node 3 : not node 3).
		"complement, numbers": head + ".varinfo 0\n.nnodes 4\n.nvars 4\n.nsuppvars 3\n.ids 0 1 3\n.permids 1 2 0\n.nroots 1\n.rootids -4\n" +
			".nodes\n1 T 1 0 0\n2 1 2 1 -1\n3 0 1 2 -1\n4 3 0 3 -3\n.end\n",
		"complement, names and levels": head + ".varinfo 1\n.dd f\n.nnodes 4\n.nvars 4\n.nsuppvars 3\n.suppvarnames x1 x2 x4\n" +
			".orderedvarnames x4 x1 x2 x3\n.ids 0 1 3\n.permids 1 2 0\n.auxids 7 8 9\n.nroots 1\n.rootids -4\n" +
			".nodes\n1 T 1 0 0\n2 2 2 1 -1\n3 1 1 2 -1\n4 0 0 3 -3\n.end\n",
		"complement, other ids, named": head + ".varinfo 3\n.nnodes 4\n.nvars 90\n.nsuppvars 3\n.suppvarnames x2 x4 x1\n" +
			".ids 10 20 30\n.permids 50 6 7\n.nroots 1\n.rootids -4\n.nodes\n1 T 1 0 0\n2 x2 2 1 -1\n3 x1 1 2 -1\n4 x4 0 3 -3\n.end\n",
		"complement, short": head + ".varinfo 4\n.nnodes 4\n.nvars 4\n.nsuppvars 3\n.ids 0 1 3\n.permids 1 2 0\n.nroots 1\n.rootids -4\n" +
			".nodes\n1 1 0 0\n2 2 1 -1\n3 1 2 -1\n4 0 3 -3\n.end\n",
		"plain": head + ".varinfo 4\n.dd f\n.nnodes 7\n.nvars 4\n.nsuppvars 3\n.suppvarnames x1 x2 x4\n.orderedvarnames x4 x1 x2 x3\n" +
			".ids 0 1 3\n.permids 1 2 0\n.nroots 1\n.rootids 7\n.nodes\n1 F 0 0\n2 T 0 0\n3 2 2 1\n4 2 1 2\n5 1 3 1\n6 1 4 2\n7 0 6 5\n.end\n",
	} {
		d, err := readDDDMP(text, 4)
		require.NoError(t, err, name)
		require.Equal(t, 5, d.Len(), name)
		for a := range 16 {
			assert.Equal(t, formula(a), valueOf(d, a), "%s: %04b", name, a)
		}
	}
	for root, value := range map[string]bool{"1": true, "-1": false} {
		d, err := readDDDMP(head+".varinfo 0\n.nnodes 1\n.nvars 2\n.nsuppvars 0\n.ids\n.permids\n.nroots 1\n.rootids "+root+
			"\n.nodes\n1 T 1 0 0\n.end\n", 2)
		require.NoError(t, err)
		assert.Equal(t, value, valueOf(d, 0))
	}
}

// What is exported is read again, and is the same diagram.
func TestDDDMPIsReadAgain(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for range 200 {
		order := make([]Var, 1+r.IntN(6))
		for i, v := range r.Perm(len(order)) {
			order[i] = Var(v + 1)
		}
		m, err := NewManager(order, Config{})
		require.NoError(t, err)
		bits := make([]bool, 1<<len(order))
		for a := range bits {
			bits[a] = r.IntN(4) == 0
		}
		d := m.Freeze(fromTable(t, m, bits))
		for _, format := range []Format{DDDMP, DDDMPPlain} {
			text := exported(t, d, format)
			again, err := readDDDMP(text, len(order))
			require.NoError(t, err, text)
			require.Equal(t, d.Len(), again.Len(), text)
			for a, value := range bits {
				require.Equal(t, value, valueOf(again, a), text)
			}
		}
	}
}

func TestDDDMPMistakes(t *testing.T) {
	const good = ".ver DDDMP-2.0\n.mode A\n.varinfo 0\n.nnodes 3\n.nvars 2\n.nsuppvars 2\n.ids 0 1\n.permids 1 0\n.nroots 1\n.rootids -3\n" +
		".nodes\n1 T 1 0 0\n2 0 1 1 -1\n3 1 0 2 -1\n.end\n"
	_, err := readDDDMP(good, 2)
	require.NoError(t, err)
	for _, c := range []struct{ old, is, want string }{
		{"DDDMP-2.0", "DDDMP-3.0", ":1: .ver DDDMP-3.0: expected .ver DDDMP-2.0"},
		{".mode A", ".mode B", ":2: .mode B: expected .mode A"},
		{".mode A\n", "", ":10: .nodes without .mode before it"},
		{".varinfo 0", ".varinfo 5", ":11: .varinfo 5: expected a number from 0 to 4"},
		{".nvars 2", ".add", `:5: ".add": expected one of .ver, `},
		{".nvars 2", ".nvars 2\n.nvars 2", ":6: a second line .nvars"},
		{".ids 0 1", ".ids 0", ":11: .ids has 1 values: expected 2"},
		{".ids 0 1", ".ids 1 0", ":11: expected ascending .ids, and different .permids"},
		{".permids 1 0", ".permids 1 1", ":11: expected ascending .ids, and different .permids"},
		{".ids 0 1", ".suppvarnames x1 y\n.ids 0 1", ":12: variable y is none of the problem's, or stands here twice"},
		{".ids 0 1", ".suppvarnames x1 x1\n.ids 0 1", ":12: variable x1 is none of the problem's, or stands here twice"},
		{".nroots 1", ".nroots 2", ":11: .nroots 2: expected a single root"},
		{"1 T 1 0 0", "1 9 1 0 0", `:12: terminal "9": expected T, F or 1`},
		{"2 0 1 1 -1", "2 1 1 -1", ":13: 4 words: expected a node of 5, or .end"},
		{"2 0 1 1 -1", "4 0 1 1 -1", ":13: node 4: expected id 2"},
		{"2 0 1 1 -1", "2 0 1 -1 1", ":13: THEN -1: only ELSE is complemented"},
		{"2 0 1 1 -1", "2 0 1 1 -2", `:13: node "-2": expected one of the 1 before`},
		{"2 0 1 1 -1", "2 0 7 1 -1", `:13: "7": expected the place of the variable, from 0 to 1`},
		{"2 0 1 1 -1", "2 0 0 1 -1", ":13: variable 0 at place 0: expected 1 there"}, // the place is not the number
		{"3 1 0 2 -1", "3 0 1 2 -1", ":14: robdd: making a node: variable 1 is on level 1, its children on levels 2 and 1: want children below"},
		{".rootids -3", ".rootids -9", `:15: node "-9": expected one of the 3`},
		{".nnodes 3", ".nnodes 4", ":15: 3 nodes: the header says 4"},
		{".end\n", "", ":14: the file ends before .end"},
	} {
		_, err := readDDDMP(strings.Replace(good, c.old, c.is, 1), 2)
		assert.ErrorContains(t, err, "f.dddmp"+c.want, c.is)
	}
}
