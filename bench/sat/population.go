package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"queens/backends/portfolio"
)

// The boards of the population: every size with every percentage of its queens
// placed.
var (
	populationSizes = []int{8, 20, 50, 100, 150, 200}
	populationParts = []int{0, 5, 10, 25, 50, 75, 90} // per cent
)

// spentOn is the cost of one placement.
type spentOn struct {
	n, placed int
	seed      uint64
	cpu       time.Duration
	work      string
}

// population measures the portfolio alone on many placements of every size, each asked
// once of a new Oracle. It prints the median, the 99th percentile and the largest CPU
// time of each size, and the placements that took longest overall. The placements come
// in random order, so a passing disturbance affects all sizes alike.
func population(seeds int) error {
	var runs []spentOn
	for _, n := range populationSizes {
		for _, part := range populationParts {
			for seed := range uint64(seeds) {
				runs = append(runs, spentOn{n: n, placed: n * part / 100, seed: seed})
			}
		}
	}
	rng := rand.New(rand.NewPCG(uint64(seeds), 0))
	rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	for i := range runs {
		r := &runs[i]
		p, err := placement(r.n, r.placed, r.seed)
		if err != nil {
			return err
		}
		start := cpu()
		o, err := portfolio.New(p)
		if err != nil {
			return err
		}
		found, err := o.Valid(context.Background(), nil, "")
		r.cpu = cpu() - start
		if err != nil {
			return fmt.Errorf("n = %d, %d placed, seed %d: %w", r.n, r.placed, r.seed, err)
		}
		for _, w := range found.Work {
			if w.N != 0 {
				r.work += fmt.Sprintf(" %s %d", w.Name, w.N)
			}
		}
	}
	slices.SortFunc(runs, func(a, b spentOn) int { return cmp.Compare(a.cpu, b.cpu) })
	fmt.Print("| placed |")
	for _, n := range populationSizes {
		fmt.Printf(" n = %d |", n)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---|", len(populationSizes)))
	for _, part := range populationParts {
		fmt.Printf("| %d%% |", part)
		for _, n := range populationSizes {
			fmt.Printf(" %s |", quantiles(runs, func(r spentOn) bool { return r.n == n && r.placed == n*part/100 }))
		}
		fmt.Println()
	}
	fmt.Print("| all |")
	for _, n := range populationSizes {
		fmt.Printf(" %s |", quantiles(runs, func(r spentOn) bool { return r.n == n }))
	}
	fmt.Printf("\n\nall %d placements: %s; the slowest:\n\n", len(runs),
		quantiles(runs, func(spentOn) bool { return true }))
	for _, r := range runs[max(0, len(runs)-20):] {
		fmt.Printf("%d/%d seed %d: %s ms,%s\n", r.n, r.placed, r.seed, milliseconds(r.cpu), r.work)
	}
	return nil
}

// quantiles returns the median, the 99th percentile and the largest time of the
// selected runs, which must be sorted by time.
func quantiles(runs []spentOn, of func(spentOn) bool) string {
	var times []time.Duration
	for _, r := range runs {
		if of(r) {
			times = append(times, r.cpu)
		}
	}
	last := len(times) - 1
	return fmt.Sprintf("%s / %s / %s", milliseconds(times[last/2]), milliseconds(times[last*99/100]),
		milliseconds(times[last]))
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2g", float64(d.Microseconds())/1000)
}
