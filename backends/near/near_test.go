package near

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// What takes several contradictions is refuted, too, and so is what takes more than a search of the first pass may meet.
func TestWhatIsHardToRefute(t *testing.T) {
	// x1 is forced: each of the four signs of x2 and x3 needs it.
	hidden := encode.Problem{Names: make(encode.List, 3)}
	for _, c := range [][]cnf.Lit{{1, 2, 3}, {1, 2, -3}, {1, -2, 3}, {1, -2, -3}} {
		hidden.Constraints = append(hidden.Constraints, encode.AtLeastOne("", c...))
	}
	valid, err := New(hidden).Valid(context.Background(), nil, "")
	require.NoError(t, err)
	assert.Equal(t, backends.Valid{Satisfiable: true, Possible: []cnf.Var{1, 2, 3}, Forced: []cnf.Var{1},
		Method: "fresh", Work: valid.Work}, valid)

	// Unless the last variable is true, seven pigeons have six holes: more contradictions than a search of the first pass has.
	const pigeons, holes = 7, 6
	many := encode.Problem{Names: make(encode.List, pigeons*holes+1)}
	for pigeon := range pigeons {
		some := []cnf.Lit{pigeons*holes + 1}
		for hole := range holes {
			l := cnf.Lit(pigeon*holes + hole + 1)
			some = append(some, l)
			for other := range pigeon {
				many.Constraints = append(many.Constraints, encode.AtLeastOne("", l.Not(), -cnf.Lit(other*holes+hole+1)))
			}
		}
		many.Constraints = append(many.Constraints, encode.AtLeastOne("", some...))
	}
	valid, err = New(many).Valid(context.Background(), nil, "")
	require.NoError(t, err)
	assert.Len(t, valid.Possible, pigeons*holes+1)
	assert.Equal(t, []cnf.Var{pigeons*holes + 1}, valid.Forced)
	assert.Greater(t, valid.Work.Of("conflicts"), int64(firstContradictions))
}

// Options that need a change of many variables, and options that need the opposite, take turns in the problem, but not in the
// search: it changes all these variables a few times, not for each option.
func TestOptionsThatNeedTheSame(t *testing.T) {
	const same, pairs = 200, 100
	p := encode.Problem{Names: make(encode.List, same+2*pairs)}
	for v := cnf.Lit(1); v < same; v++ { // each as the next, and too many for a flip
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", -v, v+1), encode.AtLeastOne("", v, -v-1))
	}
	for v := cnf.Lit(same + 1); v <= same+2*pairs; v += 2 {
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", -v, 1), encode.AtLeastOne("", -v-1, -1))
	}
	valid, err := New(p).Valid(context.Background(), nil, "")
	require.NoError(t, err)
	assert.Len(t, valid.Possible, same+2*pairs)
	assert.Empty(t, valid.Forced)
	assert.Less(t, valid.Work.Of("steps"), int64(10*same+10*pairs))
}

// Groups that exclude literals are repaired as well: all kinds of constraints, against all assignments.
func TestGroups(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 400 {
		p := encodetest.Problem(rng)
		conformance.Of(p).Ask(t, New(p), Methods(), rng, 4, fmt.Sprintf("seed %d: %v", seed, p.Constraints))
	}
}
