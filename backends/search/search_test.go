package search

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/csplib"
)

func TestConformance(t *testing.T) {
	conformance.RunAny(t, Methods(), func(p encode.Problem) backends.Backend { return New(p) })
}

// Every walk passes the conformance suite on queens, including those that New
// would not choose.
func TestConformanceOfTheWalks(t *testing.T) {
	for name, make := range map[string]func(encode.Problem) walker{
		"general": func(p encode.Problem) walker { return newGeneral(p) },
		"wide":    func(p encode.Problem) walker { return newWide(p) },
	} {
		t.Run(name, func(t *testing.T) {
			conformance.Run(t, Methods(), func(p encode.Problem) backends.Backend { return newOracle(p, make(p), "") })
		})
	}
}

// The count and its cost do not depend on the number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 3, 4, 6, 9, 11} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		for _, assume := range [][]cnf.Lit{nil, {cnf.Lit(p.NumVars())}, {-1, cnf.Lit(min(n, 2))}} {
			one := New(p)
			wantCount, wantEach, err := one.CountEach(ctx, assume)
			require.NoError(t, err)
			for _, workers := range []int{2, 3, 8} {
				many := New(p).Parallel(workers, nil)
				count, each, err := many.CountEach(ctx, assume)
				require.NoError(t, err)
				require.Equal(t, wantCount, count)
				require.Equal(t, wantEach, each)
				require.Equal(t, one.Visited(), many.Visited(), "n = %d, assuming %v, %d workers", n, assume, workers)
			}
		}
	}
	p, err := encode.Queens(14, nil, nil)
	require.NoError(t, err)
	ended, end := context.WithTimeout(ctx, 5*time.Millisecond)
	defer end()
	_, err = New(p).Parallel(3, nil).Count(ended, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// Counts of boards whose fixed cells keep symmetries are those of the general walk, which
// visits every solution.
func TestCountsUpToImages(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	for range 200 {
		n := 1 + rng.IntN(9)
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		var assume []cnf.Lit
		for range rng.IntN(3) {
			l := cnf.Var(1 + rng.IntN(n*n)).Pos()
			if rng.IntN(2) == 0 {
				l = -l
			}
			for range 1 + rng.IntN(3) {
				if !slices.Contains(assume, l) && !slices.Contains(assume, -l) {
					assume = append(assume, l)
				}
				l = encode.Turned(n, board.Symmetry(rng.IntN(8)), l)
			}
		}
		total, each, err := newOracle(p, newGeneral(p), "").CountEach(ctx, assume)
		require.NoError(t, err)
		o := New(p).Parallel(1+rng.IntN(3), nil)
		gotTotal, gotEach, err := o.CountEach(ctx, assume)
		require.NoError(t, err)
		require.Equal(t, total, gotTotal, "seed %d: n = %d, assuming %v", seed, n, assume)
		require.Equal(t, each, gotEach, "seed %d: n = %d, assuming %v", seed, n, assume)
		got, err := o.Count(ctx, assume)
		require.NoError(t, err)
		require.Equal(t, total, got, "seed %d: n = %d, assuming %v", seed, n, assume)
	}
}

// On larger boards too, all solutions are those of the general walk: boards with most
// queens of a solution placed, and some cells blocked.
func TestCountsOfLargerBoards(t *testing.T) {
	several := 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := []int{33, 40, 64, 70}[seed%4]
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		o := New(p)
		answer, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		var assume []cnf.Lit
		for _, l := range answer.Model {
			if l.Positive() && rng.IntN(n) > 12 || rng.IntN(5*n) == 0 {
				assume = append(assume, l)
			}
		}
		total, each, err := newOracle(p, newGeneral(p), "").CountEach(context.Background(), assume)
		require.NoError(t, err)
		if total.Int64() > 1 {
			several++
		}
		got, gotEach, err := o.CountEach(context.Background(), assume)
		require.NoError(t, err)
		require.Equal(t, total, got, "seed %d", seed)
		require.Equal(t, each, gotEach, "seed %d", seed)
		first := New(p)
		valid, err := first.Valid(context.Background(), assume, "")
		require.NoError(t, err)
		for _, v := range valid.Possible {
			require.Positive(t, each[v-1].Sign())
		}
	}
	require.Positive(t, several)
}

// The walk on bit masks finds what the general walk finds, on boards where one row and column after another
// loses its free cells.
func TestWalksAgreeOnBlockedBoards(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := 1 + rng.IntN(13)
		if seed%10 == 0 {
			n = 14 + rng.IntN(board.MaxMasks-13)
		}
		var blocked []board.Cell
		for i := range n * n {
			if rng.IntN(20) < 9 {
				blocked = append(blocked, board.At(n, i))
			}
		}
		p, err := encode.Queens(n, nil, blocked)
		require.NoError(t, err)
		general, narrow := newOracle(p, newGeneral(p), ""), newOracle(p, newNarrow(p), "")
		if n > 13 {
			want, err := general.Solve(context.Background(), nil)
			require.NoError(t, err)
			got, err := narrow.Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, want.Status, got.Status, "seed %d, n=%d", seed, n)
			continue
		}
		want, err := general.Count(context.Background(), nil)
		require.NoError(t, err)
		got, err := narrow.Count(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, want, got, "seed %d, n=%d", seed, n)
	}
}

// Boards on which one solution takes long to find, or to exclude.
func TestHardBoards(t *testing.T) {
	const n = 17
	hard := map[backends.Status]int{}
	for seed := range uint64(30) {
		in, err := csplib.Random(n, 3, seed)
		require.NoError(t, err)
		p := conformance.Excluding(t, in, min(14, len(in.Diagonals)))
		o := New(p)
		got, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		if o.Visited() < pauseAfter {
			continue
		}
		hard[got.Status]++
		if got.Status == backends.Sat {
			checkSolution(t, n, got.Model)
			require.NoError(t, p.Verify(got.Model))
		} else {
			want, err := newOracle(p, newGeneral(p), "").Solve(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, want.Status, got.Status, "seed %d", seed)
		}
		again, err := o.Solve(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	t.Log(hard)
	require.Positive(t, hard[backends.Sat])
	require.Positive(t, hard[backends.Unsat])
}

func oracle(t testing.TB, n int) *Oracle {
	p, err := encode.Queens(n, nil, nil)
	require.NoError(t, err)
	return New(p)
}

func TestKnownCountsBeyondTheSuite(t *testing.T) {
	for n := 11; n <= 12; n++ {
		count, err := oracle(t, n).Count(context.Background(), nil)
		require.NoError(t, err)
		known, _ := board.KnownSolutions(n)
		assert.Equal(t, int64(known), count.Int64())
	}
}

// Published counts of the families, for sizes beyond brute force.
func TestKnownCountsOfFamilies(t *testing.T) {
	for name, sizes := range map[string][]int{
		"toroidal": {6, 7, 8, 9, 10, 11}, "amazons": {6, 7, 8, 9, 10, 11, 12}, "rooks": {5, 6, 7, 8},
		"latin": {4, 5}, "dominoes": {4, 5, 6},
	} {
		family, err := encode.FamilyNamed(name)
		require.NoError(t, err)
		for _, n := range sizes {
			p, err := family.Build(n)
			require.NoError(t, err)
			o := New(p)
			require.IsType(t, (*general)(nil), o.walker)
			count, err := o.Count(context.Background(), nil)
			require.NoError(t, err)
			known, _ := family.Known(n)
			assert.Equal(t, known.String(), count.String(), p.String())
		}
	}
}

// Queens without one kind of diagonal, and without both.
func TestCountsWithoutDiagonals(t *testing.T) {
	half := []int64{1, 1, 3, 7, 23, 83, 405, 2113, 12657} // OEIS A099152
	for n := 1; n <= 9; n++ {
		whole, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		diagonals := (len(whole.Constraints) - 2*n) / 2 // of each kind, the second kind last
		for kept, want := range map[int]*big.Int{
			diagonals: big.NewInt(half[n-1]), 0: new(big.Int).MulRange(1, int64(n)),
		} {
			p := whole
			p.Constraints = whole.Constraints[:2*n+kept]
			if kept == 0 && n == 9 {
				continue // 9! one by one
			}
			count, err := New(p).Count(context.Background(), nil)
			require.NoError(t, err)
			assert.Equal(t, want.String(), count.String(), "n=%d, %d diagonals kept", n, kept)
		}
	}
}

// Assignments of unconstrained variables are counted without being visited: 100
// variables, two of which exclude each other.
func TestFreeVariablesAreCountedAtOnce(t *testing.T) {
	p := encode.Problem{Family: "free", Names: make(encode.List, 100), Constraints: []encode.Constraint{
		encode.AtMostOne("", 1, 2),
	}}
	o := New(p)
	total, each, err := o.CountEach(context.Background(), []cnf.Lit{-100})
	require.NoError(t, err)
	power := func(exponent uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), exponent) }
	assert.Equal(t, new(big.Int).Mul(big.NewInt(3), power(97)), total)
	assert.Equal(t, power(97), each[0])
	assert.Equal(t, new(big.Int).Mul(big.NewInt(3), power(96)), each[50])
	assert.Zero(t, each[99].Sign())
	assert.Less(t, o.Visited(), uint64(10))
}

// Boards just below and above the limit of the bit masks, and far above.
func TestBoardsAtTheWordsEdges(t *testing.T) {
	for _, n := range []int{31, 32, 33, 63, 64, 65, 100, 130} {
		answer, err := oracle(t, n).Solve(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, backends.Sat, answer.Status)
		checkSolution(t, n, answer.Model)
	}
}

func checkSolution(t *testing.T, n int, model []cnf.Lit) {
	var queens []board.Cell
	for i, l := range model {
		if l.Positive() {
			queens = append(queens, board.At(n, i))
		}
	}
	require.NoError(t, board.VerifyCells(n, queens))
}

// A count that would take years ends soon after its deadline.
func TestDeadlineIsHonouredInsideAWalk(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	o := oracle(t, 24)
	_, err := o.Count(ctx, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	answer, err := o.Solve(context.Background(), nil)
	require.NoError(t, err)
	checkSolution(t, 24, answer.Model)
}
