// Package table answers from the list of all solutions. It is the baseline for other back-ends that compute
// in advance: a diagram pays only where it beats a list.
//
// The table keeps the list twice, as a bit matrix and as its transpose. A variable's column has a bit for
// each solution, set if the variable is true in it. The solutions under some assumptions are the AND of the
// assumptions' columns, and summaries of the columns show which words to examine. A solution's row has a bit
// for each variable: the possible variables are the OR of the rows of those solutions, and the forced ones
// the AND. A list takes two bits for each solution and variable.
//
// For queens it lists the solutions row by row; for other problems it must never know the back-end that finds
// them: [queens/backends/search], [queens/backends/sat] or [queens/backends/bdd]. It refuses problems with
// too many solutions.
package table
