package robdd

import (
	"context"
	"slices"
)

// Possible finds which literals are true in some solution, for all variables at once. It keeps
// the working memory between questions, and serves one goroutine at a time; several may share
// the Diagram.
//
// In a reduced diagram every node but 0 has a solution below it and is reached from the root,
// so without assumptions one pass over the edges answers: a literal is possible when an edge to
// a node other than 0 has that value or skips its level. Under assumptions the same is true of
// the edges between the nodes that are still on a path to a solution (see under).
//
// A few nodes usually show as much as all of them: a value seen on some path is possible,
// and once every variable that is not assumed has been seen with both values, there is
// nothing more to find. So a question first visits a few nodes of each level, spread evenly,
// and then looks for a solution with each value that it has not seen: few are left, and what
// the caller knows to follow from one keeps that walk short (n = 14: this took a half off
// valid cells with a quarter of the queens placed, where visiting more nodes of each level
// visits nearly all). Literals that are known to hold matter here, too: one that is not
// assumed is looked for in vain.
type Possible struct {
	// Follows, unless nil, returns what follows from the assumptions of the present question
	// and one more literal, all of them included. The result is used until the next call.
	Follows func(Lit) []Lit

	under
	list    nodeList
	narrow  int // nodes of a level that are visited first
	finder  *Finder
	visited int
}

const (
	narrow = 32      // nodes of a level that are visited first, in a large diagram
	large  = 1 << 16 // nodes; in a smaller one, four times as many of a level are visited first
	maxOne = 64      // values that are looked for one by one
	cheap  = 1 << 10 // nodes: if no more were visited, it is cheaper to visit more of each level
)

// NewPossible returns a Possible for a diagram of either kind.
func NewPossible(d *Diagram) *Possible {
	p := &Possible{under: newUnder(d), list: nodeList{most: maxFew}, narrow: narrow}
	if len(d.nodes) <= large {
		p.narrow *= 4
	}
	return p
}

// Bytes returns the working memory that is kept between questions, in bytes.
func (p *Possible) Bytes() int64 {
	bytes := p.under.Bytes() + p.list.bytes()
	if p.finder != nil {
		bytes += p.finder.Bytes()
	}
	return bytes
}

// Ask finds which literals are true in some solution under the assumptions, for CanBe to
// tell, and reports whether there is a solution. The literals assumed may come in any order;
// repeated ones count once, contradictory ones have no solution.
func (p *Possible) Ask(ctx context.Context, assume []Lit) (satisfiable bool, err error) {
	p.visited = 0
	ok, err := p.assume(assume)
	if err == nil {
		err = p.d.ended(ctx)
	}
	if err != nil || !ok {
		return false, err
	}
	if p.list.reach(&p.under) {
		p.visited = len(p.list.met) - 2
		p.list.findAlive(&p.under)
		root := p.list.root(&p.under)
		p.between(int(root.top))
		return root.alive, nil
	}
	root := p.d.topOf(len(p.value), p.d.root)
	width := p.narrow
	if !p.some {
		width = len(p.d.nodes) // every node is on a path to a solution
	}
	for ; ; width *= 4 {
		all, err := p.bits.reach(ctx, &p.under, width)
		if err == nil {
			err = p.bits.findAlive(ctx, &p.under)
		}
		if err != nil {
			return false, err
		}
		p.visited += p.bits.count()
		p.between(root)
		satisfiable = p.bits.isAlive(p.d.root)
		unseen := p.unseen()
		if all || satisfiable && unseen == 0 {
			return satisfiable, nil
		}
		if satisfiable && p.d.kind == ZDD && unseen <= maxOne && p.visited > cheap {
			if done, err := p.oneByOne(ctx, assume); done || err != nil {
				return true, err
			}
		}
	}
}

// unseen returns how many values of variables that are not assumed have not been seen.
func (p *Possible) unseen() (n int) {
	for h, value := range p.value {
		if value == 0 && p.seen[h] != canBeBoth {
			n++
		}
	}
	return n
}

// oneByOne looks for solutions with each value that has not been seen. It gives up when it has
// visited so many nodes that visiting all at once is cheaper.
func (p *Possible) oneByOne(ctx context.Context, assume []Lit) (done bool, err error) {
	if p.finder == nil {
		p.finder = NewFinder(p.d)
	}
	follows, most := p.Follows, 4*p.visited
	if follows == nil {
		assume = slices.Clone(assume)
		follows = func(l Lit) []Lit { return append(assume[:len(assume):len(assume)], l) }
	}
	for h, value := range p.value {
		v := Lit(p.d.order[len(p.value)-1-h])
		for _, l := range [2]Lit{v, -v} {
			if value != 0 || p.CanBe(l) {
				continue
			}
			if p.visited > most {
				return false, nil
			}
			solution, err := p.finder.Any(ctx, follows(l))
			if err != nil {
				return false, err
			}
			p.visited += p.finder.visited
			for _, l := range solution {
				at := &p.seen[len(p.seen)-1-int(p.d.levels[l.Var()-1])]
				if l > 0 {
					*at |= canBeTrue
				} else {
					*at |= canBeFalse
				}
			}
		}
	}
	return true, nil
}

// Visited returns how many nodes the last question visited, one that was visited in several
// passes as often: all nodes without assumptions.
func (p *Possible) Visited() int { return p.visited }

// CanBe reports whether a literal is true in some solution under the assumptions of the last
// question, which must have had one.
func (p *Possible) CanBe(l Lit) bool {
	value := canBeTrue
	if l < 0 {
		value = canBeFalse
	}
	return p.seen[len(p.seen)-1-int(p.d.levels[l.Var()-1])]&value != 0
}

// between adds to p.seen what edges say about the levels that they pass; root is the top of the
// root.
func (p *Possible) between(root int) {
	passed := root // the lowest height that an edge from above passes
	for h := len(p.seen) - 1; h >= 0; h-- {
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
}
