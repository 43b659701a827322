// Package table answers from the list of all solutions. It is the baseline for everything else that is computed before
// the questions come: a diagram pays only where it beats a list.
//
// The table keeps the list twice, as the bits of a matrix and of its transpose. By column, a bit for each solution says
// whether a variable is true in it. The solutions under some assumptions are the AND of their columns, and summaries of
// the columns tell where to look. By row, there is a bit for each variable: the possible variables are the OR of those
// solutions' rows, and the forced ones the AND. A list takes two bits for each solution and variable.
//
// For queens it lists the solutions row by row; for other problems it must never know the back-end that finds
// them: [queens/backends/search], [queens/backends/sat] or [queens/backends/bdd]. It refuses problems with
// too many of them.
package table
