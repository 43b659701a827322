package csplib_test

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/conformance"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/encode"
	"queens/encode/csplib"
	"queens/order"
)

// published returns the folder with CSPLib's files, which we may not ship:
// $CSPLIB_DIR, or ../shared/csplib next to the repository. Without them a test is skipped, or fails
// if CSPLIB_ALL asks for all verdicts.
func published(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CSPLIB_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "csplib")
	}
	if _, err := os.Stat(dir); err != nil {
		missing := fmt.Sprintf("no files of CSPLib prob079 in %s: fetch its instances and verdicts from "+
			"https://www.csplib.org/Problems/prob079 and set CSPLIB_DIR to a folder with diag-N.tar.gz and "+
			"verdicts-N.txt.gz (N = 10, 12, 14; see docs/do/reproduce.md)", dir)
		if os.Getenv("CSPLIB_ALL") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return dir
}

// verdict is one line of a verdicts file.
type verdict struct{ n, d, min, id, solutions int }

// verdicts reads the verdicts for size n; nil when there are none.
func verdicts(t *testing.T, dir string, n int) []verdict {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, fmt.Sprintf("verdicts-%d.txt.gz", n)))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	require.NoError(t, err)
	defer file.Close()
	text, err := gzip.NewReader(file)
	require.NoError(t, err)
	var list []verdict
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		if lines.Text()[0] == '#' {
			continue
		}
		var v verdict
		_, err := fmt.Sscan(lines.Text(), &v.n, &v.d, &v.min, &v.id, &v.solutions)
		require.NoError(t, err, lines.Text())
		list = append(list, v)
	}
	require.NoError(t, lines.Err())
	return list
}

// instances reads all instances of size n, by file name.
func instances(t *testing.T, dir string, n int) map[string]csplib.Instance {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, fmt.Sprintf("diag-%d.tar.gz", n)))
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	found := map[string]csplib.Instance{}
	archive := tar.NewReader(unzipped)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return found
		}
		require.NoError(t, err)
		if path.Ext(header.Name) == ".param" {
			in, err := csplib.Read(archive, header.Name)
			require.NoError(t, err)
			require.Equal(t, n, in.N)
			found[path.Base(header.Name)] = in
		}
	}
}

func TestReadsEveryPublishedInstance(t *testing.T) {
	dir := published(t)
	for _, n := range []int{8, 10, 12, 14} {
		require.Len(t, instances(t, dir, n), 1000, "n=%d", n)
	}
}

// Every verdict, or a sample of them, agrees with the published one, by each
// back-end. A diagram of a board of 14 with few diagonals excluded takes a second,
// so the sample compiles diagrams only where they are small.
func TestPublishedVerdicts(t *testing.T) {
	dir := published(t)
	all := os.Getenv("CSPLIB_ALL") == "1"
	chosen := chosenBackends(t)
	perSize := 250
	if testing.Short() {
		perSize = 30
	} else if conformance.Slow {
		perSize = 850
	}
	asked := map[string]int{}
	spent := map[string]time.Duration{}
	start := time.Now()
	for _, n := range []int{10, 12, 14} {
		list, found := verdicts(t, dir, n), instances(t, dir, n)
		require.NotEmpty(t, list)
		if !all {
			rng := rand.New(rand.NewPCG(79, uint64(n)))
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:perSize]
		}
		for i, v := range list {
			name := fmt.Sprintf("diag-%d-%d-%d.param", v.n, v.min, v.id)
			in, ok := found[name]
			require.True(t, ok, name)
			p := conformance.Excluding(t, in, v.d)
			for _, backend := range chosen {
				solvable := solvers[backend]
				if backend == "bdd" && !all && n == 14 && v.d < 12 {
					continue
				}
				began := time.Now()
				require.Equal(t, v.solutions > 0, solvable(t, p), "%s disagrees on %s with %d diagonals",
					backend, name, v.d)
				spent[backend] += time.Since(began)
				asked[backend]++
			}
			if all && i%1000 == 999 {
				t.Logf("n=%d: %d of %d verdicts, %v, %v", n, i+1, len(list), time.Since(start).Round(time.Second), spent)
			}
		}
	}
	t.Logf("asked %v, spent %v", asked, spent)
	for _, backend := range chosen {
		require.GreaterOrEqual(t, asked[backend], 2*perSize)
	}
}

// chosenBackends returns the back-ends that $CSPLIB_BACKENDS names, comma-separated,
// or all of them: each can check all verdicts by itself.
func chosenBackends(t *testing.T) []string {
	names := slices.Sorted(maps.Keys(solvers))
	if chosen := os.Getenv("CSPLIB_BACKENDS"); chosen != "" {
		for _, name := range strings.Split(chosen, ",") {
			require.Contains(t, names, name, "CSPLIB_BACKENDS=%s", chosen)
		}
		names = strings.Split(chosen, ",")
	}
	return names
}

// On generated instances, which have no published verdicts, the back-ends agree
// with each other.
func TestBackendsAgreeOnRandomInstances(t *testing.T) {
	solvableCount, unsolvable := 0, 0
	for seed := range uint64(60) {
		n := 8 + int(seed)%5
		in, err := csplib.Random(n, 2+int(seed)%3, seed)
		require.NoError(t, err)
		for d := len(in.Diagonals); d > 0; d -= 3 {
			p := conformance.Excluding(t, in, d)
			want := solvers["search"](t, p)
			for backend, solvable := range solvers {
				require.Equal(t, want, solvable(t, p), "%s: n=%d seed=%d d=%d", backend, n, seed, d)
			}
			if want {
				solvableCount++
			} else {
				unsolvable++
			}
		}
	}
	require.Greater(t, solvableCount, 20)
	require.Greater(t, unsolvable, 20)
}

var solvers = map[string]func(*testing.T, encode.Problem) bool{
	"search":    func(t *testing.T, p encode.Problem) bool { return solved(t, search.New(p)) },
	"sat":       func(t *testing.T, p encode.Problem) bool { return solved(t, sat.New(p)) },
	"portfolio": func(t *testing.T, p encode.Problem) bool { return solved(t, portfolio.New(p)) },
	"bdd": func(t *testing.T, p encode.Problem) bool {
		rowMajor, err := order.ByName("row-major")
		require.NoError(t, err)
		compiled, err := bdd.Compile(context.Background(), p, rowMajor.Of(p.N), bdd.Options{})
		require.NoError(t, err)
		return solved(t, bdd.New(compiled))
	},
}

func solved(t *testing.T, o backends.Backend) bool {
	answer, err := o.Solve(context.Background(), nil)
	require.NoError(t, err)
	return answer.Status == backends.Sat
}

// The exact search's figure: the median instance of size 21 with 19 diagonals.
func BenchmarkSearch21(b *testing.B) {
	var problems []encode.Problem
	for seed := uint64(0); len(problems) < 100; seed++ {
		if in, err := csplib.Random(21, 4, seed); err == nil && len(in.Diagonals) >= 19 {
			p := conformance.Excluding(b, in, 19)
			problems = append(problems, p)
		}
	}
	var queens []float64 // placed by search, per problem; for search only
	for name, solve := range map[string]func(encode.Problem) (backends.Answer, error){
		"search": func(p encode.Problem) (backends.Answer, error) {
			o := search.New(p)
			answer, err := o.Solve(context.Background(), nil)
			queens = append(queens, float64(o.Visited()))
			return answer, err
		},
		"portfolio": func(p encode.Problem) (backends.Answer, error) {
			return portfolio.New(p).Solve(context.Background(), nil)
		},
		"gini": func(p encode.Problem) (backends.Answer, error) { return sat.New(p).Solve(context.Background(), nil) },
	} {
		b.Run(name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				times, queens = times[:0], queens[:0]
				for _, p := range problems {
					start := time.Now()
					_, err := solve(p)
					require.NoError(b, err)
					times = append(times, time.Since(start))
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "median-us")
			b.ReportMetric(float64(times[len(times)*9/10].Microseconds()), "p90-us")
			b.ReportMetric(float64(times[len(times)-1].Microseconds()), "max-us")
			if len(queens) > 0 {
				slices.Sort(queens)
				b.ReportMetric(queens[len(queens)/2], "median-queens")
			}
		})
	}
}
