package mdd_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode/encodetest"
)

var drawnEdge = regexp.MustCompile(`^\t(n\d+) -> (n\d+) \[label="(\w+)"\];$`)

// Each path of a drawn diagram names the cells with a queen of one solution.
func TestDrawnPathsAreSolutions(t *testing.T) {
	for n := 1; n <= 6; n++ {
		p := encodetest.Family(t, "queens", n)
		var text bytes.Buffer
		require.NoError(t, compile(t, p, natural(p)).DOT(&text))
		edges := map[string][][2]string{} // by node: node below and cell
		for line := range strings.Lines(text.String()) {
			if m := drawnEdge.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				edges[m[1]] = append(edges[m[1]], [2]string{m[2], m[3]})
			}
		}
		var drawn []string
		var walk func(node, path string)
		walk = func(node, path string) {
			if strings.Contains(text.String(), "rank=sink; "+node+" ") {
				drawn = append(drawn, path)
			}
			for _, e := range edges[node] {
				walk(e[0], path+e[1]+" ")
			}
		}
		walk("n0", "")
		var solutions []string
		for _, s := range conformance.BruteForce(p) {
			path := ""
			for _, l := range s {
				if l.Positive() {
					path += p.VarName(l.Var()) + " "
				}
			}
			solutions = append(solutions, path)
		}
		require.ElementsMatch(t, solutions, drawn, "n = %d", n)
	}
}
