package stats

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Chance returns the two-sided P that the sample differs from a base only by chance, and the smallest P possible for
// samples of these sizes. It uses Wilcoxon's signed-rank test if enough values are paired, and otherwise the
// Mann-Whitney U test.
func (s Sample) Chance(base Sample) (p, least float64) {
	x, y := float64(len(base.Raw)), float64(len(s.Raw))
	if partner, paired := s.partners(base); paired && !s.Few() {
		others := make([]float64, len(s.Raw))
		for i, j := range partner {
			others[i] = base.Raw[j]
		}
		return SignedRank(s.Raw, others), math.Exp2(1 - x)
	}
	t := benchmath.DefaultThresholds
	p = benchmath.AssumeNothing.Compare(benchmath.NewSample(base.Sorted, &t), benchmath.NewSample(s.Sorted, &t)).P
	if math.IsNaN(p) {
		p = 1
	}
	// The smallest P is that of samples that do not overlap: 2 out of all ways to divide them.
	return p, 2 * math.Exp(-combin.LogGeneralizedBinomial(x+y, x))
}

// SignedRank returns the two-sided P of Wilcoxon's signed-rank test, that paired values differ only by chance
// (Biometrics Bulletin 1, 1945). It ranks the ratios of positive values, or else the differences, and ignores equal pairs.
// It is exact for up to a hundred pairs, even with ties, and uses the normal approximation beyond.
func SignedRank(a, b []float64) float64 {
	var differences []float64
	for i := range a {
		d := a[i] - b[i]
		if a[i] > 0 && b[i] > 0 {
			d = math.Log(a[i] / b[i])
		}
		if d != 0 {
			differences = append(differences, d)
		}
	}
	slices.SortFunc(differences, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
	// Twice the ranks, since ties share the mean of theirs.
	ranks, total, positive, squares := make([]int, len(differences)), 0, 0, 0.0
	for i := 0; i < len(differences); {
		start, end := i, i
		for end < len(differences) && math.Abs(differences[end]) == math.Abs(differences[i]) {
			end++
		}
		for ; i < end; i++ {
			ranks[i] = start + 1 + end
			total += ranks[i]
			squares += float64(ranks[i] * ranks[i])
			if differences[i] > 0 {
				positive += ranks[i]
			}
		}
	}
	if total == 0 {
		return 1
	}
	if len(ranks) > 100 {
		z := (math.Abs(float64(positive)-float64(total)/2) - 1) / math.Sqrt(squares/4)
		return 2 * distuv.UnitNormal.Survival(max(0, z))
	}
	chance := make([]float64, total+1) // probability of each sum of the ranks with a positive sign
	chance[0] = 1
	for _, r := range ranks {
		for sum := total; sum >= 0; sum-- {
			chance[sum] /= 2
			if sum >= r {
				chance[sum] += chance[sum-r] / 2
			}
		}
	}
	below, above := 0.0, 0.0
	for sum, p := range chance {
		if sum <= positive {
			below += p
		}
		if sum >= positive {
			above += p
		}
	}
	return min(1, 2*min(below, above))
}
