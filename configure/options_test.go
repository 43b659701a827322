package configure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// What follows from decisions, and what rules an option out, by brute force on random problems of
// choices, switches and clauses.
func TestOptionsAgainstBruteForce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	whys := 0
	for range 300 {
		n := 3 + rng.IntN(8)
		p := encode.Problem{Family: "shop"}
		var names encode.List
		for v := range n {
			names = append(names, fmt.Sprintf("%c.%d", 'a'+v/3, v))
		}
		p.Names = names
		for range 1 + rng.IntN(n) {
			rule := encodetest.Any(rng)
			signs := rule("", 1, 2).IsClause()
			var lits []cnf.Lit
			for _, v := range rng.Perm(n)[:1+rng.IntN(min(4, n))] {
				l := cnf.Var(v + 1).Pos()
				if signs && rng.IntN(2) == 0 {
					l = l.Var().Neg()
				}
				lits = append(lits, l)
			}
			p.Constraints = append(p.Constraints, rule("rule", lits...))
		}
		o := NewOptions(owning(p, "search"))
		var order []string
		for _, g := range o.Groups {
			order = append(order, g.Names...)
		}
		sorted := slices.Sorted(slices.Values(order))
		require.Equal(t, slices.Sorted(slices.Values([]string(names))), sorted, "each option once")

		var decided []string
		for range rng.IntN(4) {
			word := names[rng.IntN(n)]
			if !slices.ContainsFunc(decided, func(d string) bool { return strings.TrimPrefix(d, "-") == word }) {
				decided = append(decided, []string{"", "-"}[rng.IntN(2)]+word)
			}
		}
		left := models(p, names, decided)
		c, err := o.Open(decided)
		require.NoError(t, err)
		require.Equal(t, strings.Join(decided, ","), strings.Join(c.Decided(), ","))
		look, err := c.Look(ctx)
		require.NoError(t, err)
		require.Equal(t, len(left) > 0, look.Satisfiable)
		require.Equal(t, fmt.Sprint(len(left)), look.Left)
		for i, name := range order {
			at := slices.Index(names, name)
			trues := 0
			for _, m := range left {
				trues += m >> at & 1
			}
			want := byte('?')
			switch {
			case slices.Contains(decided, name):
				want = '+'
			case slices.Contains(decided, "-"+name):
				want = '-'
			case trues == 0:
				want = 'x'
			case trues == len(left):
				want = '!'
			}
			require.Equal(t, string(want), look.States[i:i+1], "%s of %v after %v", name, p.Constraints, decided)
			if want != 'x' && want != '!' || len(left) == 0 {
				continue
			}
			literal := map[byte]string{'x': name, '!': "-" + name}[want]
			why, err := c.Why(ctx, literal)
			require.NoError(t, err)
			blame := why.Decisions
			whys++
			require.Empty(t, models(p, names, append(slices.Clone(blame), literal)), "the blame suffices")
			for i := range blame {
				rest := slices.Delete(slices.Clone(blame), i, i+1)
				require.NotEmpty(t, models(p, names, append(rest, literal)), "%s of %v can be spared", blame[i], blame)
			}
		}
	}
	require.Greater(t, whys, 100)
}

// models returns the models of a small problem with decided literals, as bit sets.
func models(p encode.Problem, names encode.List, decided []string) (list []int) {
	for m := range 1 << len(names) {
		fits := true
		for _, d := range decided {
			at := slices.Index(names, strings.TrimPrefix(d, "-"))
			fits = fits && (m>>at&1 == 1) == !strings.HasPrefix(d, "-")
		}
		for _, c := range p.Constraints {
			trues := 0
			for k, l := range c.Lits {
				if weight := 1; (m>>(l.Var()-1)&1 == 1) == l.Positive() {
					if c.Weights != nil {
						weight = c.Weights[k]
					}
					trues += weight
				}
			}
			fits = fits && c.Least <= trues && trues <= c.Most
		}
		if fits {
			list = append(list, m)
		}
	}
	return list
}

// A file's choices are named after what their options share, alternatives after what they depend on,
// and options alone with the first part of their name are together.
func TestOptionsInGroups(t *testing.T) {
	p := encode.Problem{
		Family: "cnf", Names: encode.List{"colour.red", "colour.blue", "bell", "rack.front", "rack.back", "bags", "big", "small", "", ""},
		Constraints: []encode.Constraint{
			encode.ExactlyOne("line 6", -6, 7, 8),
			encode.ExactlyOne("line 7", 1, 2),
		},
	}
	assert.Equal(t, []Group{
		{Name: "colour", Rule: "exactly one of 2", One: true, Names: []string{"colour.red", "colour.blue"}},
		{Name: "rack", Rule: "2 options", Names: []string{"rack.front", "rack.back"}},
		{Name: "bags", Rule: "at most one of 2", One: true, Names: []string{"big", "small"}},
		{Name: "other options", Rule: "2 options", Names: []string{"bell", "bags"}},
		{Name: "without a name", Rule: "2 variables", Bare: true, Names: []string{"9", "10"}},
	}, NewOptions(owning(p, "search")).Groups, "in the file's order")
	many := encode.Problem{Family: "cnf", Names: make(encode.List, 100)}
	groups := NewOptions(owning(many, "search")).Groups
	require.Len(t, groups, 3)
	assert.Equal(t, "41 to 80", groups[1].Name)
	own := encode.Problem{Family: "uvl", Names: make(encode.List, 45), Groups: []encode.Group{{Name: "root", Rule: "44 options"}}}
	for v := range 44 {
		own.Groups[0].Vars = append(own.Groups[0].Vars, cnf.Var(v+1))
	}
	var headings []string
	for _, g := range NewOptions(owning(own, "search")).Groups {
		headings = append(headings, g.Name+": "+g.Rule)
	}
	assert.Equal(t, []string{"root: 1 to 40: 44 options, 40 of them here", "root: 41 to 44: 44 options, 4 of them here",
		"other options: 1 option"}, headings)
}

// A group that is counted says so: between the bounds of all its constraints, of whatever sign.
func TestGroupsThatCount(t *testing.T) {
	p, _, err := encode.ReadOPB(strings.NewReader(
		"+1 x5 +1 x1 +1 x2 +1 x3 +1 x4 >= 2;\n-1 x1 -1 x2 -1 x3 -1 x4 -1 x5 >= -3;\n"+
			"-1 x8 -1 x6 -1 x7 >= -2;\n+1 x7 +1 x9 +1 x10 >= 2;\n"), "f.opb")
	require.NoError(t, err)
	var groups []string
	for _, g := range NewOptions(owning(p, "search")).Groups {
		groups = append(groups, fmt.Sprint(g.Rule, g.Names, g.One))
	}
	assert.Equal(t, []string{"2 to 3 of 5[1 2 3 4 5] false", "at most 2 of 3[6 7 8] false", "2 options[9 10] false"}, groups)

	p = encodetest.Family(t, "no-three-in-line", 4)
	for i, g := range NewOptions(owning(p, "search")).Groups {
		assert.Equal(t, fmt.Sprintf("row %d", i+1), g.Name)
		assert.Equal(t, "exactly 2 of 4", g.Rule)
	}
}

func TestOptionsRefuse(t *testing.T) {
	p := encodetest.Family(t, "latin", 2)
	o := NewOptions(owning(p, "search"))
	assert.Len(t, o.Groups, 4)
	for why, decided := range map[string][]string{
		`variable "z"`: {"z"}, `variable ""`: {""}, "cannot choose a1=1: it is decided already": {"a1=1", "a1=1"},
		"cannot exclude a1=1: that contradicts the decision to choose a1=1": {"a1=1", "-a1=1"},
	} {
		_, err := o.Open(decided)
		assert.ErrorAs(t, err, new(*Refusal), "%q", decided)
		assert.ErrorContains(t, err, why)
	}
	c, err := o.Open(nil)
	require.NoError(t, err)
	_, err = c.Why(context.Background(), "a1=1")
	assert.ErrorContains(t, err, "it is possible")
}

// A session of commands: each decision leaves a configuration or is refused, and an option gives way
// to another of its choice.
func TestChoices(t *testing.T) {
	p := encode.Problem{
		Family: "cnf", Names: encode.List{"frame.city", "frame.cargo", "motor", "lock"},
		Constraints: []encode.Constraint{
			encode.ExactlyOne("line 1", 1, 2),
			encode.AtLeastOne("line 2", -2, 3), // cargo needs motor
		},
	}
	c, err := NewOptions(owning(p, "search")).Open(nil)
	require.NoError(t, err)
	ctx := context.Background()
	for _, step := range []struct{ command, states, refused string }{
		{"choose frame.city", "+x??", ""},
		{"choose frame.cargo", "x+!?", ""}, // in its place
		{"exclude motor", "x+!?", "cannot exclude motor: ruled out by frame.cargo"},
		{"exclude lock", "x+!-", ""},
		{"exclude lock", "x+!-", "it is decided already"},
		{"choose lock", "x+!+", ""},
		{"undo", "x+!-", ""},
		{"drop frame.cargo", "???-", ""},
		{"drop frame.cargo", "???-", "it is not decided"},
		{"undo", "x+!-", ""},
		{"undo", "x+!?", ""},
		{"redo", "x+!-", ""},
		{"choose bell", "x+!-", `variable "bell"`},
		{"clear", "????", ""},
		{"redo", "????", "nothing has been undone"},
		{"undo", "x+!-", ""},
	} {
		command, name, _ := strings.Cut(step.command, " ")
		var err error
		switch command {
		case "choose":
			err = c.Decide(ctx, name)
		case "exclude":
			err = c.Decide(ctx, "-"+name)
		case "drop":
			err = c.Drop(name)
		case "undo":
			err = c.Undo()
		case "redo":
			err = c.Redo()
		case "clear":
			c.Clear()
		}
		if step.refused == "" {
			require.NoError(t, err, step.command)
		} else {
			require.ErrorContains(t, err, step.refused)
			require.ErrorAs(t, err, new(*Refusal))
		}
		look, err := c.Look(ctx)
		require.NoError(t, err)
		assert.Equal(t, step.states, look.States, step.command)
	}
	assert.Equal(t, []string{"frame.cargo", "-lock"}, c.Decided())
}

// A decision is to blame only if none of the problem's solutions without it has the option. A car without
// Hybrid: it needs Diesel and Hydrogen, which exclude each other. And a choice of red that one and two
// rule out in one step, but one alone in several.
func TestOnlyWhatCannotBeSparedIsToBlame(t *testing.T) {
	problem := func(names encode.List, clauses ...[]cnf.Lit) encode.Problem {
		p := encode.Problem{Family: "cnf", Names: names}
		for i, c := range clauses {
			p.Constraints = append(p.Constraints, encode.AtLeastOne(fmt.Sprintf("line %d", i+1), c...))
		}
		return p
	}
	dead := problem(encode.List{"Diesel", "Hydrogen", "Hybrid"}, []cnf.Lit{-1, -2}, []cnf.Lit{-3, 1}, []cnf.Lit{-3, 2})
	spare := problem(encode.List{"red", "one", "two", "s", "u", "t", "v"}, []cnf.Lit{-1, -2, 4, 6}, []cnf.Lit{-4, 5}, []cnf.Lit{-4, -5},
		[]cnf.Lit{-6, 7}, []cnf.Lit{-6, -7}, []cnf.Lit{-3, -4})
	for _, test := range []struct {
		p       encode.Problem
		decided []string
		choose  string
		blame   []string
		spared  string
		refused string
	}{
		{dead, []string{"Hydrogen"}, "Hybrid", []string{}, "Hydrogen", "cannot choose Hybrid: ruled out by the problem itself"},
		{spare, []string{"one", "two"}, "red", []string{"one"}, "two", "cannot choose red: ruled out by one"},
	} {
		for _, backend := range []ask.BackendName{"search", "sat", "bdd"} {
			c, err := NewOptions(owning(test.p, backend)).Open(test.decided)
			require.NoError(t, err)
			assert.EqualError(t, c.Decide(context.Background(), test.choose), test.refused)
			why, err := c.Why(context.Background(), test.choose)
			require.NoError(t, err)
			assert.Equal(t, test.blame, why.Decisions)
			assert.NotEmpty(t, why.Steps)
			assert.NotContains(t, strings.Join(why.Steps, " "), "because of "+test.spared)
			if len(test.blame) > 0 { // so are decisions that contradict each other
				c, err := NewOptions(owning(test.p, backend)).Open(append(slices.Clone(test.decided), test.choose))
				require.NoError(t, err)
				none, err := c.WhyNone(context.Background())
				require.NoError(t, err)
				assert.Equal(t, &Blame{Decisions: append(test.blame, test.choose), Steps: why.Steps}, none)
			}
		}
	}
}

// Where there is no configuration, the decisions that contradict each other are to blame; where the problem alone has none, constraints.
// None of either can be spared.
func TestWhyNone(t *testing.T) {
	names := encode.List{"red", "blue", "green", "spare"}
	pair := func(line int, lits ...cnf.Lit) encode.Constraint {
		return encode.AtLeastOne(fmt.Sprint("line ", line), lits...)
	}
	for _, backend := range []ask.BackendName{"search", "sat", "bdd"} {
		p := encode.Problem{Family: "shop", Names: names, Constraints: []encode.Constraint{pair(1, -1, 2), pair(2, -2, -3)}}
		c, err := NewOptions(owning(p, backend)).Open([]string{"spare", "red", "green"})
		require.NoError(t, err)
		why, err := c.WhyNone(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"red", "green"}, why.Decisions)
		assert.NotEmpty(t, why.Steps)
		assert.Empty(t, why.Constraints)
		require.NoError(t, c.Drop("red"))
		_, err = c.WhyNone(t.Context())
		assert.EqualError(t, err, "cannot explain why there is no configuration: there is one")

		p.Constraints = append(p.Constraints, pair(3, 1), pair(4, 4, 1), pair(5, 3))
		c, err = NewOptions(owning(p, backend)).Open([]string{"spare"})
		require.NoError(t, err)
		why, err = c.WhyNone(t.Context())
		require.NoError(t, err)
		assert.Empty(t, why.Decisions)
		require.Len(t, why.Constraints, 4)
		for _, text := range why.Constraints {
			assert.NotContains(t, text, "spare")
		}
	}
}

// Families with a board are drawn on it, and so is a file whose variables are named after cells.
func TestPicture(t *testing.T) {
	for _, test := range []struct {
		family  string
		n       int
		decided []string
		want    string
	}{
		{"latin", 3, []string{"a1=1", "b2=2"}, "3 2 1 3\n2 3 2 1\n1 1 3 2\n  a b c\n"},
		{"latin", 3, []string{"a1=1"}, "3  23 123 123\n2  23 123 123\n1   1  23  23\n    a   b   c\n"},
		{"dominoes", 2, []string{"a1-b1"}, "2 < >\n1 < >\n  a b\n"},
		{"dominoes", 2, []string{"a1-a2"}, "2 ^ ^\n1 v v\n  a b\n"},
		{"rooks", 3, []string{"b1"}, "3 o . o\n2 o . o\n1 . R .\n  a b c\n"},
	} {
		p := encodetest.Family(t, test.family, test.n)
		o := NewOptions(owning(p, "search"))
		c, err := o.Open(test.decided)
		require.NoError(t, err)
		look, err := c.Look(context.Background())
		require.NoError(t, err)
		assert.Equal(t, test.want, o.Picture.Draw(look.States), "%s %v", test.family, test.decided)
	}
	for _, names := range [][]string{{"a1", "b1", "a2"}, {"a1"}, {"x1", "x2", "x3"}, {"a1", "b1", "a2", "b2", "lamp"}} {
		assert.Nil(t, picture("cnf", names), names)
	}
	assert.Equal(t, &Picture{2, "O", "piece", []Spot{{[]int{2}, ""}, {[]int{0, 1}, ""}, {[]int{3}, "7"}}},
		picture("cnf", []string{"a2", "a1-b1", "b2=7"}))
}

// owning makes a pool for a problem, whose back-end tells what follows.
func owning(p encode.Problem, backend ask.BackendName) *pool.Pool {
	warm := pool.New(pool.Limits{})
	warm.Own(context.Background(), p, ask.Choice{Backend: backend}, nil)
	return warm
}

// Without a back-end's name a solver answers at once, and the diagram as soon as it is there: only
// then is there a count. Both say the same.
func TestOptionsChangeOverToTheDiagram(t *testing.T) {
	p := encodetest.Family(t, "latin", 4)
	c, err := NewOptions(owning(p, "")).Open([]string{"a1=1"})
	require.NoError(t, err)
	first, err := c.Look(context.Background())
	require.NoError(t, err)
	var look *Outlook
	require.Eventually(t, func() bool {
		c.found = nil // asked anew
		look, err = c.Look(context.Background())
		return err != nil || look.Left != ""
	}, time.Minute, time.Millisecond)
	require.NoError(t, err)
	assert.Equal(t, "144", look.Left, "a quarter of the 576 Latin squares")
	assert.Equal(t, first.States, look.States)
}

// A back-end that answers only until the problem is compiled does not count for a click: the next one would wait. Here the
// compilation has ended before it began.
func TestAClickDoesNotWaitForACount(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	warm := pool.New(pool.Limits{})
	require.NoError(t, warm.Own(ended, encode.Problem{
		Family: "pair", Names: encode.List{"tea", "milk"}, Constraints: []encode.Constraint{encode.AtLeastOne("rule", 1, -2)},
	}, ask.Choice{}, nil))
	c, err := NewOptions(warm).Open(nil)
	require.NoError(t, err)
	look, err := c.Look(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "??", look.States)
	assert.Empty(t, look.Left)
	count, err := c.Count(context.Background())
	require.NoError(t, err)
	assert.EqualValues(t, 3, count.Int64())
}
