package csplib

import (
	"encoding/json"
	"fmt"
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
		"":                                            "x.param:1: expected n = 8, numdiags = 1 and diags",
		"n = x":                                       "x.param:1: n: invalid character 'x'",
		"n = 0\nnumdiags = 0\ndiags = []":             "x.param:1: n = 0: expected a board size from 1",
		"n = 8\nm = 8\n":                              "x.param:2: m: expected n, numdiags or diags",
		"n = 8 numdiags = 2 diags = [[1, 1]]":         "x.param:1: numdiags = 2, but diags lists 1",
		"n = 8\nnumdiags = 1\ndiags = [[15, 1]]":      "x.param:3: diagonal 15: a board of size 8 has 0 to 14",
		"n = 8\nnumdiags = 1\ndiags = [[-1, 1]]":      "x.param:3: diagonal -1: a board of size 8 has 0 to 14",
		"n = 8\nnumdiags = 1\ndiags = [[1, 2]]":       "x.param:3: diagonal [1 2]: expected a number, and 1 for a sum",
		"n = 8\nnumdiags = 1\ndiags = [[1]]":          "x.param:3: diagonal [1]: expected a number, and 1 for a sum",
		"n = 8 numdiags = 2 diags = [[1, 1], [1, 1]]": "diagonal [1 1] is listed twice",
		"n = 8 numdiags = 1 diags = [[1 1]]":          "invalid character '1' after array element",
		"n = 8\nnumdiags = 1\ndiags = [[1, 1]":        "x.param:3: diags: unexpected end of JSON input",
		"n = 8 numdiags = 1 diags = [[1, 1]] more":    "diags: invalid character 'm' after top-level value",
		"n = 99999999999999999999":                    "cannot unmarshal number 99999999999999999999",
		"n = 8\nnumdiags = 0\ndiags = []\n}\nn = 9":   "x.param:3: diags: invalid character '}' after top-level value",
		"n = 8\nnumdiags = 0\ndiags = []\nn = 9\n":    "x.param:4: n is given twice",
		"n = 8\nnumdiags = 0\n":                       "x.param:2: diags is missing",
		"} n = 8 numdiags = 0 diags = []":             "x.param:1: expected n = 8",
	} {
		_, err := Read(strings.NewReader(text), "x.param")
		assert.ErrorContains(t, err, "x.param:")
		assert.ErrorContains(t, err, want, text)
	}
}

// text writes an instance in the format that Read reads.
func text(t *testing.T, in Instance) string {
	pairs := [][2]int{}
	for _, line := range in.Diagonals {
		kind := 0
		if line.Kind == board.AntiDiagonal {
			kind = 1
		}
		pairs = append(pairs, [2]int{line.Index, kind})
	}
	list, err := json.Marshal(pairs)
	require.NoError(t, err)
	return fmt.Sprintf("n = %d\nnumdiags = %d\ndiags = %s\n", in.N, len(pairs), list)
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
