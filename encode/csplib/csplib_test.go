package csplib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
)

func TestRead(t *testing.T) {
	in, err := Read(strings.NewReader("n =  8\nnumdiags =  3\ndiags =  [[3, 1], [9, 1],\n [4, 0]]\n"), "x.param")
	require.NoError(t, err)
	assert.Equal(t, 8, in.N)
	assert.Equal(t, []board.Line{{Kind: board.AntiDiagonal, Index: 3}, {Kind: board.AntiDiagonal, Index: 9},
		{Kind: board.Diagonal, Index: 4}}, in.Diagonals)

	// Kind 1: row + column = number. Kind 0: row - column = number - (n-1).
	for d := range 4 {
		blocked, err := in.Blocked(d)
		require.NoError(t, err)
		got := map[board.Cell]bool{}
		for _, c := range blocked {
			require.False(t, got[c], "%s twice", c)
			got[c] = true
		}
		for i := range 64 {
			c := board.At(8, i)
			want := d > 0 && c.Row+c.Col == 3 || d > 1 && c.Row+c.Col == 9 || d > 2 && c.Row-c.Col == 4-7
			assert.Equal(t, want, got[c], "d=%d %s", d, c)
		}
	}
	_, err = in.Blocked(4)
	assert.ErrorContains(t, err, "excluding 4 diagonals: the instance has 3")
	_, err = in.Blocked(-1)
	assert.Error(t, err)
	in, err = Read(strings.NewReader("n=1 numdiags=0 diags=[]"), "x.param")
	require.NoError(t, err)
	assert.Equal(t, 1, in.N)
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                            "x.param:1: expected n = 8 and a list",
		"n = x":                                       `x.param:1: n: expected a number, not "x"`,
		"n = 0\nnumdiags = 0\ndiags = []":             "x.param:1: n = 0: expected a board size from 1",
		"n = 8\nm = 8\n":                              "x.param:2: m: expected n, diags, init or blocks",
		"n = 8 numdiags = 2 diags = [[1, 1]]":         "x.param:1: numdiags = 2, but diags lists 1",
		"n = 8\nnumdiags = 1\ndiags = [[15, 1]]":      "x.param:3: diagonal 15: a board of size 8 has 0 to 14",
		"n = 8\nnumdiags = 1\ndiags = [[-1, 1]]":      "x.param:3: diagonal -1: a board of size 8 has 0 to 14",
		"n = 8\nnumdiags = 1\ndiags = [[1, 2]]":       "x.param:3: diagonal [1 2]: expected a number, and 1 for a sum",
		"n = 8\nnumdiags = 1\ndiags = [[1]]":          "x.param:3: diagonal [1]: expected a number, and 1 for a sum",
		"n = 8 numdiags = 2 diags = [[1, 1], [1, 1]]": "diagonal [1 1] is listed twice",
		"n = 8 numdiags = 1 diags = [[1 1]]":          `diags: expected a list of pairs, as in [[1, 4]], not "[[1 1]]"`,
		"n = 8\nnumdiags = 1\ndiags = [[1, 1]":        `x.param:3: diags: expected a list of pairs, as in [[1, 4]], not "[[1, 1]"`,
		"n = 8 numdiags = 1 diags = [[1, 1]] more":    "diags: expected a list of pairs",
		"n = 99999999999999999999":                    "n: expected a number, not",
		"n = 8\nnumdiags = 0\ndiags = []\n}\nn = 9":   "x.param:3: diags: expected a list of pairs",
		"n = 8\nnumdiags = 0\ndiags = []\nn = 9\n":    "x.param:4: n is given twice",
		"n = 8\nnumdiags = 0\n":                       "x.param:2: a list is missing: diags, init or blocks",
		"n = 8\nblocks = [[1, 1],\n[2, 9]]":           "x.param:3: blocks: [2 9]: for n = 8 rows and columns go from 1 to 8",
		"n = 8\nblocks = [[1, 1],\n[0, 1]]":           "x.param:3: blocks: [0 1]: for n = 8 rows and columns go from 1 to 8",
		"n = 8\ninit = [[1, 8]]":                      "x.param:2: init: [1 8]: for n = 8 rows and columns go from 0 to 7",
		"n = 8\ninit = [[1, 2, 3]]":                   "x.param:2: init: [1 2 3]: expected a row and a column",
		"n = 8\ninit = [[1, 2],\n [3, 4],\n [1, 2]]":  "x.param:4: init: [1 2] is listed twice",
		"init = [[1, 2]]":                             "x.param:1: n is missing",
		"n = 8\nnumblocks = 2\nblocks = [[1, 1]]":     "x.param:2: numblocks = 2, but blocks lists 1",
		"n = 8\ninit = []\ninit = []":                 "x.param:3: init is given twice",
		"} n = 8 numdiags = 0 diags = []":             "x.param:1: expected n = 8",
	} {
		_, err := Read(strings.NewReader(text), "x.param")
		assert.ErrorContains(t, err, "x.param:")
		assert.ErrorContains(t, err, want, text)
	}
}

// text writes an instance in the format that Read reads.
func text(t *testing.T, in Instance) string {
	var text strings.Builder
	require.NoError(t, in.Write(&text))
	return text.String()
}

// Completion counts from 0 and blocked from 1, as the models and generators of the library do.
func TestReadCells(t *testing.T) {
	for _, c := range []struct {
		text           string
		queens, blocks string
	}{
		{"letting n = 8\nletting init = [[3, 1], [4, 3]]\n", "b4,d5", ""},
		{"language ESSENCE' 1.0\n$ Nauck [1850], 0 = a\nletting n be 8\nletting init be [[3, 1], [4, 3]]", "b4,d5", ""},
		{"n = 4 numblocks = 2 blocks = [[1, 1], [4, 3]]", "", "a1,c4"},
		{"letting n = 4\nletting blocks = [[1,1],\n[4,3],\n]\n", "", "a1,c4"},
		{"n = 4 init = [[0, 1]] blocks = []", "b1", ""},
	} {
		in, err := Read(strings.NewReader(c.text), "x.param")
		require.NoError(t, err, c.text)
		assert.Equal(t, c.queens, board.FormatCells(in.Queens), c.text)
		assert.Equal(t, c.blocks, board.FormatCells(in.Blocks), c.text)
		back, err := Read(strings.NewReader(text(t, in)), "x.param")
		require.NoError(t, err)
		assert.Equal(t, in, back)
	}
	in, err := Read(strings.NewReader("n = 5 blocks = [[2, 3]] diags = [[0, 1]]"), "x.param")
	require.NoError(t, err)
	blocked, err := in.Blocked(1)
	require.NoError(t, err)
	assert.Equal(t, "a1,c2", board.FormatCells(blocked))
}

func TestRandomRoundTrip(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint64(20) {
		for _, n := range []int{1, 4, 8, 14, 21} {
			in, err := Random(n, 4, seed)
			require.NoError(t, err)
			written := text(t, in)
			different[written] = true
			back, err := Read(strings.NewReader(written), "x.param")
			require.NoError(t, err)
			require.Equal(t, in, back)
			again, err := Random(n, 4, seed)
			require.NoError(t, err)
			require.Equal(t, in, again)

			blocked, err := in.Blocked(len(in.Diagonals))
			require.NoError(t, err)
			rows, cols := map[int]int{}, map[int]int{}
			for _, c := range blocked {
				rows[c.Row]++
				cols[c.Col]++
			}
			for i := range n {
				if n >= 4 {
					require.GreaterOrEqual(t, n-rows[i], 4)
					require.GreaterOrEqual(t, n-cols[i], 4)
				}
			}
			if n == 21 {
				require.GreaterOrEqual(t, len(in.Diagonals), 15)
			}
		}
	}
	assert.Greater(t, len(different), 60)
	_, err := Random(0, 4, 1)
	assert.Error(t, err)
}

func FuzzRead(f *testing.F) {
	f.Add("n = 8\nnumdiags = 2\ndiags = [[3, 1], [4, 0]]\n")
	f.Add("n = 8 numdiags = 1 diags = [[1, 1]")
	f.Add("letting n be 8 $ [a]\nletting init = [[1, 1], [2,3],]\nblocks = [[8, 1]]")
	f.Fuzz(func(t *testing.T, written string) {
		in, err := Read(strings.NewReader(written), "x.param")
		if err != nil {
			require.Contains(t, err.Error(), "x.param:")
			return
		}
		back, err := Read(strings.NewReader(text(t, in)), "x.param")
		require.NoError(t, err)
		require.Equal(t, in, back)
	})
}
