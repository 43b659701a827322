package tasks

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
	"queens/internal/param"
)

// pcg is the generator PCG XSL-DXSM with 128 bits of state, from its authors' description, in big numbers.
type pcg struct{ state *big.Int }

func newPCG(high, low uint64) *pcg {
	return &pcg{new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(high), 64), new(big.Int).SetUint64(low))}
}

func number(hex string) *big.Int {
	n, _ := new(big.Int).SetString(hex, 16)
	return n
}

// next returns 64 bits.
func (p *pcg) next() uint64 {
	p.state.Mul(p.state, number("2360ed051fc65da44385df649fccf645"))
	p.state.Add(p.state, number("5851f42d4c957f2d14057b7ef767814f"))
	p.state.And(p.state, number(strings.Repeat("f", 32)))
	high, low := new(big.Int).Rsh(p.state, 64).Uint64(), new(big.Int).And(p.state, number(strings.Repeat("f", 16))).Uint64()
	const cheap = 0xda942042e4dd58b5
	high ^= high >> 32
	high *= cheap
	high ^= high >> 48
	return high * (low | 1)
}

// below draws a number below n without bias, as Lemire does in 32 bits: ACM TOMACS 29, 2019.
func (p *pcg) below(n uint32) int {
	if n&(n-1) == 0 {
		return int(uint32(p.next()) & (n - 1))
	}
	for {
		product := p.next() >> 32 * uint64(n)
		if uint32(product) >= -n%n {
			return int(product >> 32)
		}
	}
}

// played is a session that this test plays itself: on solutions that it lists.
type played struct {
	vars      int
	cells     bool
	solutions [][]cnf.Lit
	random    *pcg
	undo      int
	most      int // decisions at the end; 0 for as many as there are

	answers []string
	asked   [][]cnf.Lit
}

func (s *played) play(name func(cnf.Var) string) {
	var decided []cnf.Lit
	for {
		s.asked = append(s.asked, slices.Clone(decided))
		var left [][]cnf.Lit
		for _, model := range s.solutions {
			if !slices.ContainsFunc(decided, func(l cnf.Lit) bool { return model[l.Var()-1] != l }) {
				left = append(left, model)
			}
		}
		var valid, forced []string
		var open []cnf.Lit
		for i := range s.vars {
			v, held := cnf.Var(i+1), 0
			for _, model := range left {
				if model[i] > 0 {
					held++
				}
			}
			if slices.Contains(decided, v.Pos()) || held == 0 {
				continue
			}
			valid = append(valid, name(v))
			if held == len(left) {
				forced = append(forced, name(v))
			}
			if s.cells || held < len(left) {
				open = append(open, v.Pos())
			}
		}
		answer := fmt.Sprintf("valid %s forced %s", strings.Join(valid, ","), strings.Join(forced, ","))
		if len(answer) > 100 {
			answer = param.Digest([]byte(answer))
		}
		s.answers = append(s.answers, answer)
		if len(open) == 0 || s.most > 0 && len(decided) == s.most {
			return
		}
		if len(decided) > 0 && s.random.below(100) < s.undo {
			decided = decided[:len(decided)-1]
			continue
		}
		l := open[s.random.below(uint32(len(open)))]
		if !s.cells && s.random.below(2) == 1 {
			l = -l
		}
		decided = append(decided, l)
	}
}

// A session's clicks and answers are those that a separate program finds from the seed, with its own random
// numbers and all solutions listed: on boards, with and without a solution, and for formulas.
func TestSessions(t *testing.T) {
	seed := conformance.Number(t, "SESSION_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	undone, negative := 0, 0
	for _, problem := range []string{"1", "2", "3", "4", "5", "6", "7", "toroidal 5", "rooks 4", "cnf"} {
		for range 12 {
			family, n := "queens", 0
			given := params{"placement": "session", "backend": "search", "seed": rng.Uint64() >> 1}
			switch _, err := fmt.Sscan(problem, &n); {
			case problem == "cnf":
				given["problem"] = "cnf:../../configs/models/random-50-1.cnf"
				given["placed"] = 3
			case err != nil:
				_, err = fmt.Sscan(problem, &family, &n)
				require.NoError(t, err)
				fallthrough
			default:
				given["n"], given["problem"] = n, family
			}
			if rng.IntN(2) == 0 {
				given["undo"] = fmt.Sprintf("%d%%", rng.IntN(41))
			}
			if n > 4 && rng.IntN(3) == 0 {
				given["placed"] = n / 2
			}
			task := made(t, "valid-cells", given)
			require.True(t, exists(t, task))
			asked := task.Value.(*ValidCells)
			hint := fmt.Sprintf("SESSION_SEED=%d %v", seed, given)
			p, err := asked.Build()
			require.NoError(t, err)
			own := &played{vars: p.NumVars(), cells: p.Place != nil, random: newPCG(asked.Seed, uint64(p.N)), undo: asked.Undo.percent(),
				most: asked.Placed, solutions: solutionsOf(t, p)}
			own.play(p.VarName)

			f := run(t, task)
			result := f.Values.(ValidCellsResult)
			require.Equal(t, strings.Join(own.answers, "; "), f.Answer, hint)
			require.Equal(t, len(own.answers), *result.Clicks, hint)
			next := asked.clicks(p)
			opened := open(t, p)
			q, more := next(ask.Answer{})
			for _, decided := range own.asked {
				require.True(t, more, hint)
				require.Equal(t, decided, q.Assume, hint)
				a, err := opened.Ask(t.Context(), q)
				require.NoError(t, err)
				q, more = next(a)
			}
			require.False(t, more, hint)
			for i, decided := range own.asked[1:] {
				if len(decided) < len(own.asked[i]) {
					undone++
				} else if !decided[len(decided)-1].Positive() {
					negative++
				}
			}
		}
	}
	assert.Positive(t, undone, "SESSION_SEED=%d", seed)
	assert.Positive(t, negative, "SESSION_SEED=%d", seed)
}

func open(t *testing.T, p encode.Problem) *ask.Opened {
	opened, err := ask.Start(t.Context(), p, ask.Choice{Backend: ask.Search}, ask.Valid, ask.Resources{})
	require.NoError(t, err)
	return opened
}

// solutionsOf lists a problem's solutions: by brute force, or by a back-end if there are too many variables.
func solutionsOf(t *testing.T, p encode.Problem) (list [][]cnf.Lit) {
	if p.IsQueens() {
		return conformance.ByRules(p)
	}
	if p.NumVars() < 20 {
		return conformance.BruteForce(p)
	}
	for model, err := range open(t, p).Solutions(t.Context(), nil) {
		require.NoError(t, err)
		list = append(list, slices.Clone(model))
		require.Less(t, len(list), 1<<16)
	}
	return list
}

// The test's generator is the library's.
func TestGeneratorOfTheSessions(t *testing.T) {
	ours, theirs := newPCG(7, 8), rand.New(rand.NewPCG(7, 8))
	for i := range 1000 {
		n := uint32(1 + i%70)
		require.Equal(t, theirs.IntN(int(n)), ours.below(n))
	}
}

// Every back-end and method gets the same clicks in a session, records what they took, and is checked by
// others.
func TestEveryMethodPlaysASession(t *testing.T) {
	var first experiments.Finding
	for _, b := range ask.Able(ask.Valid) {
		for _, method := range b.MethodNames() {
			task := made(t, "valid-cells", params{"problem": "queens", "n": 6, "placement": "session", "seed": 5,
				"backend": b.Name, "method": method})
			require.True(t, exists(t, task))
			assert.NotEmpty(t, task.References())
			f := run(t, task)
			if first.Answer == "" {
				first = f
			}
			hint := b.Name + " " + method
			assert.Equal(t, first.Answer, f.Answer, hint)
			r := f.Values.(ValidCellsResult)
			assert.Equal(t, first.Values.(ValidCellsResult).Clicks, r.Clicks, hint)
			assert.Positive(t, r.Slowest, hint)
			assert.GreaterOrEqual(t, r.Session, r.Slowest, hint)
			assert.LessOrEqual(t, *r.Over100ms, *r.Over16ms, hint)
			if b.Name == "portfolio" {
				assert.Nil(t, r.SessionWork)
				continue
			}
			assert.Positive(t, *r.SlowestWork, hint)
			assert.GreaterOrEqual(t, *r.SessionWork, *r.SlowestWork, hint)
			assert.InDelta(t, float64(*r.SessionWork), *r.WorkPerQuery*float64(*r.Clicks), 1e-6, hint)
		}
	}
	assert.False(t, exists(t, made(t, "valid-cells", params{"n": 6, "placement": "session", "want": "counts"})))
}

// What the clicks of a session cost, added up by hand: a click at a limit is not over it.
func TestCostOfClicks(t *testing.T) {
	var c clicks
	for i, ms := range []float64{1, 16, 17, 200, 100, 2} {
		c.add(ask.Answer{Seconds: ms / 1000}, int64(10-i))
	}
	var r ValidCellsResult
	c.into(&r, true)
	assert.Equal(t, []int{6, 3, 1}, []int{*r.Clicks, *r.Over16ms, *r.Over100ms})
	assert.InDelta(t, .336, r.Session, 1e-9)
	assert.InDelta(t, .2, r.Slowest, 1e-9)
	assert.Equal(t, []int64{45, 10}, []int64{*r.SessionWork, *r.SlowestWork})
}

// The share of undo has a default in a session and none elsewhere, so that other runs keep their names.
func TestShareOfUndo(t *testing.T) {
	for placement, want := range map[string]string{"session": "25%", "completable": ""} {
		task := made(t, "valid-cells", params{"n": 6, "placed": 2, "placement": placement})
		require.True(t, exists(t, task))
		assert.Equal(t, want, task.Parameters()["undo"])
	}
	for text, good := range map[string]bool{"0%": true, "7%": true, "25%": true, "40%": true, "41%": false, "25": false, "-1%": false, "025%": false} {
		assert.Equal(t, good, param.Wrong(quarter, text) == "", text)
	}
}
