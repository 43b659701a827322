package recall

import (
	"math/bits"

	"queens/encode/cnf"
)

// witnesses are solutions of a problem, 64 to a block. A block has one word for each variable, with one bit for
// each of its solutions. So the solutions that satisfy a question's assumptions are the AND of one word for each
// assumption, and one more AND tells whether some of them have a literal.
type witnesses struct {
	vars   int
	blocks []block
	most   int     // blocks
	last   []int32 // by literal's index: the block that showed it last, and will mostly do so again
	clock  uint64  // counts questions
	values []bool  // by variable-1: the solution kept last

	waits   bool      // that solution is in no block yet
	changes []cnf.Lit // its literals that differ from the last one in a block
	changed []bool    // by variable-1: it is in changes
}

// block holds up to 64 solutions.
type block struct {
	words []uint64 // by variable-1: the solutions in which it is true; bits beyond size repeat the last one
	size  int
	with  uint64 // the solutions that satisfy the present question
	used  uint64 // the last question that a solution of the block satisfied
}

// mostWitnessBytes bounds the blocks, to 25,000 solutions of a model with 20,000 variables. mostBlocks bounds the time
// for a literal that no solution shows.
const (
	mostWitnessBytes = 64 << 20
	mostBlocks       = 1024
)

func newWitnesses(vars int) witnesses {
	most := max(1, min(mostBlocks, mostWitnessBytes/(8*max(1, vars))))
	return witnesses{vars: vars, most: most, last: make([]int32, 2*vars), values: make([]bool, vars),
		changed: make([]bool, vars)}
}

func (w *witnesses) bytes() int64 {
	return int64(len(w.blocks))*int64(8*w.vars+64) + int64(4*cap(w.last))
}

// ask turns to a question.
func (w *witnesses) ask(assume []cnf.Lit) {
	w.flush()
	w.clock++
	for i := range w.blocks {
		b := &w.blocks[i]
		b.with = b.satisfying(assume)
		if b.with != 0 {
			b.used = w.clock
		}
	}
}

// satisfying returns the solutions of the block that satisfy the assumptions.
func (b *block) satisfying(assume []cnf.Lit) uint64 {
	with := b.all()
	for _, l := range assume {
		if with == 0 {
			break
		}
		with &= b.of(l)
	}
	return with
}

// all returns the solutions of the block.
func (b *block) all() uint64 { return ^uint64(0) >> (64 - b.size) }

// of returns the solutions of the block in which a literal is true, and bits beyond all.
func (b *block) of(l cnf.Lit) uint64 {
	negative := l >> 31
	return b.words[(l^negative)-negative-1] ^ uint64(int64(negative))
}

// any reports whether a solution satisfies the question.
func (w *witnesses) any() bool {
	for i := range w.blocks {
		if w.blocks[i].with != 0 {
			return true
		}
	}
	return false
}

// shows reports whether a solution that satisfies the question has the literal, among those of the block that
// showed it last.
func (w *witnesses) shows(l cnf.Lit) bool {
	if len(w.blocks) == 0 {
		return false
	}
	b := &w.blocks[w.last[l.Index()]]
	return b.with&b.of(l) != 0
}

// show reports whether a solution that satisfies the question has the literal, among all.
func (w *witnesses) show(l cnf.Lit) bool {
	last := &w.last[l.Index()]
	for i := range w.blocks {
		if b := &w.blocks[i]; b.with&b.of(l) != 0 {
			*last = int32(i)
			return true
		}
	}
	return false
}

// add keeps the solution that differs from the one kept last in the variables flipped. A full memory overwrites the
// block that no question has used for longest.
func (w *witnesses) add(flipped []cnf.Lit) {
	w.follow(flipped)
	w.flush()
}

// follow is add for one of many solutions. The solution waits: as long as later ones only change further variables, each
// of its literals is also in the next solution or in the last one in a block, so it need not be kept. It gets into
// a block when a later one takes a change back, or by flush.
func (w *witnesses) follow(flipped []cnf.Lit) {
	for _, l := range flipped {
		if w.changed[l.Var()-1] && w.values[l.Var()-1] != l.Positive() {
			w.flush()
			break
		}
	}
	for _, l := range flipped {
		if v := l.Var() - 1; w.values[v] != l.Positive() {
			w.values[v], w.changed[v] = l.Positive(), true
			w.changes = append(w.changes, l)
		}
	}
	w.waits = true
}

// flush puts the solution kept last into a block.
//
// A solution that is found by changing another one costs one operation for each change: a variable's word is filled
// with its value from this solution on, and a change fills the rest with the other value.
func (w *witnesses) flush() {
	if !w.waits {
		return
	}
	w.waits = false
	at := len(w.blocks) - 1
	if at < 0 || w.blocks[at].size == 64 {
		at = w.begin()
	}
	b := &w.blocks[at]
	from := ^uint64(0) << b.size
	for _, l := range w.changes {
		v := l.Var() - 1
		w.changed[v] = false
		if b.words[v]&from != 0 != l.Positive() {
			b.words[v] ^= from
		}
		w.last[l.Index()] = int32(at)
	}
	w.changes = w.changes[:0]
	b.with |= 1 << b.size
	b.size++
	b.used = w.clock
}

// begin begins a block and returns its number.
func (w *witnesses) begin() int {
	at := len(w.blocks)
	if at < w.most {
		w.blocks = append(w.blocks, block{words: make([]uint64, w.vars)})
	} else {
		at--
		oldest := 0
		for i := range w.blocks {
			if w.blocks[i].used < w.blocks[oldest].used {
				oldest = i
			}
		}
		w.blocks[oldest], w.blocks[at] = w.blocks[at], block{words: w.blocks[oldest].words}
	}
	words := w.blocks[at].words
	for v, is := range w.values {
		word := uint64(0)
		if is {
			word = 1
		}
		words[v] = -word // without a jump
	}
	return at
}

// latest writes the values of a solution that satisfies the question, one of the block that was made last.
func (w *witnesses) latest(values []bool) {
	w.flush()
	for i := len(w.blocks) - 1; i >= 0; i-- {
		if b := &w.blocks[i]; b.with != 0 {
			bit := bits.Len64(b.with) - 1
			for v, word := range b.words {
				values[v] = word>>bit&1 == 1
			}
			return
		}
	}
}

// find returns a solution that satisfies assumptions.
func (w *witnesses) find(assume []cnf.Lit) (model []cnf.Lit, found bool) {
	for i := len(w.blocks) - 1; i >= 0; i-- {
		b := &w.blocks[i]
		with := b.satisfying(assume)
		if with == 0 {
			continue
		}
		model = cnf.Model(w.vars)
		for v, word := range b.words {
			if word&(with&-with) != 0 {
				model[v] = cnf.Var(v + 1).Pos()
			}
		}
		return model, true
	}
	return nil, false
}
