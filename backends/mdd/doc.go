// Package mdd answers questions from a multi-valued decision diagram: one variable for each
// exactly-one constraint of a partition of the problem's variables. For queens a variable is a row
// and its value a column; for dominoes a variable is a cell and its value the domino that covers it.
//
// It is the diagram of the configuration literature (Amilhastre, Fargier and Marquis, "Consistency
// restoration and explanations in dynamic CSPs", Artificial Intelligence 135, 2002). For a board,
// package bdd decides n times n yes-no questions; this package decides n questions with n answers each.
//
//   - lines.go finds the partition.
//   - diagram.go reads the diagram off a ZDD whose order goes line by line.
//   - walk.go visits the part of the diagram that a question's assumptions leave.
//   - valid.go, count.go and solutions.go answer, each by one walk.
//   - oracle.go is the back-end.
//
// It knows the symmetries of a board, and must never know another back-end than the one whose orders it
// shares: [queens/backends/sat], [queens/backends/search] or [queens/backends/table].
package mdd
