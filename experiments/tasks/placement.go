package tasks

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"queens/ask"
	"queens/backends"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/cnf"
	"queens/internal/param"
)

// Placement is how the placed queens are chosen or, for other families, the variables fixed to
// true.
type Placement string

// The ways to choose placed queens.
const (
	// completable keeps some queens of a random solution, so a completion exists.
	completable Placement = "completable"
	// prefix keeps the first queens of a random solution, row by row.
	prefix Placement = "prefix"
	// unattacked places queens one by one on random cells that no queen attacks: usually
	// no completion exists.
	unattacked Placement = "unattacked"
	// uniform keeps some queens of a solution drawn from all with the same probability, from a
	// diagram built for it.
	uniform Placement = "uniform"
	// oneByOne chooses as completable does, with one more of a solution's queens in each query. After all
	// of them another solution follows.
	oneByOne Placement = "one-by-one"
)

// Values lists the ways.
func (Placement) Values() []string {
	return []string{string(completable), string(prefix), string(unattacked), string(uniform), string(oneByOne)}
}

// placementFile is the prefix of placements that are read from a file.
const placementFile = "file:"

var (
	_ param.Patterned = Placement("")
	_ param.Pinned    = Placement("")
)

// Pattern accepts a file of placements.
func (Placement) Pattern() (expression, title string) { return "^file:.+$", "file:PATH" }

// Pin implements [param.Pinned].
func (p Placement) Pin() ([]string, error) {
	name, is := strings.CutPrefix(string(p), placementFile)
	if !is {
		return []string{string(p)}, nil
	}
	_, _, pin, err := param.PinFile(name, 0)
	return []string{placementFile + pin}, err
}

// read returns the placements of a run's queries from a file: CSV with the columns n, placed, seed and placements;
// the last lists placements separated by ;. Errors name the place as file:line.
func (p Placement) read(of encode.Problem, placed int, seed uint64, queries int) (list [][]cnf.Var, err error) {
	data, path, _, err := param.PinFile(strings.TrimPrefix(string(p), placementFile), 0)
	if err != nil {
		return nil, fmt.Errorf("reading placements: %w", err)
	}
	lines := csv.NewReader(bytes.NewReader(data))
	header, err := lines.Read()
	if err != nil || strings.Join(header, ",") != placementHeader {
		return nil, fmt.Errorf("%s:1: expected the columns %s", path, placementHeader)
	}
	for {
		words, err := lines.Read()
		if err == io.EOF {
			return nil, fmt.Errorf("%s: no line for n = %d, %d placed, seed %d", path, of.N, placed, seed)
		}
		at, _ := lines.FieldPos(0)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, at, err)
		}
		if !slices.Equal(words[:3], []string{strconv.Itoa(of.N), strconv.Itoa(placed), strconv.FormatUint(seed, 10)}) {
			continue
		}
		texts := strings.Split(words[3], ";")
		if len(texts) < queries {
			return nil, fmt.Errorf("%s:%d: %d placements, but %d queries", path, at, len(texts), queries)
		}
		for _, text := range texts[:queries] {
			var vars []cnf.Var
			for name := range strings.FieldsSeq(text) {
				v, err := of.Names.Var(name)
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", path, at, err)
				}
				vars = append(vars, v)
			}
			if len(vars) > placed { // fewer queens mean that no more fitted
				return nil, fmt.Errorf("%s:%d: %q: expected at most %d queens", path, at, text, placed)
			}
			list = append(list, vars)
		}
		return list, nil
	}
}

// placementHeader is the first line of a file of placements.
const placementHeader = "n,placed,seed,placements"

// placer chooses variables of one problem to be true.
type placer struct {
	Placement
	problem encode.Problem
	peers   [][]cnf.Var      // by variable-1, the variables that it excludes and itself; nil until needed
	all     backends.Sampler // draws solutions; nil unless uniform
	last    []cnf.Var        // one by one: all that was placed last, for the seed of that
	lastFor uint64
}

// placer returns a placer for a problem. For uniform it compiles the problem's diagram.
func (p Placement) placer(ctx context.Context, of encode.Problem) (*placer, error) {
	made := &placer{Placement: p, problem: of, peers: make([][]cnf.Var, of.NumVars())}
	if p != uniform {
		return made, nil
	}
	compiled, err := ask.Compile(ctx, of, ask.Choice{}, ask.Resources{})
	if err != nil {
		return nil, fmt.Errorf("sampling solutions of %s: %w", of, err)
	}
	made.all = ask.Oracle(compiled)
	return made, nil
}

// query chooses the variables of a run's i-th query.
func (p *placer) query(ctx context.Context, count int, seed uint64, i int) ([]cnf.Var, error) {
	if p.Placement != oneByOne || count == 0 {
		return p.place(ctx, count, seed+uint64(i)<<32)
	}
	if seed += uint64(i/count) << 32; p.last == nil || p.lastFor != seed {
		all, err := p.place(ctx, count, seed)
		if err != nil {
			return nil, err
		}
		p.last, p.lastFor = all, seed
	}
	return p.last[:min(i%count+1, len(p.last))], nil
}

// place chooses variables to be true, the same ones for the same seed on every machine. It returns
// fewer than count if no more fit, and none if the problem has no solution.
func (p *placer) place(ctx context.Context, count int, seed uint64) (vars []cnf.Var, err error) {
	if count == 0 {
		return nil, nil
	}
	random := rand.New(rand.NewPCG(seed, uint64(p.problem.N)<<32|uint64(count)))
	var solution []cnf.Var
	switch p.Placement {
	case unattacked:
		return p.unattacked(count, random), nil
	case uniform:
		for model, err := range p.all.Samples(ctx, p.problem.Fixed, random.Uint64()) {
			if err != nil {
				return nil, err
			}
			solution = p.problem.TrueVars(model)
			break
		}
	default:
		if solution, err = p.solution(ctx, random); err != nil {
			return nil, err
		}
	}
	if p.Placement != prefix {
		random.Shuffle(len(solution), func(i, j int) { solution[i], solution[j] = solution[j], solution[i] })
	}
	return solution[:min(count, len(solution))], nil
}

// excluded returns the variables that must be false if v is true, and v itself.
func (p *placer) excluded(v cnf.Var) []cnf.Var {
	if p.peers[v-1] == nil {
		peers := []cnf.Var{v}
		for _, c := range p.problem.Constraints {
			if !c.Excludes() || !slices.Contains(c.Lits, cnf.Lit(v)) {
				continue
			}
			for _, l := range c.Lits {
				peers = append(peers, l.Var())
			}
		}
		p.peers[v-1] = peers
	}
	return p.peers[v-1]
}

// unattacked chooses random free variables one by one. It returns fewer than count if no free
// variable is left.
func (p *placer) unattacked(count int, random *rand.Rand) (placed []cnf.Var) {
	free := make([]cnf.Var, p.problem.NumVars())
	for i := range free {
		free[i] = cnf.Var(i + 1)
	}
	attacked := make([]bool, p.problem.AllVars()) // an excluded variable may be auxiliary
	for len(placed) < count && len(free) > 0 {
		v := free[random.IntN(len(free))]
		placed = append(placed, v)
		for _, peer := range p.excluded(v) {
			attacked[peer-1] = true
		}
		free = slices.DeleteFunc(free, func(v cnf.Var) bool { return attacked[v-1] })
	}
	return placed
}

// largestSearched is the largest board that search completes from half of its queens.
const largestSearched = 24

// startsOfASize is how many random starts of one size are tried before a smaller size.
const startsOfASize = 20

// mostSteps bounds the search for a completion of a formula's start, in literals set: a tenth of a second at most. Where
// search finds one, it takes far fewer. Some published feature models send it astray for hours.
const mostSteps = 100_000

// solution completes a random start to a solution. The start has half of the queens, on
// large boards a quarter, or fewer if no such start is found to have a completion. It returns
// the true variables in increasing order, or nothing if the problem has no solution. Its
// solutions vary enough for the queries to differ, but are not uniform; [uniform] draws uniformly.
func (p *placer) solution(ctx context.Context, random *rand.Rand) (vars []cnf.Var, err error) {
	complete := p.completer()
	n := p.problem.N
	size := max(1, n/2)
	if n > largestSearched {
		size = n / 4
	}
	for ; size >= 0; size-- {
		for range startsOfASize {
			var start []cnf.Lit
			for _, v := range p.unattacked(size, random) {
				start = append(start, cnf.Lit(v))
			}
			answer, err := complete(ctx, start)
			if err != nil {
				return nil, fmt.Errorf("completing a random placement of %s: %w", p.problem, err)
			}
			if answer.Status == backends.Sat {
				return p.problem.TrueVars(answer.Model), nil
			}
			if size == 0 {
				return nil, nil // not even the empty start has a completion
			}
		}
	}
	return nil, nil
}

// completer returns what completes the starts of one solution: search and, once that has given up on a formula, gini.
// It is a new one for each solution, since answers depend on earlier questions.
func (p *placer) completer() func(ctx context.Context, start []cnf.Lit) (backends.Answer, error) {
	searcher := search.New(p.problem)
	if p.problem.N > 0 {
		return searcher.Solve
	}
	var solver *sat.Oracle
	return func(ctx context.Context, start []cnf.Lit) (backends.Answer, error) {
		if solver == nil {
			answer, _, err := searcher.SolveWithin(ctx, start, mostSteps)
			if err != nil || answer.Status != backends.Unknown {
				return answer, err
			}
			solver = sat.New(p.problem)
		}
		return solver.Solve(ctx, start)
	}
}
