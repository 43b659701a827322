package sat

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/amo"
	"queens/encode/encodetest"
)

// What LeastBytes says is never more than what is taken: by the propagator of residual formulas, and by gini with
// the whole formula under its smallest encoding.
func TestLeastBytesIsALowerBound(t *testing.T) {
	var few strings.Builder // many variables in few clauses
	fmt.Fprint(&few, "p cnf 200000 3\n1 -2 0\n2 3 0\n-200000 5 0\n")
	loose, _, err := encode.ReadCNF(strings.NewReader(few.String()), "few")
	require.NoError(t, err)
	var long strings.Builder // long clauses over few variables
	fmt.Fprint(&long, "p cnf 200 1000\n")
	for i := range 1000 {
		for v := range 200 {
			fmt.Fprint(&long, []int{v + 1, -v - 1}[(i>>(v%10))&1], " ")
		}
		fmt.Fprintln(&long, "0")
	}
	dense, _, err := encode.ReadCNF(strings.NewReader(long.String()), "long")
	require.NoError(t, err)
	for name, p := range map[string]encode.Problem{"queens": encodetest.Queens(t, 80, "", ""), "loose": loose, "dense": dense} {
		least := LeastBytes(p)
		for how, made := range map[string]func() any{
			"propagator": func() any { return encode.NewPropagator(p) },
			"solver": func() any {
				f := p.CNF(amo.Sequential)
				return []any{f, Gini(f)}
			},
		} {
			before := heap()
			keep := made()
			taken := heap() - before
			runtime.KeepAlive(keep)
			t.Logf("%s, %s: %.2f of what is taken", name, how, float64(least)/float64(taken))
			assert.LessOrEqual(t, least, taken, name)
			assert.Greater(t, 30*least, taken, "%s: the bound says something", name)
		}
	}
}

// heap returns the bytes of the heap that are in use.
func heap() int64 {
	var now runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&now)
	return int64(now.HeapAlloc)
}
