package localsearch

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"queens/board"
)

// pairs lists the valid combinations of method and set-up.
func pairs() (all []Options) {
	for _, m := range Methods() {
		for _, i := range Inits() {
			if m != Swap || i != Random {
				all = append(all, Options{Method: m, Init: i})
			}
		}
	}
	return all
}

// completable draws queens of a solution, shuffled, and blocked cells outside it.
func completable(t *rapid.T, n int, seed uint64) (queens, blocked []board.Cell) {
	r, err := Solve(context.Background(), Board{N: n}, Options{Seed: seed})
	require.NoError(t, err)
	require.True(t, r.Found)
	queens = board.Queens(r.Columns())
	rng := rand.New(rand.NewPCG(seed, 99))
	rng.Shuffle(n, func(i, j int) { queens[i], queens[j] = queens[j], queens[i] })
	for range rng.IntN(2 * n) {
		if b := board.At(n, rng.IntN(n*n)); !slices.Contains(blocked, b) && !slices.Contains(queens, b) {
			blocked = append(blocked, b)
		}
	}
	return queens, blocked
}

func TestSolveOnEverySmallBoard(t *testing.T) {
	for n := 1; n <= 40; n++ {
		for _, o := range pairs() {
			for seed := range uint64(3) {
				o.Seed = seed
				r, err := Solve(context.Background(), Board{N: n}, o)
				require.NoError(t, err)
				if o.Method != MostConflicts {
					require.Equal(t, !Impossible(n), r.Found, "n=%d %+v", n, o)
				}
				if Impossible(n) {
					require.Equal(t, Result{None: true}, r)
				}
				if r.Found {
					require.NoError(t, board.Verify(r.Rows))
					require.NoError(t, board.Verify(r.Columns()))
					for col, row := range r.Rows {
						require.Equal(t, int32(col), r.Columns()[row])
					}
				}
			}
		}
	}
}

func TestSolveOnBigBoards(t *testing.T) {
	for _, o := range pairs() {
		if o.Method == MostConflicts {
			continue
		}
		r, err := Solve(context.Background(), Board{N: 20_000}, o)
		require.NoError(t, err)
		require.True(t, r.Found, "%+v", o)
		require.NoError(t, board.Verify(r.Rows))
		assert.Zero(t, r.Restarts)
	}
}

func TestSolveKeepsPlacedAndBlocked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 60).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		queens, blocked := completable(t, n, seed)
		placed := queens[:rapid.IntRange(0, n).Draw(t, "placed")]
		o := rapid.SampledFrom(pairs()).Draw(t, "options")
		o.Seed, o.Tries = seed, 20
		r, err := Solve(context.Background(), Board{n, placed, blocked}, o)
		require.NoError(t, err)
		if r.Found {
			checkCompletion(t, r.Columns(), placed, nil, blocked)
		}
		if len(placed) == n {
			require.True(t, r.Found)
		}
	})
}

// With few queens to place a completion is found exactly when brute force finds one.
func TestSolveAgreesWithBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		placed := someCells(t, n, 2, "placed")
		blocked := someCells(t, n, n, "blocked")
		o := Options{
			Method: rapid.SampledFrom([]Method{MinConflicts, Swap}).Draw(t, "method"),
			Init:   rapid.SampledFrom([]Init{Greedy, Permutation}).Draw(t, "init"),
			Seed:   rapid.Uint64().Draw(t, "seed"),
			Limit:  100,
			Tries:  300,
		}
		r, err := Solve(context.Background(), Board{n, placed, blocked}, o)
		require.NoError(t, err)
		require.Equal(t, len(completions(n, placed, blocked)) > 0, r.Found)
		if r.Found {
			checkCompletion(t, r.Columns(), placed, nil, blocked)
		}
	})
}

// Consecutive even rows, then odd ones, solve every n with n mod 6 not 2 or 3.
func TestEvenOddNeedsNoSteps(t *testing.T) {
	for n := 4; n <= 200; n++ {
		r, err := Solve(context.Background(), Board{N: n}, Options{Init: EvenOdd})
		require.NoError(t, err)
		require.True(t, r.Found)
		assert.Equal(t, n%6 != 2 && n%6 != 3, r.Steps == 0, "n=%d", n)
	}
}

func TestSameSeedSameRun(t *testing.T) {
	for _, o := range pairs() {
		run := func(seed uint64) (events []string, rows []int32) {
			o.Seed, o.Tries = seed, 5
			o.Watch = func(e Event) {
				events = append(events, fmt.Sprint(e.Try, e.Step, e.Moves))
			}
			r, err := Solve(context.Background(), Board{N: 50}, o)
			require.NoError(t, err)
			return events, r.Rows
		}
		events, rows := run(7)
		again, rowsAgain := run(7)
		assert.Equal(t, events, again)
		assert.Equal(t, rows, rowsAgain)
		other, _ := run(8)
		if o.Method != MostConflicts || o.Init != EvenOdd { // stuck at once, always
			assert.NotEqual(t, events, other, "%v", o)
		}
		watch := o.Watch
		o.Watch = nil
		r, err := Solve(context.Background(), Board{N: 50}, Options{Method: o.Method, Init: o.Init, Seed: 7, Tries: 5})
		require.NoError(t, err)
		assert.Equal(t, rows, r.Rows, "watching changes nothing")
		o.Watch = watch
	}
}

// The reported moves lead from board to board, and to the solution.
func TestEventsTellTheWholeRun(t *testing.T) {
	for _, o := range pairs() {
		for _, n := range []int{8, 20} {
			var rows []int32
			var steps int64
			tries := -1
			o.Watch = func(e Event) {
				if e.Step == 0 {
					tries++
					require.Equal(t, tries, e.Try)
					require.Empty(t, e.Moves)
					rows = slices.Clone(e.Rows)
					return
				}
				steps++
				require.NotEmpty(t, e.Moves)
				for _, m := range e.Moves {
					require.Equal(t, int32(m.From), rows[m.Col])
					rows[m.Col] = int32(m.To)
				}
				require.Equal(t, rows, e.Rows)
			}
			r, err := Solve(context.Background(), Board{N: n}, o)
			require.NoError(t, err)
			assert.Equal(t, r.Steps, steps)
			assert.Equal(t, r.Restarts, tries)
			if r.Found {
				assert.Equal(t, r.Rows, rows)
			}
		}
	}
}

func TestMostConflictsOnlyEverGains(t *testing.T) {
	attacks := func(rows []int32) (k int) {
		queens := board.Queens(rows)
		for i, q := range queens {
			for _, p := range queens[:i] {
				if p.Attacks(q) {
					k++
				}
			}
		}
		return k
	}
	for _, init := range Inits() {
		last := 0
		r, err := Solve(context.Background(), Board{N: 16}, Options{
			Method: MostConflicts, Init: init, Tries: 30,
			Watch: func(e Event) {
				now := attacks(e.Rows)
				if e.Step > 0 {
					require.Less(t, now, last)
				}
				last = now
			},
		})
		require.NoError(t, err)
		assert.Equal(t, r.Restarts, r.Stuck-map[bool]int{true: 0, false: 1}[r.Found], "only a local minimum ends a try")
	}
	r, err := Solve(context.Background(), Board{N: 100}, Options{Method: MostConflicts, Init: Random, Tries: 5})
	require.NoError(t, err)
	assert.Equal(t, 5, r.Stuck)
}

func TestLimitEndsATry(t *testing.T) {
	for _, m := range []Method{MinConflicts, Swap} {
		longest, tries := int64(0), 0
		r, err := Solve(context.Background(), Board{N: 1000}, Options{
			Method: m, Init: Permutation, Tries: 3, Limit: 20,
			Watch: func(e Event) {
				longest = max(longest, e.Step)
				tries = e.Try + 1
			},
		})
		require.NoError(t, err)
		assert.False(t, r.Found)
		assert.EqualValues(t, 20, longest)
		assert.Equal(t, 3, tries)
		assert.EqualValues(t, 60, r.Steps)
	}
}

// A board that the last allowed step solves counts as solved; with one step less the
// try fails.
func TestLimitAllowsTheLastStep(t *testing.T) {
	judged := map[Method]int{}
	for _, o := range pairs() {
		o.Tries = 1
		for _, n := range []int{5, 6, 8, 14, 50, 200} {
			for o.Seed = range 20 {
				t.Run(fmt.Sprintf("%s from %s n=%d seed=%d", o.Method, o.Init, n, o.Seed), func(t *testing.T) {
					run := func(limit int64) Result {
						o := o
						o.Limit = limit
						r, err := Solve(context.Background(), Board{N: n}, o)
						require.NoError(t, err)
						return r
					}
					ample := run(5000)
					if !ample.Found || ample.Steps < 2 { // a limit of 0 steps would mean no limit
						return
					}
					judged[o.Method]++
					last := run(ample.Steps)
					require.True(t, last.Found, "limit %d", ample.Steps)
					require.NoError(t, board.Verify(last.Rows))
					require.Equal(t, ample.Steps, last.Steps)
					require.Equal(t, ample.Rows, last.Rows)
					early := run(ample.Steps - 1)
					require.False(t, early.Found, "limit %d", ample.Steps-1)
					require.Equal(t, ample.Steps-1, early.Steps)
				})
			}
		}
	}
	for _, m := range Methods() {
		assert.Greater(t, judged[m], 20, "%s: searches with a last step", m)
	}
}

func TestSolveIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range pairs() {
		_, err := Solve(ctx, Board{N: 100}, o)
		assert.ErrorIs(t, err, context.Canceled)
		ctx, cancel := context.WithCancel(context.Background())
		seen := 0
		o.Limit = math.MaxInt64
		o.Watch = func(e Event) {
			if seen++; seen == 3 {
				cancel()
			}
		}
		r, err := Solve(ctx, Board{N: 5000}, o)
		if err == nil { // done before the context is next checked
			assert.True(t, r.Found || o.Method == MostConflicts)
			assert.Less(t, r.Steps, int64(600))
			continue
		}
		assert.ErrorIs(t, err, context.Canceled)
		assert.Less(t, seen, 300)
	}
}

func TestSolveBadInput(t *testing.T) {
	a1, b2 := board.Cell{}, board.Cell{Row: 1, Col: 1}
	for want, c := range map[string]struct {
		p Board
		o Options
	}{
		"solving n = 0 by local search: size 0: expected 1 to":                                         {Board{}, Options{}},
		"cell b2 is off the board":                                                                     {Board{1, []board.Cell{b2}, nil}, Options{}},
		"cell a1 is given twice":                                                                       {Board{4, nil, []board.Cell{a1, a1}}, Options{}},
		`method "hill-climbing": expected one of [swap min-conflicts most-conflicts]`:                  {Board{N: 4}, Options{Method: "hill-climbing"}},
		`set-up "sorted": expected one of [greedy permutation random even-odd]`:                        {Board{N: 4}, Options{Init: "sorted"}},
		"method swap exchanges rows: it cannot repair set-up random, with several queens on some rows": {Board{N: 4}, Options{Method: Swap, Init: Random}},
	} {
		_, err := Solve(context.Background(), c.p, c.o)
		assert.ErrorContains(t, err, want)
	}
	// Ordinary problems without a solution: not found, at once.
	column := []board.Cell{{Row: 0, Col: 2}, {Row: 1, Col: 2}, {Row: 2, Col: 2}, {Row: 3, Col: 2}}
	for _, p := range []Board{
		{4, []board.Cell{a1, b2}, nil}, {4, []board.Cell{a1}, []board.Cell{a1}}, {4, nil, column}, {2, nil, nil}, {3, nil, nil},
	} {
		r, err := Solve(context.Background(), p, Options{})
		require.NoError(t, err)
		assert.Equal(t, Result{None: true}, r)
	}
}

// boardOf makes a search with method o.Method on a board that was just set up.
func boardOf(t require.TestingT, p Board, o Options) *search {
	s, err := newSearch(p, &o)
	require.NoError(t, err)
	require.False(t, s.dead)
	left, err := s.setUp(context.Background())
	require.NoError(t, err)
	s.repair.start(left)
	return s
}

// rule is min-conflicts by its definition: the attacked queens, and the least
// attacked rows of a column, found by examining every pair and every cell.
type rule struct {
	placed, blocked []board.Cell
	rows            []int32
}

func (x rule) attacks(col, row int) (k int) {
	for c, r := range x.rows {
		if c != col && (int(r) == row || diagonal(c, int(r), col, row)) {
			k++
		}
	}
	return k
}

func (x rule) attacked() (cols []int) {
	for col, row := range x.rows {
		here := board.Cell{Row: int(row), Col: col}
		if !slices.Contains(x.placed, here) && (x.attacks(col, int(row)) > 0 || slices.Contains(x.blocked, here)) {
			cols = append(cols, col)
		}
	}
	return cols
}

func (x rule) best(col int) (rows []int) {
	least := math.MaxInt
	for row := range x.rows {
		k := x.attacks(col, row)
		if slices.Contains(x.blocked, board.Cell{Row: row, Col: col}) || k > least {
			continue
		}
		if k < least {
			least, rows = k, nil
		}
		rows = append(rows, row)
	}
	return rows
}

// After every step, all counts are compared with a recount.
func TestBooksAfterEveryStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 90).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		queens, blocked := completable(t, n, seed)
		placed := queens[:rapid.IntRange(0, n/2).Draw(t, "placed")]
		o := rapid.SampledFrom(pairs()).Draw(t, "options")
		o.Seed = seed
		s := boardOf(t, Board{n, placed, blocked}, o)
		for range 60 {
			x := rule{placed, blocked, s.rows}
			for _, q := range placed {
				require.Equal(t, int32(q.Row), s.rows[q.Col])
			}
			switch m := s.repair.(type) {
			case *minConflicts:
				checkCensus(t, m.lines, s.rows)
				for _, col := range x.attacked() {
					require.True(t, m.suspects.in.has(col), "attacked, but not a suspect")
				}
				checkMembers(t, m.suspects.list, m.suspects.in)
				checkMembers(t, m.empty.list, m.empty.in)
				for row := range n {
					require.True(t, slices.Contains(s.rows, int32(row)) || m.empty.in.has(row))
				}
			case *mostConflicts:
				checkCensus(t, m.lines, s.rows)
			case *swapping:
				seen := map[int32]bool{}
				for _, row := range s.rows {
					require.False(t, seen[row], "two queens on one row")
					seen[row] = true
				}
				for col, row := range s.rows {
					k := 0
					for c, r := range s.rows {
						if c-int(r) == col-int(row) {
							k++
						}
						if c+int(r) == col+int(row) {
							k++
						}
					}
					require.Equal(t, k, s.books.count(col, int(row)))
				}
				lines := 0
				for i := range 2*n - 1 {
					lines += min(1, s.books.diag.some(i)) + min(1, s.books.anti.some(i))
				}
				held := map[board.Line]bool{}
				for _, q := range board.Queens(s.rows) {
					held[q.Lines(n)[2]], held[q.Lines(n)[3]] = true, true
				}
				require.Equal(t, len(held), lines)
				checkMembers(t, m.suspects.list, m.suspects.in)
				for _, col := range x.attacked() {
					covered := m.suspects.in.has(col)
					for c, r := range s.rows {
						covered = covered || c != col && diagonal(c, int(r), col, int(s.rows[col])) && m.suspects.in.has(c)
					}
					require.True(t, covered, "an attacking pair without a suspect")
				}
			}
			drawn := s.pcg
			require.Equal(t, len(x.attacked()) == 0, s.mended())
			require.Equal(t, drawn, s.pcg, "checking the board draws random numbers")
			before := slices.Clone(s.rows)
			status := s.repair.step()
			require.Equal(t, len(rule{placed, blocked, before}.attacked()) == 0, status == solved)
			if status != moved {
				require.Equal(t, before, s.rows)
				return
			}
			if o.Method == MinConflicts {
				checkMinConflictsMove(t, rule{placed, blocked, before}, s.rows)
			}
		}
	})
}

// checkMinConflictsMove checks one step against the rule.
func checkMinConflictsMove(t require.TestingT, before rule, after []int32) {
	changed := -1
	for col := range after {
		if after[col] != before.rows[col] {
			require.Equal(t, -1, changed, "two queens moved")
			changed = col
		}
	}
	if changed >= 0 {
		require.Contains(t, before.attacked(), changed)
		require.Contains(t, before.best(changed), int(after[changed]))
	}
}

func checkMembers(t require.TestingT, list []int32, in bitset) {
	require.Equal(t, len(list), members(in))
	for _, i := range list {
		require.True(t, in.has(int(i)))
	}
}

func checkCensus(t require.TestingT, c *census, rows []int32) {
	n := len(rows)
	var none *census
	fresh := none.of(rows)
	// compare with a plain count
	count := map[board.Line]int{}
	for _, q := range board.Queens(rows) { // with rows and columns exchanged
		for _, l := range q.Lines(n) {
			count[l]++
		}
	}
	for i := range 2*n - 1 {
		require.Equal(t, count[board.Line{Kind: board.AntiDiagonal, Index: i}], fresh.anti.count(i))
		require.Equal(t, count[board.Line{Kind: board.Diagonal, Index: 2*n - 2 - i}], fresh.diag.count(i))
	}
	for i := range n {
		require.Equal(t, count[board.Line{Kind: board.Column, Index: i}], fresh.row.count(i))
	}
	require.Equal(t, fresh, c)
}

// chiSquare fails if counts are not a plausible sample of the expected chances. The
// seed is fixed, so it fails always or never.
func chiSquare(t *testing.T, counts map[string]int, chance map[string]float64) {
	total := 0
	for key, k := range counts {
		require.Positive(t, chance[key], "%s is impossible", key)
		total += k
	}
	sum, rest, restCount := 0.0, 0.0, 0
	cells := 0
	for key, p := range chance {
		expected := p * float64(total)
		if expected < 5 { // too rare for a class of its own
			rest += expected
			restCount += counts[key]
			continue
		}
		sum += (float64(counts[key]) - expected) * (float64(counts[key]) - expected) / expected
		cells++
	}
	if rest >= 5 {
		sum += (float64(restCount) - rest) * (float64(restCount) - rest) / rest
		cells++
	}
	require.Greater(t, cells, 1)
	p := 1 - distuv.ChiSquared{K: float64(cells - 1)}.CDF(sum)
	assert.Greater(t, p, 1e-3, "chi-square %.1f with %d degrees of freedom", sum, cells-1)
}

// The distribution of boards after one, two and three steps is that of the rule,
// computed exactly: a queen uniform among the attacked, a row uniform among the least
// attacked. Three steps show that draws do not depend on earlier ones.
func TestMinConflictsFollowsTheRule(t *testing.T) {
	start := []int32{0, 1, 2, 2, 4, 4, 1}
	const runs = 30_000
	chance := map[string]float64{fmt.Sprint(start): 1}
	boards := map[string][]int32{fmt.Sprint(start): start}
	for steps := 1; steps <= 3; steps++ {
		next := map[string]float64{}
		for key, p := range chance {
			x := rule{rows: boards[key]}
			attacked := x.attacked()
			if len(attacked) == 0 {
				next[key] += p
			}
			for _, col := range attacked {
				best := x.best(col)
				for _, row := range best {
					after := slices.Clone(x.rows)
					after[col] = int32(row)
					boards[fmt.Sprint(after)] = after
					next[fmt.Sprint(after)] += p / float64(len(attacked)) / float64(len(best))
				}
			}
		}
		chance = next
		counts := map[string]int{}
		for seed := range uint64(runs) {
			s, err := newSearch(Board{N: len(start)}, &Options{Method: MinConflicts, Seed: seed})
			require.NoError(t, err)
			copy(s.rows, start)
			s.repair.start(nil)
			for range steps {
				s.repair.step()
			}
			counts[fmt.Sprint(s.rows)]++
		}
		chiSquare(t, counts, chance)
	}
}

// The row chosen by trials follows the rule: on boards with many empty rows,
// with none, and with blocked cells.
func TestLeastAttackedIsUniformByTrialToo(t *testing.T) {
	for name, c := range map[string]struct {
		init    Init
		blocked []board.Cell
		empty   bool
	}{
		"many empty rows": {Random, nil, true},
		"no empty row":    {Permutation, nil, false},
		"blocked cells":   {Random, []board.Cell{{Row: 3, Col: 50}, {Row: 77, Col: 50}, {Row: 90, Col: 50}, {Row: 20, Col: 50}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			const n, col = 150, 50
			s := boardOf(t, Board{N: n, Blocked: c.blocked}, Options{Method: MinConflicts, Init: c.init, Seed: 5})
			m := s.repair.(*minConflicts)
			require.Equal(t, c.empty, len(m.empty.list) > few)
			best := rule{blocked: c.blocked, rows: slices.Clone(s.rows)}.best(col)
			require.Greater(t, len(best), 3)
			m.lift(col)
			chance, counts := map[string]float64{}, map[string]int{}
			for _, row := range best {
				chance[fmt.Sprint(row)] = 1 / float64(len(best))
			}
			for range 20_000 {
				counts[fmt.Sprint(m.leastAttacked(col))]++
			}
			chiSquare(t, counts, chance)
		})
	}
}

// The same for the partner in a swap, whether found by trial or by examining all.
func TestPartnerIsLeastAttacked(t *testing.T) {
	for _, n := range []int{8, 12, 100} {
		s := boardOf(t, Board{N: n}, Options{Method: Swap, Init: Permutation, Seed: 3})
		w := s.repair.(*swapping)
		x := rule{rows: slices.Clone(s.rows)}
		col := x.attacked()[0]
		least, partners := math.MaxInt, []int{}
		for other := range n {
			if other == col {
				continue
			}
			x.rows[col], x.rows[other] = x.rows[other], x.rows[col]
			k := x.attacks(col, int(x.rows[col])) + x.attacks(other, int(x.rows[other]))
			if diagonal(col, int(x.rows[col]), other, int(x.rows[other])) {
				k-- // counted from both ends
			}
			x.rows[col], x.rows[other] = x.rows[other], x.rows[col]
			if k < least {
				least, partners = k, nil
			}
			if k == least {
				partners = append(partners, other)
			}
		}
		counts, chance := map[string]int{}, map[string]float64{}
		for _, other := range partners {
			chance[fmt.Sprint(other)] = 1 / float64(len(partners))
		}
		for range 10_000 {
			counts[fmt.Sprint(w.partner(col))]++
		}
		if len(partners) == 1 {
			assert.Equal(t, map[string]int{fmt.Sprint(partners[0]): 10_000}, counts)
			continue
		}
		chiSquare(t, counts, chance)
	}
}

func members(x bitset) (k int) {
	for _, w := range x {
		k += bits.OnesCount64(w)
	}
	return k
}
