// Package stats summarises samples of measurements and compares them: estimates with their intervals, ratios,
// tests of significance, and the number of queries after which building has paid off.
//
// It knows numbers only. It must never know records, columns or configurations
// ([queens/experiments/record], [queens/experiments/config]), nor how a number is written.
//
// A [Sample] is summarised by its median or its mean (sample.go). Two samples are compared by their [Ratio],
// whose interval is a bootstrap's (bootstrap.go), and by an exact test (test.go): Wilcoxon's signed-rank test
// where their values are paired, otherwise the Mann-Whitney U test. A [Cost] has a part that is paid once
// (cost.go).
package stats
