package stats

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// noise returns how much a comparison with a base varies: the standard deviation of the logarithms of paired values'
// ratios, or of each sample's values. ok is false if that is not known, as with values that are not positive.
func (s Sample) noise(base Sample) (paired bool, own, others float64, ok bool) {
	partner, paired := s.partners(base)
	var a, b []float64
	for i, v := range s.Raw {
		if paired {
			v /= base.Raw[partner[i]]
		}
		a = append(a, math.Log(v))
	}
	own = stat.StdDev(a, nil)
	if !paired {
		for _, v := range base.Raw {
			b = append(b, math.Log(v))
		}
		others = stat.StdDev(b, nil)
	}
	valid := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	return paired, own, others, valid(own) && valid(others)
}

// trials is the number of experiments that are made up to find a power, and wanted that power.
const trials, wanted = 200, 0.8

// Detectable returns the ratio that the test of a comparison finds in four of five trials, if samples have the sizes
// and the noise of these and logarithms are normally distributed; NaN if that is not known. For small samples it is
// found by trying; for large ones, both tests need 3/pi more values than one of means (Hodges and Lehmann 1956).
func (s Sample) Detectable(base Sample) float64 {
	paired, own, others, ok := s.noise(base)
	if !ok || s.Few() || base.Few() {
		return math.NaN()
	}
	n, m := float64(len(s.Raw)), float64(len(base.Raw))
	if min(n, m) > 20 {
		deviation := math.Sqrt((own*own/n + others*others/m) * math.Pi / 3)
		return math.Exp(deviation * (distuv.UnitNormal.Quantile(1-Significant/2) + distuv.UnitNormal.Quantile(wanted)))
	}
	power := func(shift float64) float64 {
		random := rand.New(rand.NewPCG(s.Seed, 0)) // the same noise for each shift
		found := 0
		for range trials {
			a, b := make([]float64, len(s.Raw)), make([]float64, len(base.Raw))
			for i := range b {
				b[i] = math.Exp(others * random.NormFloat64())
			}
			for i := range a {
				a[i] = math.Exp(shift + own*random.NormFloat64())
			}
			x, y := New(a, nil, 0), New(b, nil, 0)
			if paired {
				x.Units, y.Units = base.Units, base.Units
			}
			if p, _ := x.Chance(y); p < Significant {
				found++
			}
		}
		return float64(found) / trials
	}
	low, high := 0.0, 8*math.Hypot(own, others)
	for range 8 {
		if middle := (low + high) / 2; power(middle) < wanted {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp(high)
}
