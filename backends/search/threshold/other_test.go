package threshold

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/conformance"
	"queens/backends/sat"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/order"
)

// The threshold is a(n) if after any a(n)-1 queens every unattacked cell is valid, and not after any
// a(n): a diagram and gini find that without going through placements of a(n) queens.
func TestValidCellsHaveTheSameThreshold(t *testing.T) {
	for _, n := range []int{8, 9, 10, 12, 13, 14} {
		if !testing.Short() || n <= 10 {
			sameThreshold(t, n)
		}
	}
}

func sameThreshold(t *testing.T, n int) {
	ctx := context.Background()
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	var oracle backends.Backend = sat.New(p)
	if n != 13 && n < 15 {
		compiled, err := bdd.Compile(ctx, p, order.ByNumber(p), bdd.Options{})
		require.NoError(t, err)
		oracle = bdd.New(compiled)
	}
	g := newCells(n)
	var allValid func(queens []board.Cell, k int) bool // after these queens and k more
	allValid = func(queens []board.Cell, k int) bool {
		at := board.NewPosition(n, queens, nil)
		if k == 0 {
			var assume []cnf.Lit
			for _, q := range queens {
				assume = append(assume, encode.CellVar(n, q).Pos())
			}
			valid, err := oracle.Valid(ctx, assume, "")
			require.NoError(t, err)
			return len(valid.Possible) == len(at.Cells())+len(queens)
		}
		for _, c := range at.Cells() {
			switch number := g.number[c.Index(n)]; len(queens) {
			case 0: // one of each class
				if number != g.first[g.class[number]] {
					continue
				}
			case 1:
			default: // each set once
				if c.Index(n) < queens[len(queens)-1].Index(n) {
					continue
				}
			}
			if !allValid(append(queens, c), k-1) {
				return false
			}
		}
		return true
	}
	known, _ := Known(n)
	for k := range known {
		assert.True(t, allValid(nil, k), "n = %d: some unattacked cell is invalid after %d queens", n, k)
	}
	assert.False(t, allValid(nil, known), "n = %d: every unattacked cell is valid after %d queens", n, known)
	require.NoError(t, oracle.Close())
}

// cadical finds no completion either, and each step of its proof follows by unit propagation. Without one of
// the queens the same proof fails.
func TestWitnessesAreRefutedWithProof(t *testing.T) {
	if _, err := exec.LookPath("cadical"); err != nil {
		if os.Getenv("NO_SKIP") == "1" {
			t.Fatal("missing: install the Debian package cadical")
		}
		t.Skip("skipped: install the Debian package cadical")
	}
	for n, cells := range map[int]string{
		19: "h8,l13,i11,j9,m10", 21: "l10,h12,i9,k13,j11", 24: "k13,o15,j16,l10,n17,m14", 25: "b23,n13,o11,l12,p14,m15",
		26: "o16,m15,k14,p13,l11,n12",
	} {
		if testing.Short() && n > 20 || !conformance.Slow && n > 21 {
			continue
		}
		witness, err := board.ParseCells(n, cells)
		require.NoError(t, err)
		p, err := encode.Queens(n, witness, nil)
		require.NoError(t, err)
		var formula bytes.Buffer
		require.NoError(t, p.WriteDIMACS(&formula, amo.Pairwise, nil))
		file, name := filepath.Join(t.TempDir(), "f.cnf"), filepath.Join(t.TempDir(), "f.drat")
		require.NoError(t, os.WriteFile(file, formula.Bytes(), 0o600))
		out, _ := exec.Command("cadical", "-q", "--plain", "--no-binary", file, name).CombinedOutput()
		assert.Contains(t, string(out), "s UNSATISFIABLE", "n = %d: %s", n, cells)
		proof, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, checkProof(formula.Bytes(), proof), "n = %d: %s", n, cells)
		p, err = encode.Queens(n, witness[1:], nil)
		require.NoError(t, err)
		formula.Reset()
		require.NoError(t, p.WriteDIMACS(&formula, amo.Pairwise, nil))
		assert.Error(t, checkProof(formula.Bytes(), proof), "n = %d: %s", n, cells)
	}
}
