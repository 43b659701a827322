package ask

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
)

// A back-end whose package imports that of another shares code with it, on some problem.
func TestSharesNamesWhatIsImported(t *testing.T) {
	queens, err := encode.Queens(6, nil, nil)
	require.NoError(t, err)
	formula, err := (&Setup{Problem: "rooks", N: 4}).Build()
	require.NoError(t, err)
	names := map[string]Descriptor{}
	for _, d := range All() {
		names[d.Name] = d
	}
	for _, d := range All() {
		deps, err := exec.Command("go", "list", "-deps", "queens/backends/"+d.Name).Output()
		require.NoError(t, err)
		for _, e := range All() {
			shares := d.SharesWith(e, queens, Valid) || d.SharesWith(e, formula, Valid)
			assert.Equal(t, shares, e.SharesWith(d, queens, Valid) || e.SharesWith(d, formula, Valid))
			if slices.Contains(strings.Fields(string(deps)), "queens/backends/"+e.Name) {
				assert.True(t, shares, "%s imports %s", d.Name, e.Name)
			}
		}
	}
	shared := func(p encode.Problem, want Want) (pairs []string) {
		for i, d := range All() {
			for _, e := range All()[i+1:] {
				if d.SharesWith(e, p, want) {
					pairs = append(pairs, d.Name+" "+e.Name)
				}
			}
		}
		return pairs
	}
	assert.ElementsMatch(t, []string{"search portfolio", "bdd mdd"}, shared(queens, Valid),
		"on boards the portfolio searches, and a table lists row by row")
	assert.ElementsMatch(t, []string{"sat portfolio", "portfolio near", "search table", "bdd mdd"}, shared(formula, Valid|Solve))
	assert.ElementsMatch(t, []string{"bdd portfolio", "search portfolio", "portfolio table", "portfolio mdd", "portfolio ddnnf",
		"search table", "bdd mdd"}, shared(formula, Count), "a contest counts")
}
