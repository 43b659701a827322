package bdd

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode"
)

// The saved diagram is the same to the byte, and so is the cost of building it, for
// any number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	saved := func(c *Compiled) []byte {
		var b bytes.Buffer
		require.NoError(t, zdd(t, c).Write(&b, nil))
		return b.Bytes()
	}
	for _, p := range []encode.Problem{
		problem(t, 2, nil, nil), problem(t, 10, nil, nil), problem(t, 11, nil, nil),
		problem(t, 11, nil, []board.Cell{{Row: 3, Col: 3}}),
		problem(t, 12, []board.Cell{{Row: 2, Col: 3}}, nil),
		problem(t, 10, nil, []board.Cell{{Row: 3, Col: 3}, {Row: 3, Col: 6}}),
	} {
		for _, c := range Constructions() {
			if c.Name != "solutions" && c.Name != "free-set" {
				continue
			}
			for _, name := range []string{"row-major", "random:2"} {
				one := compile(t, p, named(t, name, p.N), Options{Construction: c.Name})
				requireSound(t, zdd(t, one))
				for _, workers := range []int{2, 3, 8} {
					if testing.Short() && workers != 3 {
						continue
					}
					many := compile(t, p, named(t, name, p.N), Options{Construction: c.Name, Workers: workers})
					hint := fmt.Sprintf("%s, %s, %s fixed %v, %d workers", c.Name, name, p, p.Fixed, workers)
					require.True(t, bytes.Equal(saved(one), saved(many)), hint)
					require.Equal(t, one.Stats().States, many.Stats().States, hint)
				}
			}
		}
	}
}
