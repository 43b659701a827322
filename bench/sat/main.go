// Command sat measures how long it takes to find all valid cells, by our back-ends
// and by the solvers on the PATH, on the same placements, interleaved in random
// order.
//
//	cd bench && go run ./sat
//	cd bench && go run ./sat -population 300   # the portfolio alone, and its slowest placements
//
// Times are milliseconds of CPU time, including building the formula. A placement
// takes queens of a random solution. The solvers' libraries (peer/valid.cc) keep what
// they learn in one process, whose start does not count. The solvers of --solver are
// asked through bridges or as programs, by our own methods (outside). Every answer is
// compared with that of the portfolio. gini is asked about the residual formula that
// the libraries get and, in ways named whole, about the whole board with the placed
// queens as unit clauses.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"queens/backends"
	"queens/backends/local"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/board"
	"queens/choice"
	"queens/encode"
	"queens/encode/cnf"
)

// way is one way to find the cells.
type way struct {
	name string
	find func(context.Context, encode.Problem) (possible []cnf.Var, spent time.Duration, err error)
}

type run struct {
	way       way
	n, placed int
	seed      uint64
}

func main() {
	seeds := flag.Int("seeds", 3, "placements of each size")
	limit := flag.Duration("limit", 30*time.Second, "wall-clock limit of a run")
	sizes := flag.String("sizes", "8/0,20/0,50/0,50/25,100/0,100/50,200/0,200/50,200/100", "boards, as n/placed")
	names := flag.String("ways", "", "ways to measure, comma-separated (default all)")
	many := flag.Int("population", 0, "measure the portfolio alone on this many placements of each size")
	flag.Parse()
	if *many > 0 {
		if err := population(*many); err != nil {
			fmt.Fprintln(os.Stderr, "sat:", err)
			os.Exit(1)
		}
		return
	}
	if err := compare(*sizes, *names, *seeds, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "sat:", err)
		os.Exit(1)
	}
}

// ways lists all ways, or the chosen ones. Programs are compiled into dir.
func ways(chosen, dir string) []way {
	var list []way
	add := func(name string, find func(context.Context, encode.Problem) ([]cnf.Var, time.Duration, error)) {
		if chosen == "" || slices.Contains(strings.Split(chosen, ","), name) {
			list = append(list, way{name, find})
		}
	}
	add("portfolio", timed("", func(p encode.Problem) (backends.Oracle, error) { return portfolio.New(p) }))
	for _, formula := range sat.Formulas() {
		for _, method := range sat.Methods() {
			name := "gini " + method
			if formula == sat.Whole {
				name += " whole"
			}
			add(name, timed(method, func(p encode.Problem) (backends.Oracle, error) {
				return sat.New(p, sat.WithFormula(formula)), nil
			}))
		}
	}
	libs, missing := libraries(dir)
	for _, err := range missing {
		fmt.Fprintln(os.Stderr, "skipped:", err)
	}
	for _, l := range libs {
		for _, method := range l.methods {
			add(l.name+" "+method, func(ctx context.Context, p encode.Problem) ([]cnf.Var, time.Duration, error) {
				return l.find(ctx, p, method)
			})
		}
	}
	for _, name := range choice.SolverName("").Values()[1:] { // gini is above
		if err := choice.SolverName(name).Missing(nil); err != nil {
			fmt.Fprintln(os.Stderr, "skipped:", err)
			continue
		}
		for _, method := range sat.Methods() {
			add(name+" outside "+method, timed(method, func(p encode.Problem) (backends.Oracle, error) {
				a, err := choice.Open(context.Background(), p, choice.Choice{Solver: choice.SolverName(name)}, choice.Valid, choice.Resources{})
				if err != nil {
					return nil, err
				}
				return a.Answers.(backends.Oracle), nil
			}))
		}
	}
	return list
}

// timed is a way that uses one of our back-ends; its time is that of this process and
// its children.
func timed(method string, oracle func(encode.Problem) (backends.Oracle, error)) func(context.Context,
	encode.Problem) ([]cnf.Var, time.Duration, error) {
	return func(ctx context.Context, p encode.Problem) ([]cnf.Var, time.Duration, error) {
		start := cpu()
		o, err := oracle(p)
		if err != nil {
			return nil, 0, err
		}
		found, err := o.Valid(ctx, nil, method)
		if c, closes := o.(io.Closer); closes { // so that its processes count
			err = errors.Join(err, c.Close())
		}
		return found.Possible, cpu() - start, err
	}
}

func compare(sizes, chosen string, seeds int, limit time.Duration) error {
	dir, err := os.MkdirTemp("", "queens-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list := ways(chosen, dir)
	fmt.Printf("| n, placed |")
	for _, w := range list {
		fmt.Printf(" %s |", w.name)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---|", len(list)))
	for _, size := range strings.Split(sizes, ",") {
		var n, placed int
		if _, err := fmt.Sscanf(size, "%d/%d", &n, &placed); err != nil {
			return fmt.Errorf("size %q: expected n/placed, as in 50/25", size)
		}
		var runs []run
		for _, w := range list {
			for seed := range uint64(seeds) {
				runs = append(runs, run{w, n, placed, seed})
			}
		}
		rng := rand.New(rand.NewPCG(uint64(n), uint64(placed)))
		rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		times := map[string][]time.Duration{}
		late := map[string]bool{} // a way that once ran into the limit is not run again
		for _, r := range runs {
			if late[r.way.name] {
				continue
			}
			spent, err := measure(r, limit)
			switch {
			case errors.Is(err, context.DeadlineExceeded):
				late[r.way.name] = true
			case err != nil:
				return fmt.Errorf("%s, n = %d, %d placed, seed %d: %w", r.way.name, n, placed, r.seed, err)
			default:
				times[r.way.name] = append(times[r.way.name], spent)
			}
		}
		fmt.Printf("| %d, %d |", n, placed)
		for _, w := range list {
			all := times[w.name]
			if late[w.name] || len(all) == 0 {
				fmt.Printf(" > |")
				continue
			}
			slices.SortFunc(all, cmp.Compare)
			fmt.Printf(" %.3g |", float64(all[len(all)/2].Microseconds())/1000)
		}
		fmt.Println()
	}
	return nil
}

// measure returns the CPU time of one run, processes included, and compares the
// answer.
func measure(r run, limit time.Duration) (time.Duration, error) {
	p, err := placement(r.n, r.placed, r.seed)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	possible, spent, err := r.way.find(ctx, p)
	if err != nil {
		return 0, err
	}
	judge, err := portfolio.New(p)
	if err != nil {
		return 0, err
	}
	want, err := judge.Valid(context.Background(), nil, "")
	if err != nil {
		return 0, err
	}
	if !slices.Equal(want.Possible, possible) {
		return 0, fmt.Errorf("%d possible cells, the portfolio finds %d", len(possible), len(want.Possible))
	}
	return spent, nil
}

// placement returns the problem with that many queens of a random solution placed.
func placement(n, queens int, seed uint64) (encode.Problem, error) {
	cols, ok := local.CompleterOf(board.NewPosition(n, nil, nil), seed).Complete(context.Background(), nil, nil)
	if !ok {
		return encode.Problem{}, errors.New("no solution to take queens from")
	}
	var placed []board.Cell
	for _, row := range rand.New(rand.NewPCG(seed, 1)).Perm(n)[:queens] {
		placed = append(placed, board.Cell{Row: row, Col: int(cols[row])})
	}
	return encode.Queens(n, placed, nil)
}

// cpu returns the CPU time of this process and of its children that have ended.
func cpu() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err == nil {
			total += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return total
}
