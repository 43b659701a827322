// Package report turns records into tables, plots, pages and documents.
//
// It reads record sets and nothing else: it must never run a back-end ([queens/ask], [queens/backends]), read
// a clock or know about queens ([queens/board], [queens/encode]). The same records give the same bytes on
// every machine.
//
// What happens to a record set:
//
//  1. Its columns are sorted by role, and its parameters' values as the configuration lists
//     them (data.go).
//  2. The configuration says which tables and plots are wanted; where it does not, the axes
//     suggest some (auto.go).
//  3. Records with equal values in the columns that a table or plot names make a point. A
//     measure over the records of a point is a sample (sample.go), which package stats summarises
//     and compares with that of the first column.
//  4. Points make tables (table.go), lines (plot.go, line.go, drawing.go) or maps (tiles.go). Some plots come
//     with a table: break-even (breakeven.go), ratios (ratio.go), winners (winner.go) and scatter
//     plots (scatter.go).
//  5. Tables are written as Markdown, CSV and LaTeX (latex.go). Lines are drawn as SVG and PDF
//     (figure.go, curve.go, axis.go). One line answers the question (answer.go). All of
//     it is a page (html.go), with what a reader must know about the records (facts.go).
//
// The same steps make a summary for the terminal (summary.go), a comparison of two sets
// (compare.go), and documents that quote tables and judge claims (document.go, quoted.go, claim.go). Sentences are
// templates that may only look things up, and none is made from a set that misses runs or has wrong answers
// (sentence.go).
package report
