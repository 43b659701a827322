// Package table answers from the list of all solutions. It is the baseline for whatever
// else is computed ahead of the questions: a diagram pays only where it beats a list.
//
// The list is kept twice, as the bits of a matrix and of its transpose. By column, a bit
// for each solution says whether a variable is true in it: the solutions under some
// assumptions are the AND of their columns, and summaries of the columns tell where to look. By row, a bit for each variable: what is
// possible is the OR of those solutions' rows, and what is forced the AND. A list takes
// two bits for each solution and variable.
//
// For queens it lists the solutions row by row; for other problems it must never know the back-end that finds
// them: [queens/backends/search], [queens/backends/sat] or [queens/backends/bdd]. It refuses problems with
// too many of them.
package table
