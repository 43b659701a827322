package localsearch

import "math"

// The 99th percentile of the steps that min-conflicts takes from random rows is
// fitBase + fitSlope*n: a least-squares line through the rows of steps.csv from n =
// 50 on, with relative residuals. limit_test.go repeats the fit, and makes steps.csv.
//
// Below n = 50 no limit can be fitted: about one try in ten gets into a corner that
// it never leaves, and the others take about as many steps as at n = 50.
const (
	fitBase  = 196.8
	fitSlope = 0.6179
)

// FittedLimit returns the default limit of a try in steps: twice the number that
// suffices for 99 tries in 100. Other methods and set-ups take fewer steps.
func FittedLimit(n int) int64 { return int64(math.Ceil(2 * (fitBase + fitSlope*float64(n)))) }
