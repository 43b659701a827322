// Package cnf holds propositional formulas in conjunctive normal form and
// reads and writes them as DIMACS.
//
// It must never know what a variable means: no boards ([queens/board]), no solvers ([queens/backends]).
//
// Variables count from 1, and a literal is a variable or its negative, exactly
// as in the DIMACS format (Johnson and Trick 1993).
package cnf
