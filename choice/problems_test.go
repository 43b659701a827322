package choice

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/oracletest"
	"queens/encode"
	"queens/encode/cnf"
)

// Files of up to 14 variables, with bounds of all kinds over literals of both signs, repeated
// literals, tautologies, empty clauses and unused variables: every back-end, under a random order,
// counts and finds possible and forced variables as the file's text says, read by nothing but this
// test.
//
//	PROBLEM_CASES=100000 go test -count 1 -timeout 0 -run FilesByBruteForce ./choice
func TestFilesByBruteForce(t *testing.T) {
	ctx := context.Background()
	seed := oracletest.Number(t, "PROBLEM_SEED", rand.Uint64())
	for i := range oracletest.Number(t, "PROBLEM_CASES", 300) {
		rng := rand.New(rand.NewPCG(seed, i))
		vars := 1 + rng.IntN(14)
		text, read, parse := randomDIMACS(rng, vars), encode.ReadCNF, parseDIMACS
		if rng.IntN(2) == 0 {
			text, read, parse = randomOPB(rng, vars), encode.ReadOPB, parseOPB
		}
		sums := parse(text)
		hint := fmt.Sprintf("PROBLEM_SEED=%d, case %d:\n%s", seed, i, text)
		p, _, err := read(strings.NewReader(text), "f")
		require.NoError(t, err, hint)
		count, each := int64(0), make([]int64, vars)
		for bits := range 1 << vars {
			if !slices.ContainsFunc(sums, func(s sum) bool { return !s.holds(bits) }) {
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
			if b.Takes(p) != nil {
				continue
			}
			c := Choice{Backend: BackendName(b.Name)}
			if b.uses("order") {
				c.Order = []OrderName{"", "natural", "force", "force:1", "min-fill", "random:1"}[rng.IntN(6)]
			}
			made, err := Open(ctx, p, c, Valid, Resources{})
			require.NoError(t, err, hint)
			found, err := made.Answers.(backends.ValidFinder).Valid(ctx, nil, "")
			require.NoError(t, err, hint)
			require.Equal(t, count > 0, found.Satisfiable, "%s %s", b.Name, hint)
			require.ElementsMatch(t, possible, found.Possible, "%s %s", b.Name, hint)
			require.ElementsMatch(t, forced, found.Forced, "%s %s", b.Name, hint)
			if counter, can := made.Answers.(backends.VarCounter); can {
				total, through, err := counter.CountEach(ctx, nil)
				require.NoError(t, err, hint)
				require.Equal(t, count, total.Int64(), "%s %s", b.Name, hint)
				for v := range each {
					require.Equal(t, each[v], through[v].Int64(), "%s %s", b.Name, hint)
				}
			}
			require.NoError(t, made.Close())
		}
		if first, _, err := CountFirst(ctx, p, Choice{}); first != nil {
			require.NoError(t, err)
			require.Equal(t, count, first.Int64(), hint)
		}
	}
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
	return fmt.Sprintf("p cnf %d %d\n%s", vars, len(clauses), strings.Join(clauses, ""))
}

// sum is a line of a file: how many of its literals are true, compared with a bound.
type sum struct {
	lits     []int
	operator string
	bound    int
}

func (s sum) holds(bits int) bool {
	count := 0
	for _, l := range s.lits {
		if l > 0 && bits>>(l-1)&1 == 1 || l < 0 && bits>>(-l-1)&1 == 0 {
			count++
		}
	}
	return s.operator == ">=" && count >= s.bound || s.operator == "<=" && count <= s.bound || s.operator == "=" && count == s.bound
}

func parseDIMACS(text string) (sums []sum) {
	_, text, _ = strings.Cut(text, "\n")
	for line := range strings.Lines(text) {
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

// randomOPB has a bound over distinct variables on each line, in one of several ways of writing it.
func randomOPB(rng *rand.Rand, vars int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "* #variable= %d #constraint= 0\n", vars)
	for range rng.IntN(2 * vars) {
		some := rng.Perm(vars)[:1+rng.IntN(min(vars, 4))]
		if rng.IntN(6) == 0 { // a constant: x + not x
			fmt.Fprintf(&b, "+1 x%d +1 ~x%d ", some[0]+1, some[0]+1)
			some = some[1:]
		}
		for _, v := range some {
			fmt.Fprintf(&b, "+1 %sx%d ", []string{"", "~"}[rng.IntN(2)], v+1)
		}
		fmt.Fprintf(&b, "%s ;\n", []string{">= 1", "<= 1", "= 1", ">= 0"}[rng.IntN(4)])
	}
	return b.String()
}

func parseOPB(text string) (sums []sum) {
	_, text, _ = strings.Cut(text, "\n")
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		last := len(words) - 3
		s := sum{operator: words[last]}
		s.bound, _ = strconv.Atoi(words[last+1])
		for _, word := range words[:last] {
			name, not := strings.CutPrefix(word, "~")
			if number, isVar := strings.CutPrefix(name, "x"); isVar {
				l, _ := strconv.Atoi(number)
				if not {
					l = -l
				}
				s.lits = append(s.lits, l)
			}
		}
		sums = append(sums, s)
	}
	return sums
}
