package ddnnf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode/cnf"
)

var (
	drawnNode = regexp.MustCompile(`\t(n\d+) \[label="(.*)", shape=`)
	drawnEdge = regexp.MustCompile(`\t(n\d+) -> (n\d+);`)
)

// A drawn graph holds at the assignments that brute force finds.
func TestDrawnGraphsHoldAtSolutions(t *testing.T) {
	seed := conformance.Number(t, "DOT_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		p := drawn(rng, 7, false)
		if p.Auxiliary > 0 || p.Projected {
			continue
		}
		g, err := Compile(t.Context(), p, Options{})
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, g.DOT(&text))
		label, below := map[string]string{}, map[string][]string{}
		for _, m := range drawnNode.FindAllStringSubmatch(text.String(), -1) {
			label[m[1]] = m[2]
		}
		for _, m := range drawnEdge.FindAllStringSubmatch(text.String(), -1) {
			below[m[1]] = append(below[m[1]], m[2])
		}
		var holds func(node string, trues map[string]bool) bool
		holds = func(node string, trues map[string]bool) bool {
			is := func(child string) bool { return holds(child, trues) }
			switch says := label[node]; says {
			case "and":
				return !slices.ContainsFunc(below[node], func(child string) bool { return !is(child) })
			case "or":
				return slices.ContainsFunc(below[node], is)
			default:
				words := strings.Fields(strings.ReplaceAll(says, `\n`, " "))
				least, most := len(words), len(words)
				if before, after, counts := strings.Cut(says, ` of\n`); counts {
					_, err := fmt.Sscanf(before, "%d to %d", &least, &most)
					require.NoError(t, err, says)
					words = strings.Fields(strings.ReplaceAll(after, `\n`, " "))
				}
				hold := 0
				for _, word := range words {
					if name, not := strings.CutPrefix(word, "-"); trues[name] != not {
						hold++
					}
				}
				return least <= hold && hold <= most
			}
		}
		solutions := conformance.BruteForce(p)
		for bits := range 1 << p.NumVars() {
			trues, want := map[string]bool{}, slices.ContainsFunc(solutions, func(s []cnf.Lit) bool {
				return !slices.ContainsFunc(s, func(l cnf.Lit) bool { return l.Positive() != (bits>>(l.Var()-1)&1 == 1) })
			})
			for v := range p.NumVars() {
				trues[p.VarName(cnf.Var(v+1))] = bits>>v&1 == 1
			}
			got := g.Len() > 0 && holds(fmt.Sprint("n", g.Len()-1), trues)
			require.Equal(t, want, got, "DOT_SEED=%d %v %v\n%s", seed, p.Constraints, p.Fixed, &text)
		}
	}
}
