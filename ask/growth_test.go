package ask

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/internal/system"
)

// BenchmarkGrowth fits how CPU time grows with the size n of problems that have much of one thing: exponent is e in
// c*n^e, by least squares on the logarithms of five sizes from 2,000 to 32,000, and ms is the time at the largest. An
// exponent of 1 means that time is in proportion to the size. A question ends with the first size that takes 5 s; the
// exponent is then of the sizes before, and n the largest of them.
//
//	make growth
func BenchmarkGrowth(b *testing.B) {
	ctx := context.Background()
	one := func(want Want, by BackendName) func(encode.Problem) error {
		return func(p encode.Problem) error {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_, err := Once(ctx, p, Choice{Backend: by}, Question{Want: want}, Resources{Bytes: 1 << 30})
			return err
		}
	}
	type question struct {
		name   string
		answer func(encode.Problem) error
	}
	order := question{"order", func(p encode.Problem) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_, _, err := OrderName("").For(ctx, p, nil)
		return err
	}}
	questions := []question{
		{"compile", func(p encode.Problem) error {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_, err := Compile(ctx, p, Choice{Backend: Diagram}, Resources{Bytes: 1 << 30})
			return err
		}},
		{"count", one(Count, "")},
		{"count by search", one(Count, Search)},
		{"encode", func(p encode.Problem) error {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			order, _, err := OrderName("").For(ctx, p, nil)
			return errors.Join(err, p.WriteDIMACS(io.Discard, amo.Sequential, order))
		}},
		{"valid", one(Valid, "")},
		{"valid by search", one(Valid, Search)},
	}
	shaped := func(name string) func(int) encode.Problem {
		return func(n int) encode.Problem { return encodetest.Make(name, n, 1, true) }
	}
	for _, shape := range []struct {
		name      string
		make      func(n int) encode.Problem
		questions []question
	}{
		{"units", units, questions}, {"hub", hub, questions}, {"exactly-one", exactlyOne, questions},
		{"long-clause", longClause, questions}, {"random", random, []question{order}}, {"grid", shaped("grid"), []question{order}},
		{"tree", shaped("features"), []question{order}}, {"band", shaped("local"), []question{order}},
	} {
		for _, q := range shape.questions {
			b.Run(shape.name+"/"+q.name, func(b *testing.B) {
				for b.Loop() {
					var sizes, times []float64
					for n := 2000; n <= 32_000; n *= 2 {
						took, ok := medianTime(shape.make(n), q.answer)
						if !ok {
							break
						}
						sizes, times = append(sizes, float64(n)), append(times, took.Seconds())
					}
					if len(sizes) < 2 {
						b.Skip("no answer in time at two sizes")
					}
					b.ReportMetric(exponent(sizes, times), "exponent")
					b.ReportMetric(1000*times[len(times)-1], "ms")
					b.ReportMetric(sizes[len(sizes)-1], "n")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// medianTime returns the median CPU time of three answers; false if one fails or is ended.
func medianTime(p encode.Problem, answer func(encode.Problem) error) (time.Duration, bool) {
	var times []time.Duration
	for range 3 {
		before, kernel := system.ProcessorTime()
		err := answer(p)
		after, ended := system.ProcessorTime()
		if err != nil {
			return 0, false
		}
		times = append(times, after-before+ended-kernel)
	}
	slices.SortFunc(times, cmp.Compare[time.Duration])
	return times[1], true
}

// exponent returns the slope of the logarithm of y over that of x.
func exponent(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	n := float64(len(x))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

func TestExponent(t *testing.T) {
	x, square := []float64{1, 2, 4, 8, 16}, []float64{3, 12, 48, 192, 768}
	if got := exponent(x, square); math.Abs(got-2) > 1e-9 {
		t.Errorf("exponent of 3*n^2 is %v", got)
	}
}

// units makes n unit clauses, and n clauses that they satisfy.
func units(n int) encode.Problem {
	p := encode.Problem{Family: "units", Names: make(encode.List, 2*n)}
	for i := 1; i <= n; i++ {
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", cnf.Lit(i)), encode.AtLeastOne("", cnf.Lit(i), cnf.Lit(n+i)))
	}
	return p
}

// hub makes one variable that n others need.
func hub(n int) encode.Problem {
	p := encode.Problem{Family: "hub", Names: make(encode.List, n+1)}
	for i := 2; i <= n+1; i++ {
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", 1, cnf.Lit(-i)))
	}
	return p
}

// exactlyOne makes an exactly-one constraint of n literals.
func exactlyOne(n int) encode.Problem {
	p := encode.Problem{Family: "exactly-one", Names: make(encode.List, n)}
	p.Constraints = []encode.Constraint{encode.ExactlyOne("", literalsTo(n)...)}
	return p
}

// longClause makes a clause of n literals, each of which needs one more variable.
func longClause(n int) encode.Problem {
	p := encode.Problem{Family: "long-clause", Names: make(encode.List, 2*n)}
	p.Constraints = []encode.Constraint{encode.AtLeastOne("", literalsTo(n)...)}
	for i := 1; i <= n; i++ {
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", cnf.Lit(-i), cnf.Lit(n+i)))
	}
	return p
}

// random makes 3-CNF of 2n clauses: many variables of many neighbours.
func random(n int) encode.Problem {
	p, rng := encode.Problem{Family: "random", Names: make(encode.List, n)}, rand.New(rand.NewPCG(1, uint64(n)))
	for range 2 * n {
		lits := map[cnf.Var]cnf.Lit{}
		for len(lits) < 3 {
			v := cnf.Var(1 + rng.IntN(n))
			lits[v] = v.Pos() * cnf.Lit(1-2*rng.IntN(2))
		}
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", slices.Sorted(maps.Values(lits))...))
	}
	return p
}

func literalsTo(n int) (lits []cnf.Lit) {
	for i := 1; i <= n; i++ {
		lits = append(lits, cnf.Lit(i))
	}
	return lits
}
