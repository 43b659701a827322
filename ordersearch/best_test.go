package ordersearch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/bdd"
	"queens/encode"
	"queens/order"
	"queens/robdd"
)

// Every file of a best order states its number of nodes. The engine confirms
// it, none has more than row-major, and the proved ones have the minimum.
func TestBestOrders(t *testing.T) { checkBest(t, 1, 14) }

func checkBest(t *testing.T, from, to int) {
	files, err := filepath.Glob("../order/best/*.order")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	claim := regexp.MustCompile(`^# n = (\d+), (bdd|zdd) of (\d+) nodes`)
	proved := map[int]Sizes{4: {23, 8}, 5: {145, 40}, 6: {69, 24}}
	rowMajor := map[int]Sizes{ // slow to compute
		13: {2044394, 204781}, 14: {9572418, 911420}, 15: {51889029, 4796502}, 16: {292364273, 26398067},
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		m := claim.FindSubmatch(data)
		require.NotNil(t, m, "%s: its first line must state its nodes", file)
		n, _ := strconv.Atoi(string(m[1]))
		promised, _ := strconv.Atoi(string(m[3]))
		if n < from || n > to {
			continue
		}
		d, err := robdd.ParseKind(string(m[2]))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%s-%02d.order", d, n), filepath.Base(file))

		o, err := order.Read(bytes.NewReader(data), file, encode.Cells(n))
		require.NoError(t, err)
		assert.Equal(t, o, named(t, "best-"+d.String(), n), "the named order is the file's")
		assert.Equal(t, o, Canonical(n, o), "%s: of eight images, the first is kept", file)
		if want, known := proved[n]; known {
			assert.Equal(t, want.Of(d), promised, file)
		}

		p, err := encode.Queens(n, nil, nil)
		require.NoError(t, err)
		nodes := func(o order.Order) int {
			c, err := bdd.Compile(context.Background(), p, o, bdd.Options{})
			require.NoError(t, err)
			return c.Nodes(d)
		}
		assert.Equal(t, promised, nodes(o), file)
		before, known := rowMajor[n]
		if !known {
			least := nodes(named(t, "row-major", n)) // of the kind at hand
			before = Sizes{least, least}
		}
		assert.LessOrEqual(t, promised, before.Of(d), file)
	}
}
