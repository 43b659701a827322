// Package external puts any SAT solver under the methods of package sat: programs that
// are started once and speak a line protocol, so that they keep what they learn, and
// programs that read DIMACS, one process for each query. docs/bring-your-own.md has the
// protocol.
//
// A program is killed with all that it started when a query is cut short. No answer is
// taken on trust: a model is checked against the clauses and a core against the
// assumptions, and an UNSAT can be certified by a proof that this package checks
// itself. A program that crashes, hangs or answers nonsense is an error that has its
// last line of standard error.
//
// The package must never know how constraints become clauses, and never link a solver.
package external
