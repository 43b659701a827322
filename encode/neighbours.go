package encode

import (
	"slices"

	"queens/encode/cnf"
)

// takeNeighbours takes each exactly-one of three literals or more whose pairs directly precede or follow the clause of all its
// literals, as most writers put them. Then it lists the pairs that are left. It leaves a choice to the later search if two of its
// literals are in other choices, too, since these may need the same pairs. One literal may be: in a feature model, the absence of
// the parent.
func (x *exclusions) takeNeighbours() {
	times := make([]int32, len(x.seen)) // by literal: how many choices have it
	for _, i := range x.choices {
		for _, l := range x.At(int(i)) {
			times[indexOf(l)]++
		}
	}
	home := make([]int32, len(x.seen)) // by literal: 1 + the place in found of the last constraint that has it; 0 for none
	var parents []index                // by place in found: the literal that other choices have, too; if there is none, any of its own
	for _, i := range x.choices {
		i, lits := int(i), x.At(int(i))
		elsewhere, parent := 0, indexOf(lits[0])
		for _, l := range lits {
			if times[indexOf(l)] > 1 {
				elsewhere, parent = elsewhere+1, indexOf(l)
			}
		}
		if len(lits) == 2 || elsewhere > 1 {
			continue
		}
		from, to := x.neighbours(i)
		if to-from != 1+len(lits)*(len(lits)-1)/2 || !x.differ(from, to, len(lits)) {
			continue
		}
		for j := from; j < to; j++ {
			x.part[j] = merged
		}
		x.merged += to - from - 1
		x.part[i] = int32(len(x.found))
		x.found = append(x.found, recovery{1, lits, x.between(from, to)})
		for _, l := range lits {
			home[indexOf(l)] = int32(len(x.found))
		}
		parents = append(parents, parent)
	}
	for i, part := range x.part {
		if lits := x.At(i); part == free && len(lits) == 2 {
			a, b := indexOf(lits[0]).not(), indexOf(lits[1]).not()
			if h := home[a]; h > 0 && (h == home[b] || parents[h-1] == b) || home[b] > 0 && parents[home[b]-1] == a {
				x.part[i] = merged // an exactly-one says it already
				x.merged++
			} else {
				x.pairs = append(x.pairs, int32(i))
			}
		}
	}
}

// neighbours returns the range of clauses around clause i that are pairs of its literals. It marks these literals in seen, with
// their places in the clause as times.
func (x *exclusions) neighbours(i int) (from, to int) {
	x.search++
	for place, l := range x.At(i) {
		x.seen[indexOf(l)] = mark{x.search, int32(place)}
	}
	pair := func(lits []cnf.Lit) bool {
		return len(lits) == 2 && x.seen[indexOf(lits[0]).not()].search == x.search &&
			x.seen[indexOf(lits[1]).not()].search == x.search
	}
	for from = i; from > 0 && pair(x.At(from-1)); from-- {
	}
	for to = i + 1; to < x.Len() && pair(x.At(to)); to++ {
	}
	return from, to
}

// differ reports whether the pairs in a range of clauses are all different. [exclusions.neighbours] has marked their literals, which
// are this many.
func (x *exclusions) differ(from, to, literals int) bool {
	met := make([]bool, literals*literals)
	for i := from; i < to; i++ {
		if lits := x.At(i); len(lits) == 2 {
			a, b := x.seen[indexOf(lits[0]).not()].times, x.seen[indexOf(lits[1]).not()].times
			at := int(min(a, b))*literals + int(max(a, b))
			if met[at] {
				return false
			}
			met[at] = true
		}
	}
	return true
}

// between names a constraint after the lines of neighbouring clauses.
func (x *exclusions) between(from, to int) string {
	first, last := x.first[from:to], x.last[from:to]
	if slices.Equal(first, last) {
		return several(first, true)
	}
	return several(slices.Concat(first, last), false)
}
