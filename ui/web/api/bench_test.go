package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queens/ask"
	"queens/board"
	"queens/configure"
	"queens/internal/system"
)

// BenchmarkClick measures the server's side of a click, JSON to JSON: one more random
// queen each time, with a new board once half full or stuck. The back-end is warm.
// It reports processor time as well as elapsed time, since a busy machine stretches only the elapsed time.
func BenchmarkClick(b *testing.B) {
	for _, test := range []struct {
		n       int
		backend string
	}{{8, "bdd"}, {10, "bdd"}, {12, "bdd"}, {8, "portfolio"}, {50, "portfolio"}, {100, "portfolio"}, {200, "portfolio"}} {
		b.Run(fmt.Sprintf("n=%d/%s", test.n, test.backend), func(b *testing.B) {
			s := service()
			rng := rand.New(rand.NewPCG(1, 0))
			r := BoardRequest{Board: Board{State: configure.State{N: test.n}, Choice: ask.Choice{Backend: ask.BackendName(test.backend)}}, Counts: true}
			var spent []time.Duration
			click := func() {
				body, err := json.Marshal(r)
				if err != nil {
					b.Fatal(err)
				}
				before := cpuTime(b)
				status, text := s.Do(context.Background(), "board", body)
				spent = append(spent, cpuTime(b)-before)
				if status != 200 {
					b.Fatalf("%s: %s", body, text)
				}
				var answer struct{ Marks string }
				b.StopTimer()
				if err := json.Unmarshal(text, &answer); err != nil {
					b.Fatal(err)
				}
				var valid []int
				for i, mark := range answer.Marks {
					if mark == 'o' {
						valid = append(valid, i)
					}
				}
				if len(valid) == 0 || len(r.Placed) >= test.n/2 {
					r.Placed = nil
				} else {
					r.Placed = append(r.Placed, board.At(test.n, valid[rng.IntN(len(valid))]))
				}
				b.StartTimer()
			}
			click()
			spent = nil
			for b.Loop() {
				click()
			}
			slices.Sort(spent)
			b.ReportMetric(float64(spent[len(spent)/2].Microseconds())/1000, "cpu-ms-p50")
			b.ReportMetric(float64(spent[len(spent)*99/100].Microseconds())/1000, "cpu-ms-p99")
		})
	}
}

// cpuTime returns the processor time that the process has used.
func cpuTime(*testing.B) time.Duration {
	user, kernel := system.ProcessorTime()
	return user + kernel
}
