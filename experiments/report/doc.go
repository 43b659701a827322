// Package report turns records into tables, plots, pages and documents.
//
// It reads record sets and nothing else: it must never run a back-end ([queens/ask],
// [queens/backends]), read a clock or know about queens ([queens/board], [queens/encode]). The same records give the same bytes on every machine.
//
// What happens to a record set:
//
//  1. Its columns are sorted by role, and its parameters' values as the configuration lists
//     them (data.go).
//  2. The configuration says which tables and plots are wanted; where it does not, the axes
//     suggest some (auto.go).
//  3. Records with equal values in the columns that a table or plot names make a point. A
//     measure over the records of a point is a sample, with its median or mean, its interval
//     (stats.go, bootstrap.go), and what became of runs that did not end well.
//  4. Samples are compared with those of the first column: by their ratio, its interval, and a
//     test of significance (stats.go, paired.go).
//  5. Points make tables (table.go) or lines (plot.go, line.go); break-even plots and plots of
//     ratios make both (breakeven.go, ratio.go).
//  6. One line answers the question (answer.go). Tables are written as Markdown, CSV and LaTeX (latex.go), lines are drawn as SVG and PDF
//     (figure.go, axis.go, ends.go), and all of it is a page (html.go).
//
// Besides reports, a summary on the terminal (summary.go, terminal.go), a comparison of two sets (compare.go),
// several sets side by side (side.go), and documents that quote tables (document.go) are made in
// these steps.
package report
