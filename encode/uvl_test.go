package encode_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
)

const shopUVL = `namespace Shop
include
    Boolean.*
features
    Shop {abstract true}   // the root
        mandatory
            Pay
                or
                    Card
                    "Bank transfer" {fee 'x{', limits [1, 2], more {deep 1}}
            Catalog
                [2..3]
                    Search
                    Boolean List
                    Tags cardinality [0..1]
        optional
            Mobile
                alternative
                    iOS
                    Android
constraints
    Mobile => Card /* over
two lines */
    !(Search & "Bank transfer") | (Tags <=>
        !List)
`

// The tree gives variables, groups and constraints, and each line its name.
func TestUVL(t *testing.T) {
	p, order, err := encode.ReadUVL(strings.NewReader(shopUVL), "shop.uvl")
	require.NoError(t, err)
	assert.Nil(t, order)
	assert.Equal(t, "shop.uvl:10: attributes are left out", p.Note)
	for text, note := range map[string]string{ // which features are abstract is no value
		"features\n    a {abstract}\n        optional\n            b {abstract true}\n            c {abstract false}": "",
		"features\n    a {abstract}\n        optional\n            b {abstract, x 1}\n            c {y}":              "f:4: attributes are left out",
	} {
		p, _, err := encode.ReadUVL(strings.NewReader(text), "f")
		require.NoError(t, err)
		assert.Equal(t, note, p.Note)
	}
	names := make([]string, p.NumVars())
	for i := range names {
		names[i] = p.Names.Name(varOf(i))
	}
	assert.Equal(t, []string{"Shop", "Pay", "Card", "Bank_transfer", "Catalog", "Search", "List", "Tags", "Mobile", "iOS", "Android"}, names)
	var groups []string
	for _, g := range p.Groups {
		groups = append(groups, fmt.Sprintf("%s, %s, %v: %s", g.Name, g.Rule, g.One, strings.Join(p.VarNames(g.Vars), " ")))
	}
	assert.Equal(t, []string{
		"Shop, always chosen, false: Shop",
		"Shop, 3 options, false: Pay Catalog Mobile",
		"Pay, at least one of 2, false: Card Bank_transfer",
		"Catalog, at least 2 of 3, false: Search List Tags",
		"Mobile, exactly one of 2, true: iOS Android",
	}, groups)
	models := 0
	for a := range 1 << 11 {
		is := func(name string) bool {
			v, err := p.Names.Var(name)
			require.NoError(t, err)
			return a>>(v-1)&1 == 1
		}
		sum := func(names ...string) (sum int) {
			for _, name := range names {
				if is(name) {
					sum++
				}
			}
			return sum
		}
		catalog, mobile := sum("Search", "List", "Tags"), sum("iOS", "Android")
		if is("Shop") && is("Pay") && is("Catalog") && sum("Card", "Bank_transfer") > 0 && catalog >= 2 &&
			(mobile == 1) == is("Mobile") && mobile < 2 && (!is("Mobile") || is("Card")) &&
			(!(is("Search") && is("Bank_transfer")) || is("Tags") != is("List")) {
			models++
		}
	}
	assert.Len(t, conformance.BruteForce(p), models)
}

// Random constraints mean what their text says to an evaluator of its own, whatever auxiliary variables stand for, among attributes,
// too.
func TestUVLConstraints(t *testing.T) {
	seed := conformance.Number(t, "UVL_SEED", rand.Uint64())
	rng := rand.New(rand.NewPCG(seed, 0))
	const features = 6
	auxiliary := 0
	for range 400 {
		var written []string
		var rules []func(int) bool
		for range 1 + rng.IntN(2) {
			rule, holds := randomRule(rng, rng.IntN(5), features)
			written, rules = append(written, rule), append(rules, holds)
		}
		attributes, below := "", ""
		switch rng.IntN(3) {
		case 0:
			below = "constraints\n\t" + strings.Join(written, "\n\t") + "\n"
		case 1:
			attributes = "{a {b [1, 2]}, constraint " + strings.Join(written, ", constraint ") + ", c 'x, y'}"
		case 2:
			attributes = "{constraints [" + strings.Join(written, ", ") + "]}"
		}
		text := "features\n\tf1\n\t\toptional\n\t\t\tf2\n\t\t\tf3 " + attributes + "\n\t\t\tf4\n\t\t\tf5\n\t\t\tf6\n" + below
		p, _, err := encode.ReadUVL(strings.NewReader(text), "f.uvl")
		require.NoError(t, err, "UVL_SEED=%d\n%s", seed, text)
		require.Equal(t, strings.Contains(text, "{a"), strings.Contains(p.Note, "f.uvl:5: attributes are left out"), text)
		models := 0
		for a := range 1 << features {
			holds := a&1 == 1
			for _, rule := range rules {
				holds = holds && rule(a)
			}
			if holds {
				models++
			}
		}
		if auxiliary += p.Auxiliary; p.AllVars() <= 16 {
			require.Len(t, conformance.BruteForce(p), models, "UVL_SEED=%d\n%s", seed, text)
		}
	}
	assert.Positive(t, auxiliary)
}

// randomRule returns a constraint in parentheses, and whether an assignment meets it.
func randomRule(rng *rand.Rand, depth, features int) (string, func(int) bool) {
	if depth == 0 {
		v := rng.IntN(features)
		return fmt.Sprintf("f%d", v+1), func(a int) bool { return a>>v&1 == 1 }
	}
	left, l := randomRule(rng, depth-1, features)
	if rng.IntN(5) == 0 {
		return "!" + left, func(a int) bool { return !l(a) }
	}
	right, r := randomRule(rng, rng.IntN(depth), features)
	operator := []string{"&", "|", "=>", "<=>"}[rng.IntN(4)]
	return fmt.Sprintf("(%s %s %s)", left, operator, right), func(a int) bool {
		switch operator {
		case "&":
			return l(a) && r(a)
		case "|":
			return l(a) || r(a)
		case "=>":
			return !l(a) || r(a)
		}
		return l(a) == r(a)
	}
}

func TestUVLErrorsNameThePlace(t *testing.T) {
	const tree = "features\n\tA\n\t\toptional\n\t\t\tB\n"
	for text, want := range map[string]string{
		"":                                 "f.uvl:1: a model without features",
		"imports\n\tother\n" + tree:        "f.uvl:1: imports: supported is a model in one file",
		tree + "\tC\n":                     "f.uvl:5: a second root",
		tree + "\t\tmany\n\t\t\tC\n":       `f.uvl:5: "many": expected a group`,
		tree + "\t\tor\n":                  "f.uvl:5: a group without features",
		tree + "\t\t\tB\n":                 `f.uvl:5: feature "B" has a name that another one has`,
		tree + "\t\t\tInteger C\n":         "f.uvl:5: C, a feature of type Integer: supported are Boolean features",
		tree + "\t\t\tC cardinality [2]\n": `f.uvl:5: feature "C" may be chosen more than once`,
		tree + "\t\t[2..1]\n\t\t\tC\n":     `f.uvl:5: "[2..1]": expected a cardinality such as`,
		tree + "\t\t\tC {constraint X}\n":  `f.uvl:5: "X" is no feature of the model`,
		tree + "\t\t\tC {constraint}\n":    "f.uvl:5: a constraint that ends too early",
		tree + "\t\t\tC D\n":               `f.uvl:5: "D" after feature "C"`,
		tree + "\t\t\tC {a 1\n":            "f.uvl:6: the file ends within brackets",
		tree + "constraints\n\tA + B\n":    `f.uvl:6: "+" in a constraint: supported are constraints of features`,
		tree + "constraints\n\tB > 1\n":    `f.uvl:6: ">" in a constraint`,
		tree + "constraints\n\tA == 'x'\n": `f.uvl:6: "==" in a constraint`,
		tree + "constraints\n\t'x'\n":      "f.uvl:6: 'x', a string",
		tree + "constraints\n\tA => C\n":   `f.uvl:6: "C" is no feature of the model`,
		tree + "constraints\n\tA &\n":      "f.uvl:6: a constraint that ends too early",
		tree + "constraints\n\t(A B)\n":    `f.uvl:6: "B" in parentheses`,
		tree + "constraints\n\tA)\n":       "f.uvl:6: ) closes no bracket",
		tree + "constraints\n\tA\n\t\tB\n": "f.uvl:7: a constraint that stands further",
		tree + "constraints\n\t" + strings.Repeat("!", 20_000) + "A\n": "f.uvl:6: a constraint that is nested more than 10000 deep",
		tree + "\t\t\tC {x 1} '}'\n":                                   `f.uvl:5: "'}'" after feature "C": expected a cardinality, or attributes in braces`,
		tree + "/* no end\n":                                           "f.uvl:5: a comment that does not end",
		tree + "features\n":                                            `f.uvl:5: "features": expected namespace`,
	} {
		_, _, err := encode.ReadUVL(strings.NewReader(text), "f.uvl")
		assert.ErrorContains(t, err, want, text)
	}
}

// A model that is read has the solutions of the clauses that are written; the error for any other names a line.
func FuzzReadUVL(f *testing.F) {
	f.Add("features\n 0{)")
	f.Add(shopUVL)
	f.Add("features\n\ta\n\t\t[1..*]\n\t\t\t\"b c\"\nconstraints\n\t!(a <=> \"b c\")\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, _, err := encode.ReadUVL(strings.NewReader(text), "f.uvl")
		if err != nil {
			require.Contains(t, err.Error(), "f.uvl:")
			return
		}
		seen := make(map[cnf.Var]bool)
		for _, g := range p.Groups {
			for _, v := range g.Vars {
				require.False(t, seen[v])
				seen[v] = true
			}
		}
		require.Len(t, seen, p.NumVars())
	})
}

// Features keep names of their own: those that differ in white space, commas or a minus sign get a number, a number
// a _, and an auxiliary variable a name that no feature has.
func TestUVLNamesStayApart(t *testing.T) {
	p, _, err := encode.ReadUVL(strings.NewReader("features\n\tR\n\t\toptional\n\t\t\t\"A,B\"\n\t\t\tA_B\n\t\t\t\"A B\"\n\t\t\t\"2\"\n"+
		"\t\t\tx7\n\t\t\tx8\nconstraints\n\t!\"2\"\n\t(R & A_B | x7 & x8) <=> (x7 | A_B & x8)\n"), "f.uvl")
	require.NoError(t, err)
	require.Empty(t, p.Note)
	names, seen := p.VarNames(vars(p.AllVars())), map[string]bool{}
	assert.Equal(t, []string{"R", "A_B_2", "A_B", "A_B_3", "_2", "x7", "x8"}, names[:7])
	for _, name := range names {
		assert.False(t, seen[name], "%q twice in %v", name, names)
		seen[name] = true
	}
	assert.Greater(t, p.Auxiliary, 0)
	for word, want := range map[string]cnf.Lit{"2": 5, "-2": -5, "_2": 5, "A_B": 3} {
		got, err := p.Literal(word)
		require.NoError(t, err)
		assert.Equal(t, want, got, word)
	}
	_, err = p.Literal("3")
	assert.ErrorContains(t, err, `variable "3": expected one of 7 names`)
	for v := range cnf.Var(7) {
		assert.False(t, p.Numeral(v+1))
	}
	_, _, err = encode.ReadUVL(strings.NewReader("features\n\tR\n\t\toptional\n\t\t\t\"2\"\n\t\t\t_2\n\t\t\t\"1\"\n\t\t\t_1\n"), "f.uvl")
	assert.ErrorContains(t, err, `f.uvl:6: features "1" and "_1": expected names that differ in more than a _`)
}

// vars lists the variables 1 to n.
func vars(n int) (list []cnf.Var) {
	for v := range cnf.Var(n) {
		list = append(list, v+1)
	}
	return list
}
