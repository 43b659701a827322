// Package external answers with any SAT solver on the PATH that reads DIMACS:
// cadical, minisat, picosat, clasp, cryptominisat5.
//
// Each query is a process of its own over a file of its own, so that gini can be
// put beside the state of the art as it is installed. A process that is cut short
// is killed with its children. No answer is taken on trust: a model is checked
// against the formula and judged by board.Verify, and an UNSAT can be certified by
// a proof that this package checks itself.
//
// The package must never know how constraints become clauses, and never link a
// solver.
package external
