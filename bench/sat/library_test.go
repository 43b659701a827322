package main

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"queens/backends/search"
	"queens/board"
	"queens/encode"
)

// Every library with every method finds the cells that exact search finds, on
// placements that can be completed and on those that cannot.
func TestLibrariesAgainstSearch(t *testing.T) {
	libs, missing := libraries(t.TempDir())
	for _, err := range missing {
		if os.Getenv("NO_SKIP") == "1" {
			t.Error(err)
		} else {
			t.Log(err)
		}
	}
	if len(libs) == 0 {
		t.Skip("no solver's library is installed")
	}
	ctx, completed, dead := context.Background(), 0, 0
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := 4 + rng.IntN(7)
		var placed []board.Cell
		for range rng.IntN(3) {
			c := board.At(n, rng.IntN(n*n))
			if !slices.ContainsFunc(placed, func(q board.Cell) bool { return q == c || q.Attacks(c) }) {
				placed = append(placed, c)
			}
		}
		p, err := encode.Queens(n, placed, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := search.New(p).Valid(ctx, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		if !want.Satisfiable {
			dead++
		} else {
			completed++
		}
		for _, l := range libs {
			for _, method := range l.methods {
				got, _, err := l.find(ctx, p, method)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, want.Possible) {
					t.Errorf("seed %d, n = %d, placed %v: %s by %s finds %v, search %v", seed, n, placed, l.name, method, got,
						want.Possible)
				}
			}
		}
	}
	if completed == 0 || dead == 0 {
		t.Errorf("%d placements with a completion and %d without: expected both", completed, dead)
	}
}
