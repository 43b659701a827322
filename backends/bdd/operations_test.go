package bdd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
	"queens/order"
	"queens/robdd"
)

// Carrying out a list of operations as written makes the same diagram as the
// construction, and a freed function is not used again.
func TestOperationsMakeTheSameDiagram(t *testing.T) {
	ctx := context.Background()
	for _, family := range []string{"queens", "latin", "dominoes", "rooks"} {
		f, err := encode.FamilyNamed(family)
		require.NoError(t, err)
		for n := 1; n <= 5 && (family == "queens" || n <= 3); n++ {
			p, err := f.Build(n)
			if err != nil {
				continue // dominoes have even boards
			}
			if family == "queens" && n == 5 {
				p = p.With(cnf.Lit(2), cnf.Lit(-20)) // placed and blocked
			}
			for seed := range uint64(2) {
				random, err := order.ByName(fmt.Sprintf("random:%d", seed))
				require.NoError(t, err)
				o, err := random.For(context.Background(), p)
				require.NoError(t, err)
				for _, c := range Constructions() {
					ops, err := OperationsOf(p, o, c.Name)
					if !c.Dynamic || c.Check(p) != nil {
						assert.Error(t, err, c.Name)
						continue
					}
					require.NoError(t, err)
					want, err := Compile(ctx, p, o, Options{Construction: c.Name})
					require.NoError(t, err)
					var text bytes.Buffer
					require.NoError(t, ops.Write(&text))
					got := carryOut(t, text.String())
					assert.True(t, equal(t, robddOf(t, want), got), "%s by %s: %d nodes, %d by operations", p, c.Name, robddOf(t, want).Len(), got.Len())
				}
			}
		}
	}
}

// carryOut does what docs/do/package.md says for each line.
func carryOut(t *testing.T, text string) *robdd.Diagram {
	t.Helper()
	var vars []robdd.Var
	var m *robdd.Manager
	var made []robdd.Func
	freed := map[int]bool{}
	operations := 0
	keep := func(f robdd.Func, err error) robdd.Func {
		require.NoError(t, err)
		return f
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if words[0] == "c" {
			v, err := strconv.Atoi(words[1])
			require.NoError(t, err)
			vars = append(vars, robdd.Var(v))
			continue
		}
		var n []int
		for _, word := range words[1:] {
			number, _ := strconv.Atoi(word)
			n = append(n, number)
		}
		function := func(i int) robdd.Func {
			require.Less(t, i, len(made), lines.Text())
			require.False(t, freed[i], lines.Text())
			return made[i]
		}
		of := func(unit robdd.Func, with func(f, g robdd.Func) (robdd.Func, error)) robdd.Func {
			require.Zero(t, n[len(n)-1])
			for _, l := range n[:len(n)-1] {
				low, high := robdd.False, robdd.True
				if l < 0 {
					low, high = high, low
				}
				unit = keep(with(unit, keep(m.Mk(robdd.Lit(l).Var(), low, high))))
			}
			return unit
		}
		and := func(f, g robdd.Func) (robdd.Func, error) { return m.And(context.Background(), f, g) }
		or := func(f, g robdd.Func) (robdd.Func, error) { return m.Or(context.Background(), f, g) }
		switch words[0] {
		case "p":
			require.Equal(t, []string{"p", "ops", strconv.Itoa(len(vars))}, words[:3])
			operations = n[2]
			var err error
			m, err = robdd.NewManager(vars, robdd.Config{})
			require.NoError(t, err)
			made = []robdd.Func{robdd.False, robdd.True}
		case "free":
			function(n[0])
			freed[n[0]] = true
		case "cube":
			made = append(made, of(robdd.True, and))
		case "clause":
			made = append(made, of(robdd.False, or))
		case "and":
			made = append(made, keep(and(function(n[0]), function(n[1]))))
		case "or":
			made = append(made, keep(or(function(n[0]), function(n[1]))))
		case "node":
			made = append(made, keep(m.Mk(robdd.Var(n[0]), function(n[1]), function(n[2]))))
		default:
			t.Fatal(lines.Text())
		}
	}
	require.Len(t, made, operations+2)
	require.Len(t, freed, operations-1, "all but the result")
	return m.Freeze(made[len(made)-1])
}
