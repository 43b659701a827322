package ask

import (
	"context"
	"testing"

	"queens/encode"
)

// Opening a plan costs only the back-end's own work. Resolve checks the choice, outside every measured
// phase.
func BenchmarkOpen(b *testing.B) {
	p, err := encode.Queens(8, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	c := Choice{Backend: "bdd", Method: "sweep-zdd", Order: "row-major", Workers: 1}
	plan, err := Resolve(p, c, Valid)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("resolve", func(b *testing.B) {
		for b.Loop() {
			if _, err := Resolve(p, c, Valid); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := Begin(ctx, plan, Resources{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
