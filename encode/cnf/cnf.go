package cnf

import "iter"

// Var is a propositional variable, from 1.
type Var int32

// Lit is a literal in DIMACS form: v for the variable v, -v for its negation.
// Zero is not a literal.
type Lit int32

// Pos returns the literal that is true when v is.
func (v Var) Pos() Lit { return Lit(v) }

// Neg returns the literal that is true when v is false.
func (v Var) Neg() Lit { return -Lit(v) }

// Lit returns the literal that is true when v has a value.
func (v Var) Lit(value bool) Lit {
	if value {
		return v.Pos()
	}
	return v.Neg()
}

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

// Negated returns the opposite literals.
func Negated(lits []Lit) []Lit {
	not := make([]Lit, len(lits))
	for i, l := range lits {
		not[i] = l.Not()
	}
	return not
}

// Index numbers the literals from 0: twice the variable, counted from 0, plus one if the literal is negative.
func (l Lit) Index() int {
	if l < 0 {
		return -2*int(l) - 1
	}
	return 2*int(l) - 2
}

// Model returns a model of n variables in which only the given ones are true.
func Model(n int, vars ...Var) []Lit {
	model := make([]Lit, n)
	for i := range model {
		model[i] = Var(i + 1).Neg()
	}
	for _, v := range vars {
		model[v-1] = v.Pos()
	}
	return model
}

// Formula is a conjunction of clauses over the variables 1..Vars. The zero
// value is the formula without variables or clauses, which is true.
type Formula struct {
	Vars int

	// blocks hold the clauses one after the other, each ended by 0, as DIMACS does: 4 bytes per literal
	// and no slice header per clause. A clause lies in one block. A formula grows by adding blocks, since
	// a single slice would be copied to grow and would leave room unused.
	blocks  [][]Lit
	length  int // of all blocks
	clauses int

	names map[Var]string // nil unless KeepNames was called

	stream bool               // the blocks stay empty
	most   int                // length at which the formula becomes a stream; 0 for never
	pass   func(clause []Lit) // of a stream: takes the clauses; nil if they are only counted
	passed []Lit              // the clause that pass takes; a copy, so that callers of Add need not allocate theirs
}

// Stream returns a formula that keeps no clause: it counts those that are added, and calls pass with each if that
// is not nil. The clause is valid until pass returns. A formula of any size can be counted or written so, in constant
// memory.
func Stream(pass func(clause []Lit)) *Formula { return &Formula{stream: true, pass: pass} }

// Keep returns a formula that keeps its clauses as long as they have at most this many literals, plus one for each
// clause. Beyond that it drops them all, and only counts.
func Keep(most int) *Formula { return &Formula{most: most} }

// Dropped reports whether the formula has dropped its clauses, or never kept any.
func (f *Formula) Dropped() bool { return f.stream }

// NewVar adds a variable and returns it.
func (f *Formula) NewVar() Var {
	f.Vars++
	return Var(f.Vars)
}

// KeepNames makes the formula keep the names of the variables that are added from now on.
func (f *Formula) KeepNames() { f.names = map[Var]string{} }

// NewNamed is like NewVar, for a variable whose name says what it stands for. It asks for the name only if
// names are kept, and named is set.
func (f *Formula) NewNamed(named bool, name func() string) Var {
	v := f.NewVar()
	if named && f.names != nil {
		f.names[v] = name()
	}
	return v
}

// Rename renames the variables that add adds, if names are kept.
func (f *Formula) Rename(name func(string) string, add func()) {
	first := Var(f.Vars + 1)
	add()
	if f.names == nil {
		return
	}
	for v := first; int(v) <= f.Vars; v++ {
		if old, named := f.names[v]; named {
			f.names[v] = name(old)
		}
	}
}

// Name returns the name of a variable that was added by NewNamed, if names are kept.
func (f *Formula) Name(v Var) (name string, kept bool) {
	name, kept = f.names[v]
	return name, kept
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
	f.length += len(clause) + 1
	f.clauses++
	if f.most > 0 && f.length > f.most {
		f.stream, f.blocks = true, nil
	}
	if f.stream {
		if f.pass != nil {
			f.passed = append(f.passed[:0], clause...)
			f.pass(f.passed)
		}
		return
	}
	last := len(f.blocks) - 1
	if need := len(clause) + 1; last < 0 || len(f.blocks[last])+need > cap(f.blocks[last]) {
		f.blocks = append(f.blocks, make([]Lit, 0, max(need, min(f.length-need, largestBlock))))
		last++
	}
	f.blocks[last] = append(append(f.blocks[last], clause...), 0)
}

// largestBlock is the largest capacity reserved for a block, in literals: one megabyte. Below it, each
// new block doubles the formula's capacity.
const largestBlock = 1 << 18

// NumClauses returns the number of clauses.
func (f *Formula) NumClauses() int { return f.clauses }

// Clauses iterates over the clauses in the order they were added; there are none if they were dropped. They are the
// formula's own: only its owner may write to them.
func (f *Formula) Clauses() iter.Seq[[]Lit] {
	return func(yield func([]Lit) bool) {
		for _, block := range f.blocks {
			start := 0
			for i, l := range block {
				if l == 0 {
					if !yield(block[start:i:i]) {
						return
					}
					start = i + 1
				}
			}
		}
	}
}

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
