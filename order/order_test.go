package order

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode"
)

func TestNamedOrdersArePermutations(t *testing.T) {
	for _, named := range All() {
		for n := 1; n <= 16; n++ {
			o := named.Of(n)
			require.NoError(t, o.Check(n*n), "%s n=%d", named.Name, n)
			for level, v := range o {
				require.Equal(t, level, o.Levels()[v-1])
			}
		}
		got, err := ByName(named.Name)
		require.NoError(t, err)
		assert.Equal(t, named.Reason, got.Reason)
	}
	_, err := ByName("row-mayor")
	assert.ErrorContains(t, err, `variable order "row-mayor": expected one of row-major, column-major`)
}

func TestColumnMajorMirrorsRowMajor(t *testing.T) {
	row, _ := ByName("row-major")
	column, _ := ByName("column-major")
	for n := 1; n <= 9; n++ {
		cells := column.Of(n).Cells(n)
		for i, c := range row.Of(n).Cells(n) {
			require.Equal(t, board.Cell{Row: c.Col, Col: c.Row}, cells[i])
		}
	}
}

func TestSeededNames(t *testing.T) {
	o, err := ByName("random:7")
	require.NoError(t, err)
	again, _ := ByName("random:7")
	other, _ := ByName("random:8")
	assert.Equal(t, o.Of(6), again.Of(6))
	assert.NotEqual(t, o.Of(6), other.Of(6))
	for _, name := range []string{"random", "random:", "random:x", "random:-1", "force:", "force:1.5"} {
		_, err := ByName(name)
		assert.ErrorContains(t, err, "expected a seed after a colon", name)
	}
}

func TestOrderFileRoundTrip(t *testing.T) {
	for _, named := range All() {
		for n := 1; n <= 6; n++ {
			o := named.Of(n)
			var b bytes.Buffer
			require.NoError(t, o.Write(&b, encode.Cells(n), n))
			got, err := Read(&b, "o.order", encode.Cells(n))
			require.NoError(t, err)
			require.Equal(t, o, got)
		}
	}
	got, err := Read(strings.NewReader("# two by two\nb2, a1\n\n a2\tb1 # the end\n"), "o.order", encode.Cells(2))
	require.NoError(t, err)
	assert.Equal(t, FromCells(2, []board.Cell{{Row: 1, Col: 1}, {}, {Row: 1}, {Col: 1}}), got)
}

// All cells may be on one line, however many there are.
func TestOrderFileOfOneLine(t *testing.T) {
	const n = 200
	o := All()[0].Of(n)
	var b bytes.Buffer
	require.NoError(t, o.Write(&b, encode.Cells(n), n*n))
	assert.Greater(t, b.Len(), 100_000)
	got, err := Read(&b, "o.order", encode.Cells(n))
	require.NoError(t, err)
	assert.Equal(t, o, got)
}

func TestOrderFileErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"a1 b1\na2 c2":   "o.order:2: cell c2 is off the board",
		"a1 b1\na2 a1":   "o.order:2: a1 is given twice, first on line 1",
		"a1 b1\n  ?? b2": `o.order:2: cell "??": expected file letter(s)`,
		"a1 b1\na2":      "o.order:2: the file ends after 3 of 4 variables, a1 to b2",
		"":               "o.order:1: the file ends after 0 of 4 variables",
	} {
		_, err := Read(strings.NewReader(text), "o.order", encode.Cells(2))
		assert.ErrorContains(t, err, want)
	}
}
