package lesson

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/configure"
	"queens/encode"
)

func queens(t *testing.T, n int) encode.Problem {
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	return p
}

// whole lists the rules of a group that make up the whole problem.
func whole(t *testing.T, group RuleGroup, n int) []string {
	var ids []string
	if group.Name != "kinds" {
		for _, r := range groups(queens(t, n))[0].Rules {
			ids = append(ids, r.ID)
		}
	}
	for _, r := range group.Rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// Whatever the group, the sequence of its rules and the variable order, all rules
// conjoined are the n-queens problem, with its known sizes and counts.
func TestEveryGroupBuildsTheProblem(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	for n, want := range map[int]struct {
		solutions string
		nodes     int
	}{4: {"2", 29}, 5: {"10", 167}} {
		for _, g := range groups(queens(t, n))[1:] {
			rules := whole(t, g, n)
			rng.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
			c, err := Build(ctx, configure.State{N: n}, "", rules)
			require.NoError(t, err, g.Name)
			require.Len(t, c.Steps, len(rules)+1)
			last := c.Steps[len(rules)]
			assert.Equal(t, want.solutions, last.Solutions, g.Name)
			assert.Equal(t, want.nodes, last.Nodes, g.Name)
			assert.Len(t, c.Nodes, last.Nodes)
			assert.Equal(t, fmt.Sprint(1<<(n*n)), c.Steps[0].Solutions, "without rules everything is allowed")
		}
	}
}

// A rule does what its formula says: as many placements on a board of 3 satisfy
// the formula, evaluated by a few lines of code here, as the step counts.
func TestFormulasSayWhatTheRulesDo(t *testing.T) {
	const n = 3
	for _, g := range groups(queens(t, n)) {
		for _, r := range g.Rules {
			c, err := Build(context.Background(), configure.State{N: n}, "", []string{r.ID})
			require.NoError(t, err)
			count := 0
			for set := range 1 << (n * n) {
				if holds(t, r.Formula, set) {
					count++
				}
			}
			assert.Equal(t, fmt.Sprint(count), c.Steps[1].Solutions, "%s: %s", r.ID, r.Formula)
		}
	}
}

// holds evaluates a conjunction of implications and disjunctions.
func holds(t *testing.T, formula string, set int) bool {
	queen := func(cell string) bool {
		name := strings.TrimPrefix(cell, "¬")
		c, err := board.ParseCell(name)
		require.NoError(t, err)
		return set>>c.Index(3)&1 == 1 == (name == cell)
	}
	conjuncts := strings.Split(formula, ") ∧ (")
	for _, conjunct := range conjuncts {
		conjunct = strings.Trim(conjunct, "()")
		if premise, conclusion, implies := strings.Cut(conjunct, " → "); implies {
			if !queen(premise) {
				continue
			}
			for _, cell := range strings.Split(conclusion, " ∧ ") {
				if !queen(cell) {
					return false
				}
			}
			continue
		}
		some := false
		for _, cell := range strings.Split(conjunct, " ∨ ") {
			some = some || queen(cell)
		}
		if !some {
			return false
		}
	}
	return true
}

// Swapping two neighbours in the order changes only their two levels: all other
// nodes keep their functions.
func TestASwapTouchesTwoLevels(t *testing.T) {
	ctx := context.Background()
	rules := whole(t, groups(queens(t, 4))[1], 4)
	before, err := Build(ctx, configure.State{N: 4}, "", rules)
	require.NoError(t, err)
	for at := range 15 {
		cells := append([]string{}, before.Order...)
		cells[at], cells[at+1] = cells[at+1], cells[at]
		after, err := Build(ctx, configure.State{N: 4}, strings.Join(cells, ","), rules)
		require.NoError(t, err)
		assert.Equal(t, cells, after.Order)
		keys := func(c *Construction) map[string]bool {
			set := map[string]bool{}
			for _, node := range c.Nodes {
				if node.Level != at && node.Level != at+1 {
					set[node.Key] = true
				}
			}
			return set
		}
		assert.Equal(t, keys(before), keys(after), "swap at level %d", at)
	}
}

func TestBuildRefuses(t *testing.T) {
	for want, test := range map[string]struct {
		n     int
		order string
		rules []string
	}{
		"built step by step for 1 to 6": {7, "", nil},
		`rule "cell:z9"`:                {4, "", []string{"cell:z9"}},
		`variable order "best"`:         {4, "best", nil},
		"each of the 16 cells once":     {4, "a1,a2", nil},
		"given twice":                   {4, "a1,a1", nil},
		"up to 1000":                    {4, "", make([]string, 1001)},
	} {
		_, err := Build(context.Background(), configure.State{N: test.n}, test.order, test.rules)
		require.ErrorAs(t, err, new(*InputError), want)
		assert.ErrorContains(t, err, want)
	}
	c, err := Build(context.Background(), configure.State{N: 1}, "", []string{"some:row:1"})
	require.NoError(t, err)
	assert.Equal(t, "1", c.Steps[1].Solutions)
	c, err = Build(context.Background(), configure.State{N: 2}, "", whole(t, groups(queens(t, 2))[1], 2))
	require.NoError(t, err)
	assert.Equal(t, "false", c.Constant)
	// At 6 the diagram of one kind of rule is drawn, and that of all rules only
	// counted.
	c, err = Build(context.Background(), configure.State{N: 6}, "", []string{"one:diagonals"})
	require.NoError(t, err)
	assert.True(t, c.Drawn, "%d nodes", c.Steps[1].Nodes)
	c, err = Build(context.Background(), configure.State{N: 6}, "", whole(t, groups(queens(t, 6))[1], 6))
	require.NoError(t, err)
	assert.Equal(t, "4", c.Steps[len(c.Steps)-1].Solutions)
}
