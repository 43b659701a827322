package tasks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/encode"
	"queens/encode/csplib"
	"queens/experiments/record"
	"queens/order"
)

const instances = "../../results/instances/"

const (
	frozenSeeds   = 30
	frozenQueries = 11
)

// frozen is a file of instances: its name, its columns and its lines, the quick ones of them if short.
type frozen struct {
	name, columns string
	lines         func(t *testing.T, short bool) [][]string
}

var frozenFiles = []frozen{
	{"completable.csv", placementHeader, frozenPlacements(completable)},
	{"uniform.csv", placementHeader, frozenPlacements(uniform)},
	{"prefix.csv", placementHeader, frozenPlacements(prefix)},
	{"unattacked.csv", placementHeader, frozenPlacements(unattacked)},
	{"blocked.csv", "n,seed,cells", frozenBlocked},
	{"diagonals.csv", "n,seed,diagonals", frozenDiagonals},
	{"orders.csv", "n,name,order", frozenOrders},
	{"models.csv", "sha256,file", frozenModels},
}

// The instances that are shipped for others are those that the program makes from its seeds.
// UPDATE_INSTANCES=1 writes them.
func TestInstancesAreWhatTheSeedsGive(t *testing.T) {
	for _, f := range frozenFiles {
		update := os.Getenv("UPDATE_INSTANCES") != ""
		want := f.lines(t, testing.Short() && !update)
		require.NotEmpty(t, want, f.name)
		if update {
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			require.NoError(t, w.WriteAll(append([][]string{strings.Split(f.columns, ",")}, want...)))
			require.NoError(t, os.MkdirAll(instances, 0o755))
			require.NoError(t, os.WriteFile(instances+f.name, b.Bytes(), 0o644))
		}
		got := readInstances(t, f.name)
		require.Equal(t, f.columns, strings.Join(got[0], ","))
		known := map[string]bool{}
		for _, line := range got[1:] {
			known[strings.Join(line, ",")] = true
		}
		for _, line := range want {
			assert.True(t, known[strings.Join(line, ",")], "%s: not the line of %.40v; UPDATE_INSTANCES=1 writes it", f.name, line)
		}
		if !testing.Short() {
			assert.Len(t, got, 1+len(want), f.name)
		}
	}
}

func readInstances(t *testing.T, name string) [][]string {
	data, err := os.ReadFile(instances + name)
	require.NoError(t, err)
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	return lines
}

func frozenPlacements(kind Placement) func(t *testing.T, short bool) [][]string {
	return func(t *testing.T, short bool) (lines [][]string) {
		for _, n := range []int{8, 10, 12, 13, 14, 15} {
			if short && n > 10 {
				break
			}
			if kind == uniform && n%2 == 1 || n == 15 && kind != completable {
				continue
			}
			p, err := encode.Queens(n, nil, nil)
			require.NoError(t, err)
			placer, err := kind.placer(context.Background(), p)
			require.NoError(t, err)
			for _, placed := range []int{n / 4, n / 2, n * 3 / 4} {
				if placed != n/2 && (kind == prefix || kind == unattacked) {
					continue
				}
				for seed := uint64(1); seed <= frozenSeeds; seed++ {
					var list []string
					for i := range frozenQueries {
						vars, err := placer.query(context.Background(), placed, seed, i)
						require.NoError(t, err)
						list = append(list, strings.Join(p.VarNames(vars), " "))
					}
					lines = append(lines, []string{strconv.Itoa(n), strconv.Itoa(placed), strconv.FormatUint(seed, 10), strings.Join(list, ";")})
				}
			}
		}
		return lines
	}
}

func frozenBlocked(t *testing.T, _ bool) (lines [][]string) {
	const n = 40
	for seed := uint64(1); seed <= frozenSeeds; seed++ {
		one := Diagonals{Asked: asked(), Instance: anyCells, Seed: seed, Exclude: 1400}
		one.N = n
		cells, _, err := one.blocked()
		require.NoError(t, err)
		var names []string
		for _, c := range cells {
			names = append(names, c.String())
		}
		lines = append(lines, []string{strconv.Itoa(n), strconv.FormatUint(seed, 10), strings.Join(names, " ")})
	}
	return lines
}

// frozenDiagonals names a diagonal by the first and the last of its cells.
func frozenDiagonals(t *testing.T, _ bool) (lines [][]string) {
	const n = 21
	for seed := uint64(1); seed <= frozenSeeds; seed++ {
		in, err := csplib.Random(n, minimumFree, seed)
		require.NoError(t, err)
		var names []string
		for _, d := range in.Diagonals {
			cells := d.Cells(n)
			names = append(names, fmt.Sprintf("%s-%s", cells[0], cells[len(cells)-1]))
		}
		lines = append(lines, []string{strconv.Itoa(n), strconv.FormatUint(seed, 10), strings.Join(names, " ")})
	}
	return lines
}

func frozenOrders(t *testing.T, _ bool) (lines [][]string) {
	names := []string{"random:1", "random:2", "random:3"}
	for _, o := range order.All() {
		if !strings.HasPrefix(o.Name, "best-") && !strings.Contains(o.Name, ":") {
			names = append(names, o.Name)
		}
	}
	for _, n := range []int{8, 10, 12, 13, 14} {
		for _, name := range names {
			o, err := order.ByName(name)
			require.NoError(t, err)
			var cells []string
			for _, c := range o.Of(n).Cells(n) {
				cells = append(cells, c.String())
			}
			lines = append(lines, []string{strconv.Itoa(n), name, strings.Join(cells, " ")})
		}
	}
	return lines
}

func frozenModels(t *testing.T, _ bool) (lines [][]string) {
	files, err := filepath.Glob(configs + "/models/*.cnf")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		lines = append(lines, []string{fmt.Sprintf("%x", sha256.Sum256(data)), "configs/models/" + filepath.Base(file)})
	}
	data, err := os.ReadFile(configs + "/models/published.list")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		lines = append(lines, []string{words[0], words[2]})
	}
	return lines
}

// The records were measured on these placements, and each placement is legal, judged by the board alone.
func TestInstancesAreThoseOfTheRecords(t *testing.T) {
	frozen := map[string][]string{}
	var lines [][]string
	for _, kind := range []Placement{completable, uniform, prefix, unattacked} {
		for _, line := range readInstances(t, string(kind)+".csv")[1:] {
			lines = append(lines, append([]string{string(kind)}, line...))
		}
	}
	for _, line := range lines {
		list := strings.Split(line[4], ";")
		require.Len(t, list, frozenQueries)
		frozen[strings.Join(line[:4], ",")] = list
		for _, placement := range list {
			var queens []board.Cell
			for word := range strings.FieldsSeq(placement) {
				c, err := board.ParseCell(word)
				require.NoError(t, err)
				for _, other := range queens {
					assert.False(t, c.Attacks(other), "%s: %s and %s", line[:4], c, other)
				}
				queens = append(queens, c)
			}
		}
	}
	found := 0
	for _, name := range []string{"break-even", "break-even-solvers"} {
		set, err := record.Read("../../results/reference/"+name, Kinds())
		require.NoError(t, err)
		for _, r := range set.Rows {
			key := strings.Join([]string{cellOr(r, "placement", "completable"), r.Cell("n"), r.Cell("placed"), r.Cell("seed")}, ",")
			if list, is := frozen[key]; is && r.Cell("placed_cells") != "" {
				found++
				got, want := strings.Split(r.Cell("placed_cells"), ","), strings.Fields(list[0])
				slices.Sort(got)
				slices.Sort(want)
				require.Equal(t, want, got, "%s: %s", name, key)
			}
		}
	}
	assert.Greater(t, found, 1000)
}

func cellOr(r record.Row, column, otherwise string) string {
	if text := r.Cell(column); text != "" {
		return text
	}
	return otherwise
}

// An experiment that reads its placements from a shipped file asks what one with the seeds asks, and a
// file that it cannot use is an error with its place.
func TestPlacementsFromAFile(t *testing.T) {
	p, err := encode.Queens(8, nil, nil)
	require.NoError(t, err)
	for _, kind := range []Placement{completable, uniform, prefix, unattacked} {
		fromFile := Placement(placementFile + instances + string(kind) + ".csv")
		names, err := fromFile.Pin()
		require.NoError(t, err)
		for _, place := range []Placement{fromFile, Placement(names[0])} {
			run := ValidCells{Asked: asked(), Placed: 4, Placement: kind, Seed: 3, Queries: 5}
			run.N = 8
			want, err := run.placements(context.Background())
			require.NoError(t, err)
			run.Placement = place
			got, err := run.placements(context.Background())
			require.NoError(t, err)
			assert.Equal(t, want, got, place)
		}
		_, err = fromFile.read(p, 4, 31, 5)
		assert.ErrorContains(t, err, "no line for n = 8, 4 placed, seed 31")
		_, err = fromFile.read(p, 4, 3, 12)
		assert.ErrorContains(t, err, "11 placements, but 12 queries")
	}
	file := filepath.Join(t.TempDir(), "own.csv")
	for text, want := range map[string]string{
		"n,placed\n":                              "own.csv:1: expected the columns n,placed,seed,placements",
		placementHeader + "\n8,2,1,a1 z9\n":       "own.csv:2: ",
		placementHeader + "\n8,2,1,a1 b3 c5\n":    "own.csv:2: \"a1 b3 c5\": expected at most 2 queens",
		placementHeader + "\n8,3,1,a1\n8,2,1\n":   "own.csv:3: ",
		placementHeader + "\n8,3,1,a1 b3 c5;a1\n": "no line for n = 8, 2 placed, seed 1",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := Placement(placementFile+file).read(p, 2, 1, 1)
		assert.ErrorContains(t, err, want, text)
	}
}

// The sequences of diagram sizes are those that the engine gives, and beyond its reach here those of the records.
func TestSequencesOfNodes(t *testing.T) {
	measured := map[string]string{} // by n and kind
	for _, name := range []string{"orders-size", "orders-rule-17"} {
		set, err := record.Read("../../results/reference/"+name, Kinds())
		require.NoError(t, err)
		for _, r := range set.Rows {
			if r.Cell("order") == "row-major" {
				measured[r.Cell("n")+" bdd"], measured[r.Cell("n")+" zdd"] = r.Cell("bdd_nodes"), r.Cell("zdd_nodes")
			}
		}
	}
	set, err := record.Read("../../results/reference/orders-rule", Kinds())
	require.NoError(t, err)
	for _, r := range set.Rows {
		if r.Cell("order") == "row-major" {
			measured[r.Cell("n")+" "+r.Cell("diagram")] = r.Cell("nodes")
		}
	}
	for file, kind := range map[string]string{"robdd": "bdd", "zdd": "zdd"} {
		data, err := os.ReadFile(instances + file + "-nodes.txt")
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		require.Len(t, lines, 17)
		for i, line := range lines {
			n := i + 1
			nodes := measured[fmt.Sprint(n, " ", kind)]
			if n <= 10 {
				nodes = fmt.Sprint(run(t, made(t, "compile", params{"n": n, "diagram": kind})).Values.(CompileResult).Nodes)
			}
			assert.Equal(t, fmt.Sprint(n, " ", nodes), line, kind)
		}
	}
}
