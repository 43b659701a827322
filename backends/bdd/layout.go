package bdd

import (
	"math/bits"
)

// bitset is a set of variables that represents a state. Lanes lie side by side in a word, and no lane
// spans two words. Words come in blocks of four, which the processor handles in parallel.
type bitset interface {
	[1]block | [2]block | [4]block | [16]block
	comparable
}

type block [4]uint64

// layout is the arithmetic on states. A state is the set of free variables: those
// that can still be true.
type layout[S bitset] struct {
	perWord int    // lanes
	lane    uint64 // the first lane of a word
	lanes
	halves  []half
	columns uint64 // the marks of the crossing constraints
	// needs is the sum of the marks of all lanes. The mark of a lane is its first bit. The sum
	// distinguishes a set of lanes from every proper subset, since there are fewer words than a lane's
	// bits can count: a lane that has become empty makes the sum smaller.
	needs   uint64
	settled uint64     // the value of needs when nothing is left to decide
	start   S          // all variables, and the guards
	vars    []variable // by level
	spared  []S        // by word*64+bit: the variables that a true variable there leaves free, and itself
	left    []S        // by level: the variables that a true variable leaves free, without itself
	placed  []int      // see plan
	blocked []int      // see plan
	exclude [][]int    // by level: its variable's constraints, as indexes in members
	members [][]int    // by constraint: the levels of its variables
}

// lanes describes the lanes of a word.
type lanes struct {
	lefts  uint64 // the first bit of each
	rights uint64 // the last bit of each
	body   uint64 // all but the last bit of each
	width  uint64 // from the first bit to the last
}

// half maps the upper half of a word's lanes onto the lower half.
type half struct {
	shift uint64
	keep  uint64 // the lower half
}

// variable is where a variable lies in a state.
type variable struct {
	spot
	copies []spot // its positions in further lanes
	marks  uint64 // of its lanes, summed
	column uint64 // the mark of its crossing constraint: its bit in the first lane of a word
	past   int    // the level of the first variable below that it does not exclude
	run    uint64 // its bit, and the bits of the next levels as long as they follow it in the word
	next   int    // the first level that does not follow
}

// spot is a position in a state.
type spot struct {
	word, bit uint8
	first     uint8 // bit of the lane's first position
}

func (at *spot) index() int { return int(at.word)<<6 | int(at.bit) }

func has[S bitset](set *S, at *spot) bool { return (*set)[at.word/4][at.word%4]>>at.bit&1 != 0 }

func add[S bitset](set *S, at *spot) { (*set)[at.word/4][at.word%4] |= 1 << at.bit }

func remove[S bitset](set *S, at *spot) { (*set)[at.word/4][at.word%4] &^= 1 << (at.bit & 63) }

func newLayout[S bitset](pl *plan) *layout[S] {
	var none S
	words := 4 * len(none)
	c := &layout[S]{
		perWord: max(1, (len(pl.lanes)+words-1)/words), lane: ^uint64(0) >> (64 - pl.width),
		columns: 1<<pl.across - 1, vars: make([]variable, pl.levels),
		placed: pl.placed, blocked: pl.blocked, members: pl.excludes,
	}
	for i := range c.perWord {
		c.lefts |= 1 << (i * pl.width)
	}
	c.width = uint64(pl.width - 1)
	c.rights = c.lefts << c.width
	c.body = c.rights - c.lefts
	for lanes := c.perWord; lanes > 1 && pl.crossed != nil; {
		lanes = (lanes + 1) / 2
		c.halves = append(c.halves, half{uint64(lanes * pl.width), ^uint64(0) >> (64 - lanes*pl.width)})
	}
	c.place(pl)
	c.exclusions()
	for level := pl.levels - 2; level >= 0; level-- {
		at, next := &c.vars[level], &c.vars[level+1]
		if at.word == next.word && at.bit+1 == next.bit {
			at.run |= next.run
			at.next = next.next
		}
	}
	return c
}

// place gives the variables their positions.
func (c *layout[S]) place(pl *plan) {
	seen := make([]bool, pl.levels)
	for lane, levels := range pl.lanes {
		word, first := lane/c.perWord, lane%c.perWord*pl.width
		mark := uint64(1) << first
		for i, level := range levels {
			v := &c.vars[level]
			at := spot{uint8(word), uint8(first + pl.position(level, i)), uint8(first)}
			add(&c.start, &at)
			if seen[level] {
				v.copies = append(v.copies, at)
			} else {
				seen[level] = true
				*v = variable{spot: at, run: 1 << at.bit, next: level + 1}
			}
			if lane < pl.owned {
				v.marks += mark
			}
			if pl.crossed != nil {
				v.column = 1 << pl.crossed[level]
			}
		}
		c.needs += mark
		if lane >= pl.owned {
			for i := range guards {
				add(&c.start, &spot{uint8(word), uint8(first + pl.width - 1 - i), uint8(first)})
			}
			c.settled = ^uint64(0) // only the empty set is settled
		}
	}
}

// exclusions computes what each variable excludes.
func (c *layout[S]) exclusions() {
	var all S
	for i := range len(all) {
		all[i] = block{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	c.exclude = make([][]int, len(c.vars))
	for i, levels := range c.members {
		for _, level := range levels {
			c.exclude[level] = append(c.exclude[level], i)
		}
	}
	c.spared = make([]S, 256*len(all))
	c.left = make([]S, len(c.vars))
	for level := range c.vars {
		at, left := &c.vars[level], all
		clear := func(v *variable) {
			remove(&left, &v.spot)
			for i := range v.copies {
				remove(&left, &v.copies[i])
			}
		}
		for _, i := range c.exclude[level] {
			for _, other := range c.members[i] {
				clear(&c.vars[other])
			}
		}
		clear(at)
		c.left[level] = left
		add(&left, &at.spot)
		for i := range at.copies {
			add(&left, &at.copies[i])
		}
		c.spared[at.index()] = left
		for i := range at.copies {
			c.spared[at.copies[i].index()] = left
		}
		at.past = level + 1
		for at.past < len(c.vars) && !has(&left, &c.vars[at.past].spot) {
			at.past++
		}
	}
}

func (c *layout[S]) setBytes() int64 {
	var zero S
	return int64(len(zero)) * 32
}

// initial returns the free variables of the problem; alive is false if it plainly has no solution. A
// variable that is fixed to true stays free, as the only one of its constraints: a forced move.
func (c *layout[S]) initial() (set S, alive bool) {
	set = c.start
	for _, level := range c.blocked {
		at := &c.vars[level]
		remove(&set, &at.spot)
		for i := range at.copies {
			remove(&set, &at.copies[i])
		}
	}
	for _, level := range c.placed {
		keep(&set, &c.spared[c.vars[level].index()])
	}
	for _, level := range c.placed {
		if !has(&set, &c.vars[level].spot) {
			return set, false // blocked, or excluded by another
		}
	}
	var none S
	return set, c.shrink(&set, &none, c.needs, c.columns)
}

// branching enumerates the choices of a state: its first free variable is true; or that one is false and
// the next one true; and so on, as long as they all lie in one constraint with the first. The true
// variable excludes all variables passed over, so what passing over them forces need not be propagated
// after each step.
type branching[S bitset] struct {
	rest    S      // the state without the variables passed over
	alone   S      // variables alone in a constraint: true, and already propagated
	needs   uint64 // of the state: the sum of its lanes' marks
	columns uint64 // and of its crossing constraints
	level   int    // of the variable to choose or pass over
	common  uint8  // the constraints of the first variable that contain all variables passed over, see chain
	forces  bool   // passing over has left some constraint with a single free variable
}

// chain says for each level which of one variable's constraints contain that level's variable: one bit
// for each of the first eight constraints.
type chain []uint8

// chainFrom makes the chain of the variable on a level, in the memory of the previous
// chain.
func (c *layout[S]) chainFrom(level int, with chain) chain {
	clear(with)
	for i, constraint := range c.exclude[level] {
		if i == 8 {
			break
		}
		for _, other := range c.members[constraint] {
			with[other] |= 1 << i
		}
	}
	return with
}

type verdict uint8

const (
	dead   verdict = iota // plainly no solution
	open                  // something is left to decide
	solved                // nothing is left: a solution
	more                  // branching continues with the next variable
)

// branch starts branching on a state whose first free variable is on the given level.
func (c *layout[S]) branch(b *branching[S], state *S, level int) {
	b.rest, b.level = *state, level
	b.common, b.forces = ^uint8(0), false
	b.needs, b.columns = c.count(state, &b.alone)
}

// choose makes the current variable true, and stores the resulting state in set.
func (c *layout[S]) choose(b *branching[S], set *S) verdict {
	at := &c.vars[b.level]
	needs, columns := b.needs-at.marks, b.columns&^at.column
	if needs == c.settled && columns == 0 {
		return solved
	}
	left := &c.left[b.level]
	for i := range len(*set) {
		to, from, left := &(*set)[i], &b.rest[i], &(*left)[i]
		to[0], to[1], to[2], to[3] = from[0]&left[0], from[1]&left[1], from[2]&left[2], from[3]&left[3]
	}
	if c.shrink(set, &b.alone, needs, columns) {
		return open
	}
	return dead
}

// pass passes over the current variable. If it returns open, b.rest is a state of its own; if it returns
// solved, no free variable is left.
func (c *layout[S]) pass(b *branching[S], with chain) verdict {
	at := &c.vars[b.level]
	remove(&b.rest, &at.spot)
	lane := b.rest[at.word/4][at.word%4] >> (at.first & 63) & c.lane
	if lane == 0 {
		return dead
	}
	forces := lane&(lane-1) == 0
	for i := range at.copies {
		at := &at.copies[i]
		remove(&b.rest, at)
		lane := b.rest[at.word/4][at.word%4] >> (at.first & 63) & c.lane
		if lane == 0 {
			return dead
		}
		forces = forces || lane&(lane-1) == 0
	}
	if at.column != 0 {
		// Collect the column's variables of all words, rotated so that two rarely coincide. Two that
		// coincide look like one, which only costs a call of shrink.
		var column uint64
		below := at.column * c.lefts
		for i := range len(b.rest) {
			x := &b.rest[i]
			here := x[0]&below | bits.RotateLeft64(x[1]&below, 1) |
				bits.RotateLeft64(x[2]&below, 2) | bits.RotateLeft64(x[3]&below, 3)
			column |= bits.RotateLeft64(here, 4*i)
		}
		if column == 0 {
			return dead
		}
		forces = forces || column&(column-1) == 0
	}
	b.forces = b.forces || forces
	b.common &= with[b.level]
	if b.level = c.first(&b.rest, b.level+1); b.level == len(c.vars) {
		return solved
	}
	switch {
	case b.common&with[b.level] != 0:
		return more
	case !b.forces:
		return open
	case c.shrink(&b.rest, &b.alone, b.needs, b.columns):
		return open
	}
	return dead
}

// shrink plays forced moves until there are no more: unit propagation. A forced move is the only free
// variable of an exactly-one constraint. Variables that it excludes are removed; it stays free itself.
// If a constraint that needs a variable has no free variable, shrink returns false. It does not repeat
// moves played before.
func (c *layout[S]) shrink(set, before *S, needs, columns uint64) bool {
	played := *before
	for {
		var alone S
		if n, k := c.count(set, &alone); n != needs || k != columns {
			return false
		}
		changed := uint64(0)
		for i := range len(alone) {
			a, p := &alone[i], &played[i]
			a[0], a[1], a[2], a[3] = a[0]&^p[0], a[1]&^p[1], a[2]&^p[2], a[3]&^p[3]
			if a[0]|a[1]|a[2]|a[3] == 0 {
				continue
			}
			for w, moves := range a {
				p[w] |= moves
				for ; moves != 0; moves &= moves - 1 {
					if (*set)[i][w]&moves&-moves == 0 {
						return false // another excludes it
					}
					changed |= keep(set, &c.spared[(4*i+w)<<6|bits.TrailingZeros64(moves)])
				}
			}
		}
		if changed == 0 {
			return true
		}
	}
}

// count returns the sums of the marks of the constraints that have a free variable, and sets alone to
// the variables that are alone in a constraint.
func (c *layout[S]) count(set, alone *S) (needs, columns uint64) {
	var twice uint64 // columns with two variables or more
	lanes := c.lanes
	for i := range len(*set) {
		x, a := &(*set)[i], &(*alone)[i]
		for w := range len(x) {
			x := x[w]
			twice |= columns & x
			columns |= x
			some, one := lanes.count(x)
			a[w] = one
			needs += some >> (lanes.width & 63)
		}
	}
	for _, f := range c.halves {
		upper := columns >> (f.shift & 63)
		twice |= twice>>(f.shift&63) | columns&upper
		columns = (columns | upper) & f.keep
		twice &= f.keep
	}
	columns &= c.columns
	once := (columns &^ twice) * c.lefts // in each lane of a word
	for i := range len(*set) {
		x, a := &(*set)[i], &(*alone)[i]
		a[0], a[1], a[2], a[3] = a[0]|x[0]&once, a[1]|x[1]&once, a[2]|x[2]&once, a[3]|x[3]&once
	}
	return needs, columns
}

// occupied returns the last bit of each lane that has a variable in x.
func (l lanes) occupied(x uint64) uint64 {
	return (x&l.body + l.body | x) & l.rights
}

// count returns the last bit of each lane that has a variable in x, and the variables
// that are alone in their lane.
func (l lanes) count(x uint64) (some, alone uint64) {
	some = l.occupied(x)
	more := l.occupied(x & (x - some>>(l.width&63))) // without the first of each lane
	return some, x &^ (more<<1 - more>>(l.width&63))
}

// keep removes all variables except vars from a set. It returns a value other than 0 if it removed any.
func keep[S bitset](set, vars *S) (gone uint64) {
	for i := range len(*set) {
		x, y := &(*set)[i], &(*vars)[i]
		k0, k1, k2, k3 := x[0]&y[0], x[1]&y[1], x[2]&y[2], x[3]&y[3]
		gone |= (x[0] ^ k0) | (x[1] ^ k1) | (x[2] ^ k2) | (x[3] ^ k3)
		x[0], x[1], x[2], x[3] = k0, k1, k2, k3
	}
	return gone
}

// first returns the level of the set's first variable, or a level past the last one if the set is empty.
// No variable of the set may be above from. Where the order runs along the lanes it examines a whole
// word at a time, which saves a tenth of free-set's time (row-major, n = 13 0.22 -> 0.2 s, n = 14 1.17
// -> 1.06 s); elsewhere it examines one or a few variables at a time.
func (c *layout[S]) first(set *S, from int) int {
	for from < len(c.vars) {
		at := &c.vars[from]
		if run := (*set)[at.word/4][at.word%4] & at.run; run != 0 {
			return from + bits.TrailingZeros64(run) - int(at.bit)
		}
		from = at.next
	}
	return from
}

// hash maps a set to 64 bits.
func (c *layout[S]) hash(set *S) uint64 {
	h := uint64(mix1)
	for i := range len(*set) {
		x := &(*set)[i]
		high0, low0 := bits.Mul64(x[0]^mix1, x[1]^mix2)
		high1, low1 := bits.Mul64(x[2]^mix2, x[3]^mix1)
		high, low := bits.Mul64(high0^low0^h, high1^low1^mix2)
		h = high ^ low
	}
	high, low := bits.Mul64(h^mix2, mix1)
	return high ^ low
}
