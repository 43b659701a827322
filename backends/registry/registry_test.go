package registry

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/oracletest"
	"queens/encode"
	"queens/encode/cnf"
)

// Every back-end in the list passes the checks of everything that it can
// answer.
func TestConformance(t *testing.T) {
	other := encode.Problem{Names: make(encode.List, 2), Constraints: []encode.Constraint{{Lits: []cnf.Lit{-1, 2}}}}
	for _, b := range All() {
		t.Run(b.Name, func(t *testing.T) {
			made := func(p encode.Problem) any {
				if b.Takes(p) != nil {
					return nil // nothing is asked
				}
				one, err := b.New(context.Background(), p, Options{})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, Close(one)) })
				return one
			}
			if b.Takes(other) == nil {
				oracletest.RunAny(t, made)
			} else {
				oracletest.Run(t, made)
			}
		})
	}
}

func TestNamesByWhatTheyCan(t *testing.T) {
	assert.Contains(t, Names[backends.Finder](), "sat")
	assert.NotContains(t, Names[backends.Counter](), "sat")
	for _, name := range Names[any]() {
		b, err := Meeting[any](name)
		require.NoError(t, err)
		assert.Equal(t, name, b.Name)
		assert.NotEmpty(t, b.Doc)
	}
	_, err := Meeting[backends.Counter]("sat")
	assert.ErrorContains(t, err, `back-end "sat": expected one of bdd, search`)
	b, err := Meeting[backends.ValidFinder]("portfolio")
	require.NoError(t, err)
	assert.NotEmpty(t, b.Methods())
}

// A problem that a back-end does not take is refused with a reason that names a
// back-end that does.
func TestRefusalsNameWhatWorks(t *testing.T) {
	for _, b := range All() {
		for _, family := range encode.Families() {
			for _, n := range []int{2, 65} {
				p, err := family.Build(n)
				require.NoError(t, err)
				reason := b.Takes(p)
				if reason == nil {
					continue
				}
				_, err = b.New(context.Background(), p, Options{})
				assert.Equal(t, reason, err)
				named := false
				for _, other := range All() {
					named = named || other.Name != b.Name && strings.Contains(reason.Error(), other.Name)
				}
				assert.True(t, named, "%v names no other back-end", reason)
			}
		}
	}
}

func TestChoice(t *testing.T) {
	for _, family := range encode.Families() {
		p, err := family.Build(4)
		require.NoError(t, err)
		made, err := ForValid(p, Instant).New(context.Background(), p, Options{})
		require.NoError(t, err)
		found, err := made.(backends.ValidFinder).Valid(context.Background(), nil, "")
		require.NoError(t, err)
		known, published := family.Known(4)
		require.True(t, published, "%s has no published count for n = 4", family.Name)
		assert.Equal(t, known.Sign() > 0, found.Satisfiable, family.Name)
		b, err := ForCount(p)
		if err != nil {
			assert.ErrorContains(t, err, "counting", family.Name)
			continue
		}
		made, err = b.New(context.Background(), p, Options{})
		require.NoError(t, err)
		count, err := made.(backends.Counter).Count(context.Background(), nil)
		require.NoError(t, err)
		assert.Equal(t, known, count, family.Name)
	}
	for n, want := range map[int]string{8: "bdd", 10: "bdd", 11: "portfolio", 100: "portfolio"} {
		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		assert.Equal(t, want, ForValid(p, Instant).Name, n)
	}
}
