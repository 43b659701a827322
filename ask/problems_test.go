package ask

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/configure/explain"
	"queens/encode"
	"queens/encode/cnf"
)

// problemCases is the number of files; go test -tags slow has 100,000.
var problemCases uint64 = 300

// Files of up to 14 variables, with bounds of all kinds over literals of both signs, repeated
// literals, tautologies, empty clauses and unused variables: every back-end, under a random order,
// counts and finds possible and forced variables as the file's text says, which this test reads by itself;
// and a literal is explained.
//
//	PROBLEM_CASES=100000 go test -count 1 -timeout 0 -v -run FilesByBruteForce ./ask
func TestFilesByBruteForce(t *testing.T) {
	seed := conformance.Number(t, "PROBLEM_SEED", rand.Uint64())
	explained := map[string]int{}
	for i := range conformance.Number(t, "PROBLEM_CASES", conformance.Cases(problemCases)) {
		rng := rand.New(rand.NewPCG(seed, i))
		vars := 1 + rng.IntN(14)
		text, ext := randomDIMACS(rng, vars), ".cnf"
		if rng.IntN(2) == 0 {
			text, ext = randomOPB(rng, vars), ".opb"
		}
		func() {
			defer keepFailed(t, text, ext)
			explained[checkFile(t, text, ext, rng, fmt.Sprintf("PROBLEM_SEED=%d, case %d:\n%s", seed, i, text))]++
		}()
	}
	t.Logf("PROBLEM_SEED=%d, explained: %v", seed, explained)
	require.Positive(t, explained["possible"])
	require.Positive(t, explained["derived"])
}

// checkFile asks every back-end about a file, and one for an explanation, whose kind it returns.
func checkFile(t *testing.T, text, ext string, rng *rand.Rand, hint string) string {
	ctx := context.Background()
	p, err := readProblem(text, ext)
	require.NoError(t, err, hint)
	for _, named := range nameLine.FindAllStringSubmatch(text, -1) {
		v, err := strconv.Atoi(named[1])
		require.NoError(t, err, hint)
		require.Equal(t, named[2], p.VarName(cnf.Var(v)), hint)
	}
	parse, vars := parseOPB, p.NumVars()
	if ext == ".cnf" {
		parse = parseDIMACS
	}
	sums := parse(text)
	var solutions []int
	count, each := int64(0), make([]int64, vars)
	for bits := range 1 << vars {
		if !slices.ContainsFunc(sums, func(s sum) bool { return !s.holds(bits) }) {
			solutions = append(solutions, bits)
			count++
			for v := range vars {
				each[v] += int64(bits >> v & 1)
			}
		}
	}
	var possible, forced []cnf.Var
	for v, c := range each {
		if c > 0 {
			possible = append(possible, cnf.Var(v+1))
		}
		if c > 0 && c == count {
			forced = append(forced, cnf.Var(v+1))
		}
	}
	for _, b := range Able(Valid) {
		if b.Accepts(p) != nil {
			continue
		}
		c := Choice{Backend: BackendName(b.Name)}
		if b.Reads("order") {
			c.Order = []OrderName{"", "natural", "force", "force:1", "min-fill", "random:1"}[rng.IntN(6)]
		}
		q := Question{Want: Valid | Solve}
		if b.Counting != "" {
			q.Want |= CountEach
		}
		found, err := Once(ctx, p, c, q, Resources{})
		require.NoError(t, err, hint)
		require.Equal(t, count > 0, found.Status == backends.Sat, "%s %s", b.Name, hint)
		if count > 0 {
			require.Contains(t, solutions, bitsOf(found.Model), "%s %s", b.Name, hint)
		}
		require.ElementsMatch(t, possible, found.Valid, "%s %s", b.Name, hint)
		require.ElementsMatch(t, forced, found.Forced, "%s %s", b.Name, hint)
		if found.Count != nil {
			require.Equal(t, count, found.Count.Int64(), "%s %s", b.Name, hint)
			for v := range each {
				require.Equal(t, each[v], found.Each[v].Int64(), "%s %s", b.Name, hint)
			}
		}
	}
	if first, err := counting(p, Resources{}).Count(ctx, nil); p.Place == nil {
		require.NoError(t, err)
		require.Equal(t, count, first.Int64(), hint)
	}
	return explainOne(t, rng, p, solutions, hint)
}

// explainOne asks why a literal can or cannot be true under some assumptions, checks the reason against
// the solutions, and returns its kind. A witness must be a solution. The assumptions to blame must rule the
// literal out, and no smaller set may, unless it is given as Fewer. The constraints to blame must do so too,
// and none of them can be left out. Each step must follow from its constraint and from earlier steps.
func explainOne(t *testing.T, rng *rand.Rand, p encode.Problem, solutions []int, hint string) string {
	literal := func(v int) cnf.Lit { return cnf.Lit(v+1) * cnf.Lit(1-2*rng.IntN(2)) }
	vars := p.NumVars()
	var assumed []cnf.Lit
	for _, v := range rng.Perm(vars)[:rng.IntN(vars+1)] {
		assumed = append(assumed, literal(v))
	}
	l := literal(rng.IntN(vars))
	hint = fmt.Sprintf("%d under %v, %s", l, assumed, hint)
	by := []BackendName{"sat", "search"}[rng.IntN(2)]
	opener := func(p encode.Problem) (backends.Backend, error) {
		return Start(context.Background(), p, Choice{Backend: by}, Solve, Resources{})
	}
	solver, err := opener(p)
	require.NoError(t, err, hint)
	r, err := explain.New(p, solver).Explain(context.Background(), explain.Question{
		Given: assumed, Literal: l, Smallest: 100_000_000,
	})
	require.NoError(t, err, hint)
	// which[S] says that a solution with the literal has the assumed literals S, and maybe others.
	which := supersets(len(assumed), func(have func(int)) {
		for _, bits := range solutions {
			if isTrue(bits, l) {
				have(whichHold(len(assumed), func(i int) bool { return isTrue(bits, assumed[i]) }))
			}
		}
	})
	if which[len(which)-1] {
		require.Contains(t, solutions, bitsOf(r.Witness), hint)
		require.Subset(t, r.Witness, append(assumed, l), hint)
		return "possible"
	}
	require.Nil(t, r.Witness, hint)
	require.Subset(t, assumed, r.Blame, hint)
	blame := whichHold(len(assumed), func(i int) bool { return slices.Contains(r.Blame, assumed[i]) })
	require.False(t, which[blame], hint)
	constraints, minimal, smallest, err := explain.Constraints(context.Background(), p, r, 100_000_000, opener)
	require.NoError(t, err, hint)
	require.True(t, r.Smallest && minimal && smallest, hint)
	fewest := r.Blame
	if r.Fewer != nil { // these suffice too, but by a longer argument
		require.Less(t, len(r.Fewer), len(r.Blame), hint)
		require.Subset(t, assumed, r.Fewer, hint)
		fewest = r.Fewer
		require.False(t, which[whichHold(len(assumed), func(i int) bool { return slices.Contains(fewest, assumed[i]) })], hint)
	}
	for some, possible := range which {
		require.True(t, possible || bits.OnesCount(uint(some)) >= len(fewest), "%s: %b of the assumed literals are enough", hint, some)
	}
	alone := supersets(len(constraints), func(have func(int)) {
		for bits := range 1 << vars {
			if isTrue(bits, append(r.Blame, l)...) {
				have(whichHold(len(constraints), func(i int) bool { return meets(bits, p.Constraints[constraints[i]]) }))
			}
		}
	})
	for some, possible := range alone { // only all of them together have none
		require.Equal(t, some < len(alone)-1, possible, "%s: constraints %v, %b", hint, constraints, some)
	}
	if len(r.Steps) == 0 {
		return "by search"
	}
	known, goal, kind := append(slices.Clone(r.Blame), p.Fixed...), l.Not(), "derived"
	if r.Supposed {
		known, goal, kind = append(known, l), 0, "supposed"
	}
	if slices.ContainsFunc(r.Steps, func(s explain.Step) bool { return s.Kind == explain.Case }) {
		return kind // package explain's tests replay cases
	}
	for _, s := range r.Steps {
		require.Subset(t, known, s.Because, "%s: %v", hint, s)
		facts := append(slices.Clone(s.Because), p.Fixed...)
		for _, x := range s.Excluded {
			c := p.Constraints[x.Constraint]
			require.True(t, c.Excludes() && slices.Contains(c.Lits, x.Literal) && slices.Contains(c.Lits, x.By) &&
				slices.Contains(facts, x.By), "%s: %v does not exclude %v", hint, c, x)
			facts = append(facts, x.Literal.Not())
		}
		for bits := range 1 << vars {
			require.False(t, isTrue(bits, facts...) && meets(bits, p.Constraints[s.Constraint]) &&
				(s.Literal == 0 || !isTrue(bits, s.Literal)), "%s: %v does not follow", hint, s)
		}
		known = append(known, s.Literal)
	}
	last := r.Steps[len(r.Steps)-1].Literal
	require.True(t, last == goal || last == 0, "%s: %v", hint, r.Steps)
	return kind
}

// supersets returns, for every subset of k elements, whether it is part of one of the sets that each
// passes to have.
func supersets(k int, each func(have func(set int))) []bool {
	contained := make([]bool, 1<<k)
	each(func(set int) { contained[set] = true })
	for i := range k {
		for set := range contained {
			contained[set] = contained[set] || contained[set|1<<i]
		}
	}
	return contained
}

func whichHold(k int, holds func(int) bool) (set int) {
	for i := range k {
		if holds(i) {
			set |= 1 << i
		}
	}
	return set
}

func isTrue(bits int, lits ...cnf.Lit) bool {
	return !slices.ContainsFunc(lits, func(l cnf.Lit) bool { return bits>>(l.Var()-1)&1 == 1 != l.Positive() })
}

func meets(bits int, c encode.Constraint) bool {
	sum := 0
	for k, l := range c.Lits {
		if isTrue(bits, l) && c.Weights != nil {
			sum += c.Weights[k]
		} else if isTrue(bits, l) {
			sum++
		}
	}
	return c.Least <= sum && sum <= c.Most
}

func bitsOf(model []cnf.Lit) (bits int) {
	for _, l := range model {
		if l > 0 {
			bits |= 1 << (l - 1)
		}
	}
	return bits
}

// randomDIMACS hides bounds written pair by pair among other clauses.
func randomDIMACS(rng *rand.Rand, vars int) string {
	var clauses []string
	add := func(lits ...int) { clauses = append(clauses, strings.Trim(fmt.Sprint(lits), "[]")+" 0\n") }
	for range rng.IntN(2 * vars) {
		lits := make([]int, 1+rng.IntN(4))
		for i := range lits {
			lits[i] = (1 + rng.IntN(vars)) * (1 - 2*rng.IntN(2))
		}
		bound := rng.IntN(4)
		if bound != 1 {
			add(lits...)
		}
		for i, a := range lits {
			for _, b := range lits[:i] {
				if bound > 0 && rng.IntN(12) > 0 {
					add(-a, -b)
				}
			}
		}
	}
	if rng.IntN(30) == 0 {
		add()
	}
	return randomNames(rng, "c", vars) + fmt.Sprintf("p cnf %d %d\n%s", vars, len(clauses), strings.Join(clauses, ""))
}

// randomNames names all variables in one file of four. It assigns the names at random, and lists them in
// random order.
func randomNames(rng *rand.Rand, comment string, vars int) (lines string) {
	if rng.IntN(4) > 0 {
		return ""
	}
	names := rng.Perm(vars)
	for _, v := range rng.Perm(vars) {
		lines += fmt.Sprintf("%s %d %c\n", comment, v+1, 'a'+names[v])
	}
	return lines
}

// nameLine gives a variable a name.
var nameLine = regexp.MustCompile(`(?m)^[c*] (\d+) ([a-z])$`)

// sum is a line of a file: the weights of its true literals, compared with a bound. Without weights, each is 1.
type sum struct {
	lits     []int
	weights  []int
	operator string
	bound    int
}

func (s sum) holds(bits int) bool {
	count := 0
	for i, l := range s.lits {
		if l > 0 && bits>>(l-1)&1 == 1 || l < 0 && bits>>(-l-1)&1 == 0 {
			if count++; s.weights != nil {
				count += s.weights[i] - 1
			}
		}
	}
	return s.operator == ">=" && count >= s.bound || s.operator == "<=" && count <= s.bound || s.operator == "=" && count == s.bound
}

func parseDIMACS(text string) (sums []sum) {
	for line := range strings.Lines(text) {
		if comment.MatchString(line) {
			continue
		}
		s := sum{operator: ">=", bound: 1}
		for word := range strings.FieldsSeq(line) {
			if l, _ := strconv.Atoi(word); l != 0 {
				s.lits = append(s.lits, l)
			}
		}
		sums = append(sums, s)
	}
	return sums
}

// randomOPB has a bound over distinct variables on each line, in one of several ways of writing it: one is true, or
// some other number, with a weight that all share.
func randomOPB(rng *rand.Rand, vars int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "* #variable= %d #constraint= 0\n%s", vars, randomNames(rng, "*", vars))
	for range rng.IntN(2 * vars) {
		some := rng.Perm(vars)[:1+rng.IntN(min(vars, 6))]
		weight, bound := 1, []string{">= 1", "<= 1", "= 1", ">= 0", "<= 9223372036854775807", ">= -9223372036854775807"}[min(rng.IntN(30)/7, 4+rng.IntN(2))]
		if rng.IntN(3) == 0 {
			weight = 1 + rng.IntN(3)*rng.IntN(2)
			bound = fmt.Sprint([]string{">=", "<=", "="}[rng.IntN(3)], " ", weight*(rng.IntN(len(some)+3)-1)+rng.IntN(5)/4)
		}
		of := func() int { return weight }
		if rng.IntN(3) == 0 { // weights of their own
			heaviest := 1 + rng.IntN(9)
			of = func() int { return weight * (1 + rng.IntN(heaviest)) }
			bound = fmt.Sprint([]string{">=", ">=", "<=", "="}[rng.IntN(4)], " ", rng.IntN(len(some)*heaviest+2)-heaviest)
		}
		if rng.IntN(6) == 0 { // a constant: x + not x
			fmt.Fprintf(&b, "%+d x%d %+d ~x%d ", weight, some[0]+1, weight, some[0]+1)
			some = some[1:]
		}
		for _, v := range some {
			if weight > 1 || rng.IntN(8) == 0 {
				weight = -weight
			}
			fmt.Fprintf(&b, "%+d %sx%d ", of(), []string{"", "~"}[rng.IntN(2)], v+1)
		}
		fmt.Fprintf(&b, "%s ;\n", bound)
	}
	return b.String()
}

func parseOPB(text string) (sums []sum) {
	for line := range strings.Lines(text) {
		if comment.MatchString(line) {
			continue
		}
		words := strings.Fields(line)
		last := len(words) - 3
		s := sum{operator: words[last]}
		s.bound, _ = strconv.Atoi(words[last+1])
		weight := 1
		for _, word := range words[:last] {
			name, not := strings.CutPrefix(word, "~")
			if number, isVar := strings.CutPrefix(name, "x"); isVar {
				l, _ := strconv.Atoi(number)
				if not {
					l = -l
				}
				s.lits, s.weights = append(s.lits, l), append(s.weights, weight)
			} else {
				weight, _ = strconv.Atoi(word)
			}
		}
		sums = append(sums, s)
	}
	return sums
}
