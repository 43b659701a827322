package cnf

import (
	"iter"
	"slices"
)

// Var is a propositional variable, from 1.
type Var int32

// Lit is a literal in DIMACS form: v for the variable v, -v for its negation.
// Zero is not a literal.
type Lit int32

// Pos returns the literal that is true when v is.
func (v Var) Pos() Lit { return Lit(v) }

// Neg returns the literal that is true when v is false.
func (v Var) Neg() Lit { return -Lit(v) }

// Var returns the literal's variable.
func (l Lit) Var() Var {
	if l < 0 {
		return Var(-l)
	}
	return Var(l)
}

// Positive reports whether the literal is the variable itself, not its
// negation.
func (l Lit) Positive() bool { return l > 0 }

// Not returns the opposite literal.
func (l Lit) Not() Lit { return -l }

// Formula is a conjunction of clauses over the variables 1..Vars. The zero
// value is the formula without variables or clauses, which is true.
type Formula struct {
	Vars int

	// lits holds the clauses one after the other, each ended by 0, as DIMACS
	// does: 4 bytes per literal and no slice header per clause.
	lits    []Lit
	clauses int
}

// NewVar adds a variable and returns it.
func (f *Formula) NewVar() Var {
	f.Vars++
	return Var(f.Vars)
}

// Add appends one clause; Vars grows to cover its literals. The empty clause is
// false.
func (f *Formula) Add(clause ...Lit) {
	for _, l := range clause {
		if l == 0 {
			panic("cnf: literal 0 in a clause")
		}
		f.Vars = max(f.Vars, int(l.Var()))
	}
	f.lits = append(append(f.lits, clause...), 0)
	f.clauses++
}

// Grow makes room for this many more clauses of two literals, or fewer longer
// ones. Without it a formula of a million clauses is copied many times as it
// grows.
func (f *Formula) Grow(clauses int) { f.lits = slices.Grow(f.lits, 3*clauses) }

// NumClauses returns the number of clauses.
func (f *Formula) NumClauses() int { return f.clauses }

// Clauses iterates over the clauses in the order they were added. A clause may
// be read until the next step and must not be written to.
func (f *Formula) Clauses() iter.Seq[[]Lit] {
	return func(yield func([]Lit) bool) {
		start := 0
		for i, l := range f.lits {
			if l == 0 {
				if !yield(f.lits[start:i:i]) {
					return
				}
				start = i + 1
			}
		}
	}
}

// Flat returns all clauses as one sequence, each ended by 0. The caller must
// not write to it.
func (f *Formula) Flat() []Lit { return f.lits }

// Eval reports whether the assignment satisfies every clause; value[v-1] is the
// value of variable v, for all Vars variables.
func (f *Formula) Eval(value []bool) bool {
	for clause := range f.Clauses() {
		satisfied := false
		for _, l := range clause {
			if value[l.Var()-1] == l.Positive() {
				satisfied = true
				break
			}
		}
		if !satisfied {
			return false
		}
	}
	return true
}
