package tasks

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
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
	problem   encode.Problem
	solutions [][]cnf.Lit
	random    *pcg
	who       string
	counts    bool // of the completions are wanted, too
	undo      int
	most      int // decisions at the end; 0 for as many as there are

	answers []string
	asked   [][]cnf.Lit
	known   []cnf.Lit // what the first answer settles
	favours []cnf.Lit // of an expert
	left    int       // settled options that unit propagation leaves open, in all later clicks
	exact   int       // later clicks in which it leaves none
}

func (s *played) play() {
	p := s.problem
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
		var open, settled []cnf.Lit
		held := make([]int, p.NumVars())
		for i := range held {
			v := cnf.Var(i + 1)
			for _, model := range left {
				if model[i] > 0 {
					held[i]++
				}
			}
			switch held[i] {
			case 0:
				settled = append(settled, v.Neg())
			case len(left):
				settled = append(settled, v.Pos())
			}
			if slices.Contains(decided, v.Pos()) || held[i] == 0 {
				continue
			}
			valid = append(valid, p.VarName(v))
			if held[i] == len(left) {
				forced = append(forced, p.VarName(v))
			}
			if p.Place != nil || held[i] < len(left) {
				open = append(open, v.Pos())
			}
		}
		if len(s.answers) == 0 {
			s.known = settled
		} else {
			follows := s.follows(append(slices.Clone(s.known), decided...))
			missing := slices.DeleteFunc(slices.Clone(settled), func(l cnf.Lit) bool { return follows[l] })
			if s.left += len(missing); len(missing) == 0 {
				s.exact++
			}
		}
		answer := fmt.Sprintf("valid %s forced %s", strings.Join(valid, ","), strings.Join(forced, ","))
		if s.counts {
			answer = fmt.Sprint(len(left), " ", held)
		}
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
		decided = append(decided, s.next(open, settled, held))
	}
}

// next is what the person decides.
func (s *played) next(open, settled []cnf.Lit, held []int) cnf.Lit {
	score := func(cnf.Lit) int { return 0 } // the least wins
	place := func(l cnf.Lit) (row, column int) { c := s.problem.Place(l.Var()); return c.Row, c.Col }
	switch s.who {
	case "rows":
		score = func(l cnf.Lit) int { row, _ := place(l); return row }
	case "corner":
		score = func(l cnf.Lit) int { row, column := place(l); return row + column }
	case "seeker":
		score = func(l cnf.Lit) (n int) {
			if s.counts {
				return -held[l-1]
			}
			for _, other := range open {
				if a, _ := place(l); a == s.problem.Place(other.Var()).Row {
					n++
				}
			}
			return n
		}
	case "file":
		open = open[:1]
	case "random", "blocker": // any
	case "expert":
		if s.favours == nil {
			reach := map[cnf.Lit]int{}
			for _, l := range open {
				reach[l] = len(s.follows([]cnf.Lit{l}))
			}
			s.favours = slices.Clone(open)
			slices.SortStableFunc(s.favours, func(a, b cnf.Lit) int { return reach[b] - reach[a] })
			s.favours = s.favours[:min(10, len(s.favours))]
		}
		for _, l := range s.favours {
			if slices.Contains(open, l) {
				return l
			}
		}
	default:
		panic("next does not know how person " + s.who + " plays")
	}
	best := score(slices.MinFunc(open, func(a, b cnf.Lit) int { return score(a) - score(b) }))
	alike := slices.DeleteFunc(slices.Clone(open), func(l cnf.Lit) bool { return score(l) != best })
	l := alike[0]
	if s.who != "file" {
		l = alike[s.random.below(uint32(len(alike)))]
	}
	switch {
	case s.who == "blocker":
		if s.random.below(2) == 1 && !slices.Contains(settled, l) {
			return -l
		}
	case s.problem.Place == nil && s.random.below(2) == 1:
		return -l
	}
	return l
}

// follows returns what follows from literals by unit propagation, one constraint at a time until none adds anything.
func (s *played) follows(from []cnf.Lit) map[cnf.Lit]bool {
	set := map[cnf.Lit]bool{}
	for _, l := range append(slices.Clone(s.problem.Fixed), from...) {
		set[l] = true
	}
	for before := -1; before < len(set); {
		before = len(set)
		for _, c := range s.problem.Constraints {
			trues, open := 0, []cnf.Lit{}
			for _, l := range c.Lits {
				if set[l] {
					trues++
				} else if !set[-l] {
					open = append(open, l)
				}
			}
			for _, l := range open {
				if trues == c.Most {
					set[-l] = true
				} else if trues+len(open) == c.Least {
					set[l] = true
				}
			}
		}
	}
	return set
}

// A session's clicks and answers are those that a separate program finds from the seed, with its own random
// numbers and all solutions listed: for each person, on boards, with and without a solution, and on formulas.
func TestSessions(t *testing.T) {
	seed := conformance.Number(t, "SESSION_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	undone, negative := map[string]int{}, map[string]int{}
	loose := filepath.Join(t.TempDir(), "loose.opb") // an expert finds more than ten options in it
	file, err := os.Create(loose)
	require.NoError(t, err)
	require.NoError(t, encodetest.Make("local", 17, seed, true).WriteOPB(file, nil))
	require.NoError(t, file.Close())
	for _, problem := range []string{"1", "2", "3", "4", "5", "6", "7", "toroidal 5", "rooks 4", "../../configs/models/random-50-1.cnf", loose} {
		var solutions [][]cnf.Lit // of the problem
		for _, who := range randomly.Values() {
			onBoards := !slices.Contains([]string{"expert", "file"}, who)
			for range map[bool]int{true: 4, false: 12}[onBoards] {
				family, n := "queens", 0
				given := params{"person": who, "backend": "search", "seed": rng.Uint64() >> 1}
				switch _, err := fmt.Sscan(problem, &n); {
				case filepath.Ext(problem) != "":
					given["problem"] = filepath.Ext(problem)[1:] + ":" + problem
					given["decisions"] = 12
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
					given["decisions"] = n / 2
				}
				if rng.IntN(3) == 0 {
					given["want"] = "counts"
				}
				task := made(t, "sessions", given)
				hint := fmt.Sprintf("SESSION_SEED=%d %v", seed, given)
				if fits := who == "random" || onBoards == (n > 0); !fits {
					require.False(t, exists(t, task), hint)
					continue
				}
				require.True(t, exists(t, task), hint)
				asked := task.Value.(*Sessions)
				p, err := asked.Build()
				require.NoError(t, err)
				if solutions == nil {
					solutions = solutionsOf(t, p)
				}
				own := &played{problem: p, random: newPCG(asked.Seed, uint64(p.N)), undo: asked.Undo.percent(),
					most: asked.Decisions, who: who, counts: asked.Want == wantCounts, solutions: solutions}
				own.play()

				f := run(t, task)
				result := f.Values.(SessionsResult)
				require.Equal(t, strings.Join(own.answers, "; "), f.Answer, hint)
				require.Equal(t, len(own.answers), result.Clicks, hint)
				require.Equal(t, len(own.asked[len(own.asked)-1]), result.Decided, hint)
				if later := float64(result.Clicks - 1); later > 0 {
					require.InDelta(t, float64(own.left), *result.LeftByPropagation*later, 1e-6, hint)
					require.InDelta(t, float64(own.exact), *result.ByPropagation*later, 1e-6, hint)
				}
				taken := 0
				for i, decided := range own.asked[1:] {
					if len(decided) < len(own.asked[i]) {
						taken++
					} else if !decided[len(decided)-1].Positive() {
						negative[who]++
					}
				}
				require.Equal(t, taken, result.Undone, hint)
				undone[who] += taken
				next := asked.clicks(p)
				opened := open(t, p)
				want := ask.Valid
				if asked.Want == wantCounts {
					want |= ask.CountEach
				}
				q, more := next(ask.Answer{})
				for _, decided := range own.asked {
					require.True(t, more, hint)
					require.Equal(t, decided, q.Assume, hint)
					q.Want = want
					a, err := opened.Ask(t.Context(), q)
					require.NoError(t, err)
					q, more = next(a)
				}
				require.False(t, more, hint)
			}
		}
	}
	for _, who := range randomly.Values() {
		assert.Positive(t, undone[who], "%s, SESSION_SEED=%d", who, seed)
		denies := slices.Contains([]string{"random", "blocker", "expert", "file"}, who)
		assert.Equal(t, denies, negative[who] > 0, "%s, SESSION_SEED=%d", who, seed)
	}
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
			task := made(t, "sessions", params{"problem": "queens", "n": 6, "seed": 5, "backend": b.Name, "method": method})
			require.True(t, exists(t, task))
			assert.NotEmpty(t, task.References())
			f := run(t, task)
			if first.Answer == "" {
				first = f
			}
			hint := b.Name + " " + method
			assert.Equal(t, first.Answer, f.Answer, hint)
			large := made(t, "sessions", params{"n": 50, "person": "seeker", "decisions": 20, "backend": b.Name, "method": method})
			small := large.Value.(*Sessions).small()
			require.NoError(t, small.normalise(), hint)
			assert.Equal(t, []any{6, ask.BackendName(b.Name), ask.MethodName(method)}, []any{small.N, small.Backend, small.Method}, hint)
			r := f.Values.(SessionsResult)
			assert.Equal(t, first.Values.(SessionsResult).Clicks, r.Clicks, hint)
			assert.Positive(t, r.Slowest, hint)
			assert.GreaterOrEqual(t, r.Session, r.Slowest, hint)
			assert.InDelta(t, r.Session, r.SessionNet, 1e-9, hint)
			assert.LessOrEqual(t, r.Over100ms, r.Over16ms, hint)
			if b.Name == "portfolio" {
				assert.Nil(t, r.SessionWork)
				continue
			}
			assert.Positive(t, *r.SlowestWork, hint)
			assert.GreaterOrEqual(t, *r.SessionWork, *r.SlowestWork, hint)
		}
	}
	for want, exist := range map[string]bool{"valid": true, "counts": true, "solution": false, "sample": false} {
		assert.Equal(t, exist, exists(t, made(t, "sessions", params{"n": 6, "want": want, "backend": "search"})), want)
	}
	assert.False(t, exists(t, made(t, "sessions", params{"n": 6, "want": "counts", "backend": "sat"})), "it does not count")
}

// What the clicks of a session cost, added up by hand: a click at a limit is not over it.
func TestCostOfClicks(t *testing.T) {
	var c clicks
	c.cost.units = []string{"nodes"}
	for i, ms := range []float64{1, 16, 17, 200, 100, 2} {
		c.add(ask.Answer{Seconds: ms / 1000, Work: backends.Work{{Name: "nodes", N: int64(10 - i)}, {Name: "others", N: 50}}})
	}
	var r SessionsResult
	c.into(&r)
	assert.Equal(t, []int{3, 1}, []int{r.Over16ms, r.Over100ms})
	assert.InDelta(t, .336, r.Session, 1e-9)
	assert.InDelta(t, .2, r.Slowest, 1e-9)
	assert.Equal(t, []int64{45, 10}, []int64{*r.SessionWork, *r.SlowestWork})
}

// The share of undo is a percentage below one half.
func TestShareOfUndo(t *testing.T) {
	assert.Equal(t, "25%", made(t, "sessions", params{"n": 6}).Parameters()["undo"])
	for text, good := range map[string]bool{"0%": true, "7%": true, "25%": true, "40%": true, "41%": false, "25": false, "-1%": false, "025%": false} {
		assert.Equal(t, good, param.Wrong(quarter, text) == "", text)
	}
}

// The columns of a session must not contradict each other: an answer took longer than a limit if the slowest did.
func TestClicksThatContradict(t *testing.T) {
	for text, right := range map[string]bool{
		"10 0 0 .015": true, "10 1 0 .017": true, "10 3 1 .2": true, "10 0 0 .017": false, "10 1 0 .015": false,
		"10 1 0 .2": false, "10 1 2 .2": false, "1 2 1 .2": false,
	} {
		words := strings.Split(text, " ")
		cells := map[string]string{"clicks": words[0], "clicks_over_16ms": words[1], "clicks_over_100ms": words[2], "slowest_click_seconds": words[3]}
		err := new(Sessions).Verify(func(column string) string { return cells[column] })
		assert.Equal(t, right, err == nil, "%s: %v", text, err)
	}
}
