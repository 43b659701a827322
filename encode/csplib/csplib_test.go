package csplib

import (
	"bytes"
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
	_, err = in.Problem(4)
	assert.ErrorContains(t, err, "excluding 4 diagonals: the instance has 3")
	_, err = in.Blocked(-1)
	assert.Error(t, err)
	in, err = Read(strings.NewReader("n=1 numdiags=0 diags=[]"), "x.param")
	require.NoError(t, err)
	assert.Equal(t, 1, in.N)
}

func TestReadErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "x.param:1:1: expected a name, not the end of the file",
		"n = 8":                                  "x.param:1:6: expected a name, not the end of the file",
		"n = x":                                  `x.param:1:5: expected a number, not "x"`,
		"n = 0\nnumdiags = 0\ndiags = []":        "x.param:1:1: n = 0: expected a board size from 1",
		"m = 8\n":                                `x.param:1:1: "m": expected n, numdiags and diags`,
		"n = 8\nn = 8\n":                         `x.param:2:1: "n": expected n, numdiags and diags, each once`,
		"n = 8 numdiags = 2 diags = [[1, 1]]":    "numdiags = 2, but diags lists 1",
		"n = 8\nnumdiags = 1\ndiags = [[15, 1]]": "x.param:3:10: diagonal 15: a board of size 8 has 0 to 14",
		"n = 8\nnumdiags = 1\ndiags = [[1, 2]]":  "x.param:3:10: diagonal of kind 2",
		"n = 8 numdiags = 2 diags = [[1, 1], [1, 1]]": "x.param:1:37: diagonal [1, 1] is listed twice",
		"n = 8 numdiags = 1 diags = [[1 1]]":          `x.param:1:32: expected ,, not "1"`,
		"n = 8 numdiags = 1 diags = [[1, 1]":          "expected ,, not the end of the file",
		"n = 8 numdiags = 1 diags = [[1, 1]] more":    "x.param:1:37: expected the end of the file",
		"diags = [[1, 1]] n = 8 numdiags = 1":         "diags before n",
		"n = 99999999999999999999":                    "x.param:1:5: number 99999999999999999999: expected",
	} {
		_, err := Read(strings.NewReader(text), "x.param")
		assert.ErrorContains(t, err, want, text)
	}
}

func TestRandomRoundTrip(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint64(20) {
		for _, n := range []int{1, 4, 8, 14, 21} {
			in, err := Random(n, 4, seed)
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, in.Write(&b))
			different[b.String()] = true
			back, err := Read(&b, "x.param")
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
	_, err = Random(8, -1, 1)
	assert.Error(t, err)
}

func FuzzRead(f *testing.F) {
	f.Add("n = 8\nnumdiags = 2\ndiags = [[3, 1], [4, 0]]\n")
	f.Add("n = 8 numdiags = 1 diags = [[1, 1]")
	f.Fuzz(func(t *testing.T, text string) {
		in, err := Read(strings.NewReader(text), "x.param")
		if err != nil {
			require.Regexp(t, `^x\.param:\d+:\d+: `, err.Error())
			return
		}
		var b bytes.Buffer
		require.NoError(t, in.Write(&b))
		back, err := Read(&b, "x.param")
		require.NoError(t, err)
		require.Equal(t, in, back)
	})
}
