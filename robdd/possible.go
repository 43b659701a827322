package robdd

import (
	"context"
	"slices"
)

// Possible finds which literals are true in some solution, for all variables at once. It keeps its
// working memory between questions. Only one goroutine at a time may use it; several Possibles may share
// a Diagram.
//
// In a reduced diagram every node but 0 has a solution below it and is reached from the root,
// so without assumptions one pass over the edges answers: a literal is possible when an edge to
// a node other than 0 has that value or skips its level. Under assumptions the same is true of
// the edges between the nodes that are still on a path to a solution (see under).
//
// A few nodes usually show as much as all of them: a value seen on some path is possible, and once every
// variable that is not assumed has been seen with both values, there is nothing more to find. So a
// question first visits a few nodes of each level, spread evenly ([Possible.Begin]). The values that it
// has not seen ([Possible.Unseen]) are found by visiting more nodes ([Possible.Widen]), or by a caller
// who knows a solution ([Possible.Note]). [Possible.Ask] only widens. It pays to assume literals that
// are known to hold: otherwise their negations stay unseen.
type Possible struct {
	under
	list    nodeList
	narrow  int  // nodes of a level that are visited first
	width   int  // nodes of a level that the last pass visited
	all     bool // the last pass left no node out
	listed  bool // the list holds the nodes; the values on levels that its edges skip are not yet in seen
	visited int
	unseen  []Lit
	falses  []int8 // the initial values for BeginOnly: all false

	annotation *annotation // nil unless made by NewAnnotated
	set        []uint64    // what the annotation says about the levels below p.end
}

const (
	narrow = 32      // nodes of a level that the first pass visits in a large diagram
	large  = 1 << 16 // nodes; in a smaller diagram the first pass visits four times as many
	// small is the number of nodes up to which BeginOnly visits all nodes at once. In a larger diagram
	// it does so for questions that leave at most 3/7 of the variables free: they reach few nodes, so a
	// first pass over a sample would be wasted. The benchmark Session of package bdd has the table.
	small = 1 << 14
)

// NewPossible returns a Possible for a diagram of either kind.
func NewPossible(d *Diagram) *Possible {
	p := &Possible{under: newUnder(d), list: nodeList{most: maxFew}, narrow: narrow}
	if len(d.nodes) <= large {
		p.narrow *= 4
	}
	return p
}

// NewAnnotated returns a Possible for a ZDD that stores for each node which variables can be true below
// it and, if both is set, which can be false. A question then visits nothing below the lowest variable
// that it assumes, and needs no sampling pass. The first questions take longer, since they fill in the
// annotation. If the annotation would be too large, it returns an ordinary Possible.
func NewAnnotated(d *Diagram, both bool) *Possible {
	p := NewPossible(d)
	sets := 1
	if both {
		sets = 2
	}
	if p.annotation = annotate(d, sets); p.annotation != nil {
		p.narrow, p.set = len(d.nodes), make([]uint64, (len(d.order)>>6+1)*sets)
	}
	return p
}

// Bytes returns the size of the working memory that is kept between questions, in bytes.
func (p *Possible) Bytes() int64 {
	return p.under.Bytes() + p.list.bytes() + 4*int64(cap(p.unseen)) + int64(cap(p.falses)) + p.annotation.bytes() + 8*int64(cap(p.set))
}

// Ask finds which literals are true in some solution under the assumptions, and reports whether there is
// a solution; CanBe then returns the result. The assumed literals may come in any order. Repeated
// literals count once; contradictory ones have no solution.
func (p *Possible) Ask(ctx context.Context, assume []Lit) (satisfiable bool, err error) {
	satisfiable, err = p.Begin(ctx, assume)
	for err == nil && satisfiable && len(p.Unseen()) > 0 {
		err = p.Widen(ctx)
	}
	return satisfiable, err
}

// Begin is Ask up to the first solution: literals for which CanBe returns true are possible, but others
// may be possible too. Unseen returns those.
func (p *Possible) Begin(ctx context.Context, assume []Lit) (satisfiable bool, err error) {
	possible, err := p.assume(assume)
	if err != nil || !possible {
		p.visited, p.all, p.listed = 0, true, false
		return false, err
	}
	return p.begin(ctx, p.narrow)
}

// BeginOnly is Begin for a question that leaves few variables free. On the first levels, the variables
// on the levels held are true, those on the levels free are free, and all others are false. Nothing is
// assumed about further levels. For a board of queens it takes half the time of Begin with the same
// literals.
func (p *Possible) BeginOnly(ctx context.Context, levels int, held, free []uint16) (satisfiable bool, err error) {
	if p.falses == nil {
		p.falses = slices.Repeat([]int8{-1}, len(p.value))
	}
	clear(p.value)
	copy(p.value[len(p.value)-levels:], p.falses)
	clear(p.trues)
	p.some, p.end = levels > 0, 0
	for _, level := range free {
		p.value[len(p.value)-1-int(level)] = 0
	}
	for _, level := range held {
		p.assumeTrue(len(p.value) - 1 - int(level))
	}
	width := p.narrow
	if len(p.d.nodes) <= small || len(free) <= len(p.value)*3/7 {
		width = len(p.d.nodes)
	}
	return p.begin(ctx, width)
}

// begin begins a question whose assumptions are set. Its first pass visits at most width nodes of a level.
func (p *Possible) begin(ctx context.Context, width int) (satisfiable bool, err error) {
	p.visited, p.all, p.listed = 0, true, false
	if err := p.d.ended(ctx); err != nil || p.d.root == 0 {
		return false, err
	}
	if p.annotation != nil {
		for p.end < len(p.value) && p.value[p.end] == 0 {
			p.end++
		}
		clear(p.set)
		p.annotation.ctx, p.annotation.err = ctx, nil
	}
	if p.list.reach(&p.under) {
		p.visited, p.listed = p.list.visited(), true
		p.list.findAlive(&p.under)
		if p.end > 0 {
			p.list.below(p.annotation, p.set, p.end)
			err = p.annotation.err
		}
		return err == nil && p.list.root().alive, err
	}
	p.setFloor()
	if p.width = width; !p.some {
		p.width = len(p.d.nodes) // every node is on a path to a solution
	}
	err = p.pass(ctx)
	for err == nil && !p.all && !p.bits.isAlive(p.d.root) {
		err = p.Widen(ctx)
	}
	return err == nil && p.bits.isAlive(p.d.root), err
}

// Widen repeats the search with four times as many nodes of each level.
func (p *Possible) Widen(ctx context.Context) error {
	p.width *= 4
	return p.pass(ctx)
}

// pass visits at most p.width nodes of each level. It forgets what earlier passes have seen.
func (p *Possible) pass(ctx context.Context) (err error) {
	p.all, err = p.bits.reach(ctx, &p.under, p.width)
	if err == nil {
		err = p.bits.findAlive(ctx, &p.under)
	}
	if err == nil {
		p.visited += p.bits.count()
		if p.end > 0 {
			p.bits.below(p.annotation, p.set, p.end)
			err = p.annotation.err
		}
		p.between(p.d.topOf(len(p.value), p.d.root))
	}
	return err
}

// Unseen returns the literals of free variables that are not yet known to be possible, the lowest in the
// order first. It returns none once all nodes have been visited. There must be a solution, so a variable
// has at most one such literal. The slice is valid until the next call.
func (p *Possible) Unseen() []Lit {
	p.unseen = p.unseen[:0]
	if p.all {
		return nil
	}
	for h, value := range p.value {
		if value != 0 || p.seen[h] == canBeBoth {
			continue
		}
		l := Lit(p.d.order[len(p.value)-1-h])
		if p.seen[h] == canBeTrue {
			l = -l
		}
		p.unseen = append(p.unseen, l)
	}
	return p.unseen
}

// Note records a solution under the assumptions: all its literals are possible.
func (p *Possible) Note(solution []Lit) {
	for _, l := range solution {
		seen, value := p.of(l)
		*seen |= value
	}
}

// Visited returns how many nodes the last question visited; without assumptions, that is all nodes. A
// node counts each time it is visited: once per pass, and if its variable is assumed, once per edge that
// leads to it.
func (p *Possible) Visited() int { return p.visited }

// CanBe reports whether a literal is true in some solution under the assumptions of the last
// question, which must have had one.
func (p *Possible) CanBe(l Lit) bool {
	if p.listed && (l < 0 || p.d.kind == BDD) {
		p.seeBetween()
	}
	h := p.height(l.Var())
	switch {
	case p.value[h] != 0:
		return p.value[h] > 0 == (l > 0)
	case h < p.end && l < 0:
		return p.set[len(p.set)/2+h>>6]>>(h&63)&1 != 0
	case h < p.end:
		return p.set[h>>6]>>(h&63)&1 != 0
	}
	seen, value := p.of(l)
	return *seen&value != 0
}

// CanBeTrue is CanBe for the positive literal of the variable on a level.
func (p *Possible) CanBeTrue(level int) bool {
	if p.listed && p.d.kind == BDD {
		p.seeBetween()
	}
	h := len(p.value) - 1 - level
	if h < p.end {
		return p.set[h>>6]>>(h&63)&1 != 0
	}
	return p.value[h] > 0 || p.value[h] == 0 && p.seen[h]&canBeTrue != 0
}

// seeBetween adds the values on levels that edges skip, after a search with the list.
func (p *Possible) seeBetween() {
	p.listed = false
	p.list.fillDeep(&p.under)
	p.between(int(p.list.root().top))
}

func (p *Possible) height(v Var) int { return len(p.value) - 1 - int(p.d.levels[v-1]) }

// of returns the values seen of a literal's variable, and the value that the literal stands for.
func (p *Possible) of(l Lit) (seen *uint8, value uint8) {
	value = canBeTrue
	if l < 0 {
		value = canBeFalse
	}
	return &p.seen[p.height(l.Var())], value
}

// between adds to p.seen the values on levels that edges skip; root is the top of the root.
func (p *Possible) between(root int) {
	passed := root // the lowest height that an edge from above skips
	for h := len(p.seen) - 1; h >= p.end; h-- {
		deep := int(p.deep[h])
		if h >= passed {
			switch {
			case p.d.kind == ZDD, p.value[h] < 0:
				p.seen[h] |= canBeFalse
			case p.value[h] > 0:
				p.seen[h] |= canBeTrue
			default:
				p.seen[h] |= canBeBoth
			}
		}
		passed = min(passed, deep)
	}
	if p.end > 0 {
		p.annotation.skip(p.set, passed, p.end)
	}
}
